import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import type { SystemFolder } from '../accounts/create-mailbox.ts';
import { createMailAccessError } from '../accounts/member-access.ts';
import { type ListPage, type PageRange, toPageRange } from '../kit/list-page.ts';
import { MAIL_READ_POLICY, returnShape } from '../kit/operation.ts';
import { loadSearchPage } from '../search/search-page.ts';
import { loadDraftEntries } from './draft-entries.ts';
import { EntryRowShape, loadEntryRows } from './entry-row.ts';
import { loadLabelPage } from './label-list.ts';
import { findPageStart } from './page-start.ts';
import { buildSearchResponse, SEARCH_SHAPE } from './search-response.ts';

export const UNREAD_ONLY_DESCRIPTION = 'Only unread messages. They are counted like a search.';

/** Folders that a list of all folders excludes. */
export const HIDDEN_FOLDERS: SystemFolder[] = ['trash', 'spam', 'drafts'];

export const mailEntries = defineOperation('mailEntries', {
  kind: 'query',
  effects: ['reads'],
  tool: 'inbox_read',
  address: 'svc.mail.account/get_entries',
  policy: MAIL_READ_POLICY,
  description: `Lists up to ${limits.mail.rows} messages in a folder at a time, newest first.`,
  args: (arg) => ({
    folderId: arg.recordId({
      description:
        'Folder to list. With `allFolders`, pass any folder of the mailbox. If no folder is passed, ' +
        '`labelId` is required, and all folders except Trash, Spam and Drafts are listed.',
    }),
    search: arg.string({
      description:
        'Only messages that match this search, such as `from:ann "final report" after:2026/01/31`. ' +
        '`in:` searches other folders.',
    }),
    offset: arg.int({ defaultValue: 0, description: 'Number of messages to skip.' }),
    limit: arg.int({ defaultValue: 50, description: 'Number of messages to return.' }),
    labelId: arg.recordId({ description: 'Only messages with this label.' }),
    allFolders: arg.boolean({
      defaultValue: false,
      description: 'True to list all folders of the mailbox except Trash, Spam and Drafts.',
    }),
    unreadOnly: arg.boolean({ defaultValue: false, description: UNREAD_ONLY_DESCRIPTION }),
  }),
  ...returnShape('MailMessagePage', 'A page of messages.', {
    entries: { type: [EntryRowShape], description: 'The messages, newest first.' },
    count: { type: 'Int', description: 'Total number of messages in the list.' },
    ...SEARCH_SHAPE,
  }),
  run: async (ctx, args) => {
    const folders = await loadFolders(ctx, args);
    const range = toPageRange(args.offset, args.limit);
    // Drafts are always read.
    if (folders[0]?.role === 'drafts' && !args.labelId && args.unreadOnly) return EMPTY_LIST;
    if (folders[0]?.role === 'drafts' && !args.labelId)
      return loadDraftEntries(ctx, folders[0], args.search ?? '', range);
    const ids = folders.map(({ id }) => id);
    if (args.search?.trim() || args.unreadOnly) {
      const scope = { folderIds: ids, labelId: args.labelId ?? null, unreadOnly: args.unreadOnly ?? false };
      const accounts = [folders[0]!.account_id];
      return buildSearchResponse(ctx, await loadSearchPage(ctx, accounts, scope, args.search ?? '', range));
    }
    const list = args.labelId
      ? await loadLabelPage(ctx, args.labelId, ids, range)
      : await loadFolderPage(ctx, folders, range);
    return new RawJson(`{"entries":${list.json},"count":${list.count}}`, list.n);
  },
});

const EMPTY_LIST = new RawJson('{"entries":[],"count":0}', 0);

interface Folder {
  id: number;
  account_id: number;
  role: SystemFolder | null;
  total: number;
}

interface ListScope {
  folderId?: number | null;
  labelId?: number | null;
  allFolders?: boolean | null;
}

/**
 * Loads the folder to list. Without a folder, or with `allFolders`, loads all visible folders of the mailbox.
 * @throws ACCESS_ERROR if the caller cannot access the mailbox
 * @throws BAD_VALUE if neither a folder nor a label is given
 */
async function loadFolders(ctx: Ctx, { folderId, labelId, allFolders }: ListScope): Promise<Folder[]> {
  const workspace = ctx.workspace.id;
  const id = folderId ?? labelId;
  if (id == null) throw errors.wrongArgument('folder_id', 'specify a folder or a label');
  const isFolder = folderId != null;
  const folders = await ctx.db.rows<Folder & { is_requested: boolean; is_hidden: boolean }>(
    sql`select o.id, o.account_id, o.role, o.total, o.id = f.id as is_requested,
       o.role = any(${HIDDEN_FOLDERS}) as is_hidden
     from ${sql.id(isFolder ? 'svc_mail_folder' : 'svc_mail_label')} f
     join svc_mail_member m on m.workspace_id = ${workspace} and m.account_id = f.account_id
       and m.user_id = ${ctx.principal?.userId ?? 0}
     join svc_mail_folder o on o.workspace_id = ${workspace} and o.account_id = f.account_id
     where f.workspace_id = ${workspace} and f.id = ${id}`,
  );
  if (folders.length === 0)
    throw isFolder
      ? createMailAccessError(ctx, 'Folder', 'svc.mail.folder')
      : createMailAccessError(ctx, 'Label', 'svc.mail.label');
  return folders.filter(({ is_requested, is_hidden }) =>
    isFolder && !allFolders ? is_requested : !is_hidden,
  );
}

async function loadFolderPage(ctx: Ctx, folders: Folder[], { offset, limit }: PageRange): Promise<ListPage> {
  const ids = folders.map(({ id }) => id);
  const count = folders.reduce((sum, { total }) => sum + total, 0);
  if (offset >= count) return { json: '[]', n: 0, count };
  const accountId = folders[0]!.account_id;
  const start = await findPageStart(ctx, [accountId], ids, offset);
  const workspace = sql.param(ctx.workspace.id);
  const before = start.before ? sql` and e.date < ${start.before}::timestamp` : sql.empty;
  // Equality with a single folder lets PostgreSQL read the page from the index, newest first.
  const where: Sql =
    ids.length === 1
      ? sql`e.folder_id = ${ids[0]}`
      : sql`e.account_id = ${accountId} and e.folder_id = any(${ids}::int[])`;
  const page = sql`select e.id, e.date from svc_mail_entry e where e.workspace_id = ${workspace} and ${where}${before}
    order by e.date desc, e.id desc offset ${start.skip} limit ${sql.literal(limit)}`;
  return { ...(await loadEntryRows(ctx, workspace, page)), count };
}
