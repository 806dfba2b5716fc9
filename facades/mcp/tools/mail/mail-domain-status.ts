import { call } from '../../../../src/engine/verb/call.ts';
import { defineTool, READS, toolAnswer } from '../../tool.ts';
import { answers, TEXT, takes } from '../kit.ts';

export const mailDomainStatusTool = defineTool<{ domain?: string }>({
  name: 'mail_domain_status',
  title: 'Check mail domains',
  description: 'Domains that mail is sent from, whether verified, and their DNS records.',
  inputSchema: takes({ domain: TEXT('Part of a domain name.') }),
  outputSchema: answers(),
  annotations: READS,
  scope: 'read',
  effects: ['reads'],
  group: 'mail',
  role: 'mail administrator',
  method: null,
  run: async ({ ctx, args }) => {
    const { domains, note } = await call(ctx, 'mailDomainStates', { name: args.domain ?? '' });
    return toolAnswer({ domains, note }, domains.length);
  },
});
