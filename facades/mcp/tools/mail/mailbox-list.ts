import { call } from '../../../../src/engine/verb/call.ts';
import { defineTool, READS, toolAnswer } from '../../tool.ts';
import { answers, takes } from '../kit.ts';

interface Account {
  id: number;
  name: string;
  email: string;
  kind: string;
  role: string;
  unread: number;
}

/** A folder or label, with the mailbox it is of. */
interface Part {
  id: number;
  account_id: number;
}

export const mailboxListTool = defineTool<{ include_labels: boolean }>({
  name: 'mailbox_list',
  title: 'List mailboxes',
  description: "Lists the user's mailboxes with folders, labels and unread counts. Start here for mail.",
  inputSchema: takes({ include_labels: { type: 'boolean', default: true } }),
  outputSchema: answers({ mailboxes: { type: 'array', items: { type: 'object' } } }),
  annotations: READS,
  scope: 'read',
  effects: ['reads'],
  group: 'mail',
  method: 'get_mailbox_state',
  run: async ({ ctx, args }) => {
    const state = await call(ctx, 'mailState', {});
    const folders = Map.groupBy(state.folders as Part[], ({ account_id }) => account_id);
    const labels = Map.groupBy(state.labels as Part[], ({ account_id }) => account_id);
    const mailboxes = (state.accounts as Account[]).map(({ id, name, email, kind, role, unread }) => ({
      account_id: id,
      name,
      email,
      kind,
      role,
      unread,
      folders: partsOf(folders.get(id), 'folder_id'),
      ...(args.include_labels && { labels: partsOf(labels.get(id), 'label_id') }),
    }));
    return toolAnswer({ mailboxes }, mailboxes.length);
  },
});

const partsOf = (parts: Part[] = [], key: string) =>
  parts.map(({ id, account_id: _, ...rest }) => ({ [key]: id, ...rest }));
