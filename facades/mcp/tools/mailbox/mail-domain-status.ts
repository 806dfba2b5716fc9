import { call } from '../../../../src/engine/operation/call.ts';
import { defineTool, READ_ANNOTATIONS, toToolResult } from '../../tool.ts';
import { buildTextSchema, inputSchema, outputSchema } from '../kit.ts';

export const mailDomainStatusTool = defineTool<{ domain?: string }>({
  name: 'mail_domain_status',
  title: 'Check mail domains',
  description: 'Lists sending domains with their verification status and DNS records.',
  inputSchema: inputSchema({ domain: buildTextSchema('Part of a domain name.') }),
  outputSchema: outputSchema(),
  annotations: READ_ANNOTATIONS,
  scope: 'read',
  effects: ['reads'],
  group: 'mail',
  role: 'mail administrator',
  method: null,
  run: async ({ ctx, args }) => {
    const { domains, note } = await call(ctx, 'mailDomainStates', { name: args.domain ?? '' });
    return toToolResult({ domains, note }, domains.length);
  },
});
