import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import {
  createMailAccessError,
  getMemberFolder,
  getMemberMailbox,
  type MemberMailbox,
} from '../accounts/member-access.ts';
import { MAIL_READ_POLICY } from '../kit/operation.ts';
import { HIDDEN_FOLDERS } from '../lists/entry-list.ts';
import { requireFeatureToRead } from '../settings/features.ts';
import { MailThread } from './thread.ts';
import type { Thread } from './thread-facts.ts';
import { loadThreadPage, type ThreadPage } from './thread-page.ts';

const MAX_THREADS_PER_PAGE = 100;

interface ThreadListPage extends ThreadPage {
  accountId: number;
  folderId: number | null;
  isFirst: boolean;
}

interface ThreadListEdge {
  node: Thread;
  cursor: string;
}

const toEdges = ({ places, accountId, folderId }: ThreadListPage): ThreadListEdge[] =>
  places.map(({ thread_id, cursor }) => ({ node: { id: thread_id, accountId, folderId }, cursor }));

const ThreadEdge = builder.objectRef<ThreadListEdge>('MailThreadEdge').implement({
  description: 'An edge in a page of conversations.',
  fields: (t) => ({
    node: t.expose('node', { type: MailThread, description: 'The conversation.' }),
    cursor: t.exposeString('cursor', { description: 'Cursor of the conversation, for `after`.' }),
  }),
});

const ThreadConnection = builder.objectRef<ThreadListPage>('MailThreadConnection').implement({
  description: 'A page of conversations.',
  fields: (t) => ({
    nodes: t.field({
      type: [MailThread],
      description: 'Conversations on the page.',
      resolve: (page) => toEdges(page).map(({ node }) => node),
    }),
    edges: t.field({
      type: [ThreadEdge],
      description: 'Conversations on the page, each with its cursor.',
      resolve: toEdges,
    }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      description: 'Position of the page in the list.',
      resolve: ({ places, hasMore, end, isFirst }) => ({
        hasNextPage: hasMore,
        hasPreviousPage: !isFirst,
        startCursor: places[0]?.cursor ?? null,
        endCursor: end,
      }),
    }),
  }),
});

export const mailThreads = defineOperation('mailThreads', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description:
    'Lists the conversations in a mailbox, sorted by their newest message. A page before the last one may ' +
    'be shorter than `first`.',
  args: (arg) => ({
    mailboxId: arg.recordId({ required: true, description: 'Mailbox.' }),
    folderId: arg.recordId({
      description:
        'Only conversations with messages in this folder, sorted by their newest message in it. Defaults ' +
        'to all folders except Spam and Trash.',
    }),
    first: arg.int({
      defaultValue: 50,
      description: `Maximum number of conversations, up to ${MAX_THREADS_PER_PAGE}.`,
    }),
    after: arg.string({ description: '`endCursor` of the previous page.' }),
  }),
  type: ThreadConnection,
  run: async (ctx, args): Promise<ThreadListPage> => {
    const account = await getMemberMailbox(ctx, args.mailboxId);
    await requireFeatureToRead(ctx, account.company_id, 'mail.threading');
    const first = args.first ?? 50;
    if (first < 0 || first > MAX_THREADS_PER_PAGE)
      throw errors.badRequest(`\`first\` must be from 0 to ${MAX_THREADS_PER_PAGE}.`);
    const folderIds = await findFolderIds(ctx, account, args.folderId ?? null);
    const after = args.after ?? null;
    const list = `threads ${account.id} ${args.folderId ?? 'all'}`;
    const page = await loadThreadPage(ctx, { accountId: account.id, folderIds, list }, first, after);
    return { ...page, accountId: account.id, folderId: args.folderId ?? null, isFirst: after === null };
  },
});

async function findFolderIds(ctx: Ctx, account: MemberMailbox, folderId: number | null): Promise<number[]> {
  if (folderId !== null) {
    const folder = await getMemberFolder(ctx, folderId);
    if (folder.account_id !== account.id) throw createMailAccessError(ctx, 'Folder', 'svc.mail.folder');
    return [folder.id];
  }
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select f.id from svc_mail_folder f where f.workspace_id = ${ctx.workspace.id}
       and f.account_id = ${account.id} and (f.role is null or f.role <> all(${HIDDEN_FOLDERS})) order by f.id`,
  );
  return rows.map(({ id }) => id);
}

export const mailThread = defineOperation('mailThread', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description: 'Returns a conversation. Does not mark it as read.',
  args: (arg) => ({
    id: arg.recordId({ required: true, description: 'Id of the conversation, in one of your mailboxes.' }),
  }),
  type: MailThread,
  run: async (ctx, { id }): Promise<Thread> => {
    const workspace = ctx.workspace.id;
    const [row] = await ctx.db.rows<{ account_id: number; folder_id: number; company_id: number | null }>(
      sql`select n.account_id, n.folder_id, a.company_id from svc_mail_member m
       join svc_mail_account a on a.workspace_id = ${workspace} and a.id = m.account_id and a.active
       cross join lateral (
         select e.account_id, e.folder_id, coalesce(f.role, '') in ('spam', 'trash') as is_hidden
         from svc_mail_entry e
         join svc_mail_folder f on f.workspace_id = ${workspace} and f.id = e.folder_id
         where e.workspace_id = ${workspace} and e.account_id = a.id and e.thread_id = ${id}
         order by is_hidden, e.date desc limit 1) n
       where m.workspace_id = ${workspace} and m.user_id = ${ctx.principal?.userId ?? 0} limit 1`,
    );
    if (!row) throw createMailAccessError(ctx, 'Conversation', 'svc.mail.entry');
    await requireFeatureToRead(ctx, row.company_id, 'mail.threading');
    return { id, accountId: row.account_id, folderId: row.folder_id };
  },
});
