import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { call, callByName } from '../../../../src/engine/operation/call.ts';
import { errors } from '../../../../src/errors.ts';
import { limits } from '../../../../src/limits.ts';
import { type ArgumentsOf, inputSchema } from '../../input-schema.ts';
import { defineTool, toToolResult } from '../../tool.ts';
import {
  ACCOUNT_SCHEMA,
  buildIdSchema,
  buildTextSchema,
  outputSchema,
  parseRows,
  READING_TOOL,
} from '../kit.ts';

const FOLDERS = ['inbox', 'sent', 'drafts', 'archive', 'spam', 'trash'];

interface InboxPage {
  entries: Record<string, unknown>[];
  count: number;
  count_is_at_least?: boolean;
  notes?: string[];
}

const INPUT_SCHEMA = inputSchema({
  account_id: ACCOUNT_SCHEMA,
  scope: {
    type: 'string',
    enum: ['all_mail', 'all_inboxes'],
    description:
      'all_mail: all folders except Trash, Spam and Drafts. all_inboxes: the Inbox of every mailbox.',
  },
  folder_id: buildIdSchema(),
  folder_type: {
    type: 'string',
    enum: FOLDERS,
    description: 'drafts lists your drafts, identified by draft_id.',
  },
  label_id: buildIdSchema(),
  unread_only: { type: 'boolean', default: false },
  search: buildTextSchema(
    'Words, "phrases", -not, OR, and from: to: cc: bcc: subject: list: filename: label: in: is: has: after: ' +
      'before: newer_than:7d older_than: larger: smaller:',
  ),
  limit: {
    type: 'integer',
    minimum: 1,
    default: 50,
    description: `Up to ${limits.mail.rows}.`,
  },
  offset: { type: 'integer', minimum: 0, default: 0 },
});

type InboxReadArgs = ArgumentsOf<typeof INPUT_SCHEMA>;

export const inboxReadTool = defineTool({
  name: 'inbox_read',
  title: 'Read a list of mail',
  description:
    'Lists messages, newest first, with sender, subject, date, flags and snippet. Defaults to the Inbox of ' +
    'your own mailbox. Does not mark messages as read.',
  inputSchema: INPUT_SCHEMA,
  ...READING_TOOL,
  outputSchema: outputSchema({ messages: { type: 'array', items: { type: 'object' } } }),
  group: 'mail',
  method: ({ scope }) => (scope === 'all_inboxes' ? 'get_unified_entries' : 'get_entries'),
  run: async ({ ctx, args }) => {
    const {
      entries,
      count,
      count_is_at_least: atLeast,
      notes,
    } = parseRows<InboxPage>(await loadInboxPage(ctx, args));
    const end = args.offset + entries.length;
    const members = {
      messages: entries.map(toInboxMessage),
      total: count,
      ...(atLeast && { total_is_at_least: true }),
      ...(entries.length > 0 && end < count && { has_more: true, next_offset: end }),
      ...(notes && notes.length > 0 && { notes }),
    };
    return toToolResult(members, entries.length);
  },
});

/** @throws BAD_VALUE for conflicting arguments */
async function loadInboxPage(ctx: Ctx, args: InboxReadArgs): Promise<unknown> {
  const { account_id: account, scope, folder_id: folder, folder_type: type } = args;
  if (scope && (folder || type))
    throw errors.badValue('scope cannot be combined with folder_id or folder_type.');
  if (folder && account)
    throw errors.badValue(
      'folder_id and account_id cannot be combined, because a folder identifies its mailbox.',
    );
  if (folder && type) throw errors.badValue('folder_id and folder_type cannot be combined.');
  if (type === 'drafts' && (args.unread_only || args.label_id))
    throw errors.badValue('Drafts cannot be filtered by unread_only or label_id.');
  const { search, offset, limit, label_id: labelId, unread_only: unreadOnly } = args;
  const page = { search, offset, limit, unreadOnly, ...(labelId && { labelId }) };
  if (scope === 'all_inboxes')
    return call(ctx, 'mailUnifiedEntries', { ...page, ...(account && { sourceAccountId: account }) });
  const folderId = folder ?? (await getFolderId(ctx, account, type ?? 'inbox'));
  return call(ctx, 'mailEntries', { ...page, folderId, allFolders: scope === 'all_mail' });
}

/**
 * Returns the folder with this role in the given mailbox. Without a mailbox, uses the user's own mailbox, or else the
 * first one.
 * @throws USER_ERROR
 */
async function getFolderId(ctx: Ctx, account: number | undefined, role: string): Promise<number> {
  const ownInbox = [
    ['account_id.kind', '=', 'personal'],
    ['account_id.owner_id', '=', ctx.principal!.userId],
  ];
  const places = account ? [[['account_id', '=', account]]] : [ownInbox, []];
  for (const place of places) {
    const domain = [['role', '=', role], ['account_id.active', '=', true], ...place];
    const query = { model: 'svc.mail.folder', domain, fields: ['id'], limit: 1, order: 'account_id, id' };
    const [folder] = parseRows<{ id: number }[]>(await callByName(ctx, 'recordSearchRead', query));
    if (folder) return folder.id;
  }
  throw errors.user(
    account
      ? `You have no mailbox ${account}. Call mailbox_list to list your mailboxes.`
      : 'You have no mailbox.',
  );
}

/** Removes fields that don't apply: a draft has no entry_id, and a message has no draft_id. */
function toInboxMessage({ entry_id, draft_id, thread_id, size: _, ...row }: Record<string, unknown>) {
  return entry_id ? { entry_id, thread_id, ...row } : { draft_id, ...row };
}
