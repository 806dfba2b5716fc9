import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { limits } from '../../../src/limits.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { type ListPage, type PageRange, toPageRange } from '../kit/list-page.ts';
import { MAIL_READ_POLICY, returnShape } from '../kit/operation.ts';
import { loadSearchPage } from '../search/search-page.ts';
import { requireFeatureToRead } from '../settings/features.ts';
import { HIDDEN_FOLDERS, UNREAD_ONLY_DESCRIPTION } from './entry-list.ts';
import { EntryRowShape, loadEntryRows } from './entry-row.ts';
import { loadLabelPage } from './label-list.ts';
import { findPageStart } from './page-start.ts';
import { buildSearchResponse, SEARCH_SHAPE } from './search-response.ts';

export const mailUnifiedEntries = defineOperation('mailUnifiedEntries', {
  kind: 'query',
  effects: ['reads'],
  tool: 'inbox_read',
  address: 'svc.mail.account/get_unified_entries',
  policy: MAIL_READ_POLICY,
  description:
    'Lists messages in the inboxes of all your mailboxes, newest first. Returns up to ' +
    `${limits.mail.rows} at a time.`,
  args: (arg) => ({
    search: arg.string({
      defaultValue: '',
      description: 'Search query. Supports the same operators as `mailSearch`.',
    }),
    offset: arg.int({ defaultValue: 0, description: 'Number of messages to skip.' }),
    limit: arg.int({ defaultValue: 50, description: 'Number of messages to return.' }),
    labelId: arg.recordId({ description: 'Only messages with this label.' }),
    sourceAccountId: arg.recordId({ description: 'Only messages in this mailbox.' }),
    allFolders: arg.boolean({
      defaultValue: false,
      description: 'True to list all folders except Trash, Spam and Drafts.',
    }),
    unreadOnly: arg.boolean({ defaultValue: false, description: UNREAD_ONLY_DESCRIPTION }),
  }),
  ...returnShape('UnifiedMessagePage', 'A page of messages from several mailboxes.', {
    entries: { type: [EntryRowShape], description: 'The messages, newest first.' },
    count: { type: 'Int', description: 'Total number of messages in the list.' },
    ...SEARCH_SHAPE,
  }),
  run: async (ctx, args) => {
    await requireFeatureToRead(ctx, ctx.principal!.companyId, 'mail.unified_inbox');
    const source = args.sourceAccountId ?? null;
    if (source !== null) await getMemberMailbox(ctx, source);
    const folders = await loadFolders(ctx, source, args.allFolders ?? false);
    const range = toPageRange(args.offset, args.limit);
    const ids = folders.map(({ id }) => id);
    if ((args.search?.trim() || args.unreadOnly) && folders.length > 0) {
      const accounts = [...new Set(folders.map(({ account_id }) => account_id))].sort((a, b) => a - b);
      const scope = { folderIds: ids, labelId: args.labelId ?? null, unreadOnly: args.unreadOnly ?? false };
      return buildSearchResponse(ctx, await loadSearchPage(ctx, accounts, scope, args.search ?? '', range));
    }
    const list = args.labelId
      ? await loadLabelPage(ctx, args.labelId, ids, range)
      : await loadNewestPage(ctx, folders, range);
    return new RawJson(`{"entries":${list.json},"count":${list.count}}`, list.n);
  },
});

interface Folder {
  id: number;
  account_id: number;
  total: number;
}

/** Loads the Inbox of each of the caller's mailboxes, or all visible folders. */
const loadFolders = ({ db, workspace: { id }, principal }: Ctx, source: number | null, all: boolean) =>
  db.rows<Folder>(
    sql`select f.id, f.account_id, f.total from svc_mail_member m
     join svc_mail_account a on a.workspace_id = ${id} and a.id = m.account_id and a.active
     join svc_mail_folder f on f.workspace_id = ${id} and f.account_id = a.id
       and ${all ? sql`(f.role is null or f.role <> all(${HIDDEN_FOLDERS}))` : sql`f.role = 'inbox'`}
     where m.workspace_id = ${id} and m.user_id = ${principal?.userId ?? 0}
       and (${source}::int is null or a.id = ${source}::int)`,
  );

async function loadNewestPage(ctx: Ctx, folders: Folder[], { offset, limit }: PageRange): Promise<ListPage> {
  const ids = folders.map(({ id }) => id);
  const count = folders.reduce((sum, { total }) => sum + total, 0);
  if (offset >= count) return { json: '[]', n: 0, count };
  const accounts = [...new Set(folders.map(({ account_id }) => account_id))];
  const start = await findPageStart(ctx, accounts, ids, offset);
  const workspace = sql.param(ctx.workspace.id);
  const before = start.before ? sql` and x.date < ${start.before}::timestamp` : sql.empty;
  // Reads each folder's newest messages from the index; the outer query merges them.
  const page = sql`select e.id, e.date from unnest(${ids}::int[]) f(id)
    cross join lateral (select x.id, x.date from svc_mail_entry x
      where x.workspace_id = ${workspace} and x.folder_id = f.id${before}
      order by x.date desc, x.id desc limit ${start.skip + limit}) e
    order by e.date desc, e.id desc offset ${start.skip} limit ${sql.literal(limit)}`;
  return { ...(await loadEntryRows(ctx, workspace, page)), count };
}
