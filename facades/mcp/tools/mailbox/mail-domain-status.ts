import { call } from '../../../../src/engine/operation/call.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, toToolResult } from '../../tool.ts';
import { buildTextSchema, READING_TOOL } from '../kit.ts';

export const mailDomainStatusTool = defineTool({
  name: 'mail_domain_status',
  title: 'Check mail domains',
  description: 'Lists sending domains with their verification status and DNS records.',
  inputSchema: inputSchema({ domain: buildTextSchema('Part of a domain name.') }),
  ...READING_TOOL,
  group: 'mail',
  role: 'mail administrator',
  method: null,
  run: async ({ ctx, args }) => {
    const { domains, note } = await call(ctx, 'mailDomainStates', { name: args.domain ?? '' });
    return toToolResult({ domains, note }, domains.length);
  },
});
