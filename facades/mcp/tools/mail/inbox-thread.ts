import { call } from '../../../../src/engine/verb/call.ts';
import type { Verbs } from '../../../../src/engine/verb/verb.ts';
import { limits } from '../../../../src/limits.ts';
import { defineTool, READS, toolAnswer } from '../../tool.ts';
import { answers, ID, takes } from '../kit.ts';

interface Args {
  entry_id: number;
  max_messages: number;
}

export const inboxThreadTool = defineTool<Args>({
  name: 'inbox_thread',
  title: 'Read a conversation',
  description:
    'Returns the newest messages of a conversation, oldest first, as plain text: at most ' +
    `${limits.mail.plainEach} characters each and ${limits.mail.plainAll} in all. Marks nothing as read.`,
  inputSchema: takes(
    {
      entry_id: ID('Any message of the conversation.'),
      max_messages: {
        type: 'integer',
        minimum: 1,
        default: 20,
        description: `Up to ${limits.mail.plainMessages}.`,
      },
    },
    ['entry_id'],
  ),
  outputSchema: answers({ messages: { type: 'array', items: { type: 'object' } } }),
  annotations: READS,
  scope: 'read',
  effects: ['reads'],
  group: 'mail',
  method: 'get_thread',
  run: async ({ ctx, args }) => {
    const { entry_id: entryId, max_messages: maxMessages } = args;
    const thread = await call(ctx, 'mailThreadPlain', { entryId, maxMessages });
    const messages = thread.messages.map(messageOf);
    const left_out = {
      older_messages: thread.older_left_out,
      bodies_cut: thread.texts_cut,
      characters: thread.chars_left_out,
    };
    const members = { thread_id: thread.thread_id, messages, total: thread.count, left_out };
    return toolAnswer(members, messages.length);
  },
});

const messageOf = (message: Verbs['mailMessagePlain']['value']) => ({
  entry_id: message.entry_id,
  from_name: message.from_name,
  from_email: message.from_email,
  subject: message.subject,
  date: message.date,
  body: message.body_text,
  body_truncated: message.is_cut,
  attachments: message.attachments.map(({ name }) => name),
  verdicts: message.verdicts,
});
