import { call } from '../../../../src/engine/operation/call.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, toToolResult } from '../../tool.ts';
import { buildIdSchema, outputSchema, READING_TOOL } from '../kit.ts';

export const inboxMessageTool = defineTool({
  name: 'inbox_message',
  title: 'Read a message',
  description:
    'Returns a message with headers, plain text body and attachment names. Does not mark it as read. If ' +
    '`body_truncated` is true, the raw message at `raw_url` contains the full text.',
  inputSchema: inputSchema({ entry_id: buildIdSchema() }, ['entry_id']),
  ...READING_TOOL,
  outputSchema: outputSchema({ body: { type: 'string' } }),
  group: 'mail',
  method: 'get_entry_detail',
  limitsText: true,
  run: async ({ ctx, args }) => {
    const message = await call(ctx, 'mailMessagePlain', { entryId: args.entry_id });
    const { subject, from_name, from_email, to, cc, bcc, reply_to, date, message_id, in_reply_to, ...other } =
      message;
    const { body_text, body_chars, is_cut, raw_url, ...facts } = other;
    const from = { name: from_name, email: from_email };
    const headers = { from, to, cc, bcc, reply_to, subject, date, message_id, in_reply_to };
    const rest = is_cut || facts.recipients_truncated ? { raw_url } : {};
    const body = { body: body_text, body_chars, body_truncated: is_cut, ...rest };
    return toToolResult({ ...facts, headers, ...body }, 1);
  },
});
