import { call } from '../../../../src/engine/operation/call.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, toToolResult } from '../../tool.ts';
import { outputSchema, READING_TOOL } from '../kit.ts';

interface MailboxAccount {
  id: number;
  name: string;
  email: string;
  kind: string;
  role: string;
  unread: number;
}

interface MailboxPart {
  id: number;
  account_id: number;
}

export const mailboxListTool = defineTool({
  name: 'mailbox_list',
  title: 'List mailboxes',
  description: "Lists the user's mailboxes with folders, labels and unread counts. Start here for mail.",
  inputSchema: inputSchema({ include_labels: { type: 'boolean', default: true } }),
  ...READING_TOOL,
  outputSchema: outputSchema({ mailboxes: { type: 'array', items: { type: 'object' } } }),
  group: 'mail',
  method: 'get_mailbox_state',
  run: async ({ ctx, args }) => {
    const state = await call(ctx, 'mailState', {});
    const folders = Map.groupBy(state.folders as MailboxPart[], ({ account_id }) => account_id);
    const labels = Map.groupBy(state.labels as MailboxPart[], ({ account_id }) => account_id);
    const mailboxes = (state.accounts as MailboxAccount[]).map(({ id, name, email, kind, role, unread }) => ({
      account_id: id,
      name,
      email,
      kind,
      role,
      unread,
      folders: toPartRows(folders.get(id), 'folder_id'),
      ...(args.include_labels && { labels: toPartRows(labels.get(id), 'label_id') }),
    }));
    return toToolResult({ mailboxes }, mailboxes.length);
  },
});

const toPartRows = (parts: MailboxPart[] = [], key: string) =>
  parts.map(({ id, account_id: _, ...rest }) => ({ [key]: id, ...rest }));
