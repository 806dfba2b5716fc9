import { sql } from '../../../src/db/sql.ts';
import { runAudited } from '../../../src/engine/ctx/audit.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { isInstant, parseTimestamp } from '../../../src/engine/value/instant.ts';
import { errors } from '../../../src/errors.ts';
import { rejectAgents } from '../reject-agents.ts';
import { checkNewKey, limitKeyExpiry } from './key-limits.ts';
import { createKey, keyRules, revokeKey } from './keys.ts';

/** Users' active keys, in the model that Odoo's clients use. */
defineModel('res.users.apikeys', {
  group: 'data',
  shape: 'SvcApiKey',
  order: 'id desc',
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
  rules: [
    { name: 'keys of users that live', domain: "[('user_id', '!=', False), ('revoked_at', '=', False)]" },
    ...keyRules,
  ],
  computed: {
    scope: {
      type: 'char',
      label: 'Scope',
      help: 'Scope of the key. `rpc` allows everything the user may do.',
      sql: (row) => sql`coalesce(nullif(array_to_string(${row}.scopes, ','), ''), 'rpc')`,
    },
    expiration_date: { type: 'datetime', label: 'Expiration Date', sql: (row) => sql`${row}.expires_at` },
  },
});

const policy: Policy = { auth: ['USER'], scope: 'write' };

export const userKeyGenerate = defineOperation('userKeyGenerate', {
  kind: 'mutation',
  effects: ['writes', 'grants', 'secret'],
  address: 'res.users.apikeys/generate',
  policy,
  description:
    'Creates an API key for the calling user, authenticated by an existing key. The new key is returned only once.',
  args: (arg) => ({
    key: arg.string({ required: true, description: 'An existing key of the calling user.' }),
    scope: arg.string({ description: '`rpc` (default) for full access, `read` for a read-only key.' }),
    name: arg.string({ required: true, description: 'Name shown in the list of keys.' }),
    expirationDate: arg.string({
      description:
        'Expiry as a date or UTC time, no later than the expiry of the existing key. By default, the key ' +
        'expires with the existing key, or never if the user may create keys without an expiry.',
    }),
  }),
  type: 'String',
  // Audited here instead of by the policy, so that the key is not logged.
  run: (ctx, { key, name, scope, expirationDate: end }) =>
    runAudited(ctx, 'key.create', { name, scope, until: end }, async (inner) => {
      await rejectAgents(inner);
      const keyId = await getOwnKeyId(inner, key);
      return generate(inner, name, parseScopes(scope), await limitKeyExpiry(inner, parseExpiry(end), keyId));
    }),
});

export const userKeyRevoke = defineOperation('userKeyRevoke', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  address: 'res.users.apikeys/revoke',
  policy,
  description: 'Revokes a key of the calling user. Takes effect immediately.',
  args: (arg) => ({ key: arg.string({ required: true, description: 'The key to revoke.' }) }),
  type: 'Boolean',
  run: (ctx, { key }) =>
    runAudited(ctx, 'key.revoke', {}, async (inner) => revokeKey(inner, await getOwnKeyId(inner, key), null)),
});

/** @returns the key's id @throws ACCESS_DENIED unless it is an active, unlimited key of the caller */
async function getOwnKeyId(ctx: Ctx, key: string): Promise<number> {
  const caller = await ctx.runtime.identity.byKey(key);
  const isOwn =
    caller?.workspace.id === ctx.workspace.id && caller.principal.userId === ctx.principal!.userId;
  // A limited key must not create a key with more rights.
  const { scopes, agentKey } = caller?.principal ?? {};
  if (!isOwn || scopes || agentKey || ctx.principal!.scopes) throw errors.accessDenied();
  return caller.principal.keyId!;
}

const parseScopes = (scope: string | null | undefined): string[] =>
  !scope || scope === 'rpc' ? [] : [scope];

function parseExpiry(text: string | null | undefined): Date | undefined {
  if (!text) return undefined;
  if (!isInstant(text)) throw errors.wrongArgument('expiration_date', text.slice(0, 40));
  if (parseTimestamp(text) <= Date.now()) throw errors.user("The 'expiration_date' must be in the future.");
  return new Date(parseTimestamp(text));
}

async function generate(ctx: Ctx, name: string, scopes: string[], expiry: Date | null): Promise<string> {
  await checkNewKey(ctx, expiry);
  const keyRequest = { name, userId: ctx.principal!.userId!, scopes, days: null, until: expiry ?? undefined };
  return (await createKey(ctx, keyRequest)).key;
}
