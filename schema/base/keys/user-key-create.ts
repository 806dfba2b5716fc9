import { runAudited } from '../../../src/engine/ctx/audit.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { rejectAgents } from '../reject-agents.ts';
import { verifyOwnPassword } from '../verify-password.ts';
import { checkNewKey } from './key-limits.ts';
import { KeyPermission } from './key-resource.ts';
import { createKey, NewKey, SCOPES_BY_PERMISSION } from './keys.ts';

export const userKeyCreate = defineOperation('userKeyCreate', {
  kind: 'mutation',
  effects: ['writes', 'grants', 'secret'],
  policy: { auth: ['USER'], scope: 'write' },
  description:
    "Creates an API key for the calling user. The key is returned only once. Requires the user's password.",
  args: (arg) => ({
    password: arg.string({ required: true, description: 'Your password.' }),
    name: arg.string({ required: true, description: 'Name shown in the list of keys.' }),
    permission: arg({ type: KeyPermission, description: 'Permission of the key. Defaults to FULL.' }),
    expiresInDays: arg.int({
      description:
        "Number of days until the key expires. Required if the user's groups limit the lifetime of keys, unless " +
        'the user is an administrator. Otherwise, the key never expires by default.',
    }),
  }),
  type: NewKey,
  // Audited here instead of by the policy, so that the password is not logged.
  run: (ctx, { password, name, permission, expiresInDays: days = null }) =>
    runAudited(ctx, 'key.create', { name, permission, days }, async (inner) => {
      if (inner.principal!.scopes) throw errors.accessDenied();
      await rejectAgents(inner);
      if (!name.trim()) throw errors.badRequest('name: a key name is required.');
      if (!(await verifyOwnPassword(inner, password))) throw errors.user('Incorrect password, try again.');
      await checkNewKey(inner, days === null ? null : new Date(Date.now() + days * 86_400_000));
      const { userId } = inner.principal!;
      const scopes = SCOPES_BY_PERMISSION[permission ?? 'FULL'];
      return createKey(inner, { name: name.trim(), userId, scopes, days, isProved: true });
    }),
});
