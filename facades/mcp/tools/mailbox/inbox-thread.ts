import { call } from '../../../../src/engine/operation/call.ts';
import type { Operations } from '../../../../src/engine/operation/operation.ts';
import { limits } from '../../../../src/limits.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, toToolResult } from '../../tool.ts';
import { buildIdSchema, outputSchema, READING_TOOL } from '../kit.ts';

export const inboxThreadTool = defineTool({
  name: 'inbox_thread',
  title: 'Read a conversation',
  description:
    'Returns the newest messages of a conversation, oldest first, as plain text of up to ' +
    `${limits.mail.plainEach} characters each and ${limits.mail.plainAll} in total. Does not mark them as ` +
    'read.',
  inputSchema: inputSchema(
    {
      entry_id: buildIdSchema('Any message of the conversation.'),
      max_messages: {
        type: 'integer',
        minimum: 1,
        default: 20,
        description: `Up to ${limits.mail.plainMessages}.`,
      },
    },
    ['entry_id'],
  ),
  ...READING_TOOL,
  outputSchema: outputSchema({ messages: { type: 'array', items: { type: 'object' } } }),
  group: 'mail',
  method: 'get_thread',
  run: async ({ ctx, args }) => {
    const { entry_id: entryId, max_messages: maxMessages } = args;
    const thread = await call(ctx, 'mailThreadPlain', { entryId, maxMessages });
    const messages = thread.messages.map(toThreadMessage);
    const left_out = {
      older_messages: thread.older_left_out,
      bodies_cut: thread.texts_cut,
      characters: thread.chars_left_out,
    };
    const members = { thread_id: thread.thread_id, messages, total: thread.count, left_out };
    return toToolResult(members, messages.length);
  },
});

const toThreadMessage = (message: Operations['mailMessagePlain']['value']) => ({
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
