import { runAudited } from '../../../src/engine/ctx/audit.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { type AgentKeyBounds, buildAgentKeyArguments, validateBounds } from '../agent-bounds.ts';
import { checkNewKey } from '../keys/key-limits.ts';
import { createKey, NewKey, SCOPES_BY_PERMISSION } from '../keys/keys.ts';
import { rejectAgents } from '../reject-agents.ts';
import { verifyOwnPassword } from '../verify-password.ts';

/** See the contract, "Limits". */
const AGENT_KEY_DAYS = 365;

export const agentKeyCreate = defineOperation('agentKeyCreate', {
  kind: 'mutation',
  effects: ['writes', 'grants', 'secret'],
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Creates a key for one of your agents. The key is valid for one year and returned only once. Requires ' +
    'your password.',
  args: (arg) => ({
    password: arg.string({ required: true, description: 'Your password.' }),
    name: arg.string({ description: 'Name shown in the list of keys. Defaults to `Agent`.' }),
    readOnly: arg.boolean({ defaultValue: false, description: 'True to give the agent read-only access.' }),
    ...buildAgentKeyArguments(arg),
  }),
  type: NewKey,
  // Audited here instead of by the policy, so that the password is not logged.
  run: (ctx, { password, name, readOnly, ...bounds }) =>
    runAudited(ctx, 'key.create', { name, agent: true, ...bounds }, async (inner) => {
      if (inner.principal!.scopes) throw errors.accessDenied();
      await rejectAgents(inner);
      if (!(await verifyOwnPassword(inner, password))) throw errors.user('Incorrect password, try again.');
      return create(inner, name || 'Agent', readOnly === true, bounds);
    }),
});

async function create(ctx: Ctx, name: string, readOnly: boolean, bounds: AgentKeyBounds) {
  await checkNewKey(ctx, new Date(Date.now() + AGENT_KEY_DAYS * 86_400_000));
  const { userId } = ctx.principal!;
  const scopes = readOnly ? SCOPES_BY_PERMISSION.READ : SCOPES_BY_PERMISSION.FULL;
  return createKey(ctx, {
    name,
    userId,
    scopes,
    days: AGENT_KEY_DAYS,
    agent: validateBounds(bounds),
    isProved: true,
  });
}
