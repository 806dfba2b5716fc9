import { GraphQLBoolean } from 'graphql';
import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { InitialRule } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { computeKeyedHash, generateKey } from '../../../src/engine/value/keys.ts';
import { errors } from '../../../src/errors.ts';
import { readResourceById, returnResource } from '../../settings/read-resource.ts';
import { parseRowId } from '../../settings/where.ts';
import { type AgentKeyBounds, buildAgentKeyArguments, validateBounds } from '../agent-bounds.ts';
import { rejectAgents } from '../reject-agents.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { checkNewKey, limitKeyExpiry } from './key-limits.ts';
import { ApiKey, KeyPermission, keyResource } from './key-resource.ts';

export const keyRules: InitialRule[] = [
  { name: 'own keys', group: 'base.group_user', domain: "[('user_id', '=', user.id)]" },
  { name: 'every key', group: ADMIN_GROUP, domain: '[]' },
];

defineModel('svc.api.key', {
  group: 'data',
  order: 'id desc',
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
  rules: keyRules,
  computed: {
    last_used_at: {
      type: 'datetime',
      label: 'Last used on',
      help: 'Accurate to the minute.',
      sql: (row, context) =>
        sql`(select u.used_at from svc_api_key_use u
          where u.workspace_id = ${context.workspace} and u.key_id = ${row}.id)`,
    },
  },
  graph: { type: 'ApiKey', one: 'apiKey', many: 'apiKeys', prisma: true },
});

export const SCOPES_BY_PERMISSION = { FULL: [], READ: ['read'], SENDING: ['send'] } satisfies Record<
  string,
  string[]
>;

export const getPermission = (scopes: string[]): string =>
  Object.entries(SCOPES_BY_PERMISSION).find(([, ownScopes]) => ownScopes.join() === scopes.join())?.[0] ??
  scopes.join(' ');

const isAdmin = (ctx: Ctx): boolean => ctx.sudo || ctx.principal!.groups.has(ADMIN_GROUP);

export const NewKey = builder.objectRef<{ key: string; id: number; prefix: string }>('NewKey').implement({
  description: 'A new API key. Its value cannot be read again.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The key itself.' }),
    id: t.exposeID('id', { description: 'Unique identifier.' }),
    prefix: t.exposeString('prefix', { description: 'First characters of the key, to identify it.' }),
    apiKey: t.field({
      type: ApiKey,
      nullable: true,
      description: 'The key as shown in lists. Null if you cannot read it.',
      resolve: ({ id }, _args, ctx, info) => readResourceById(ctx, keyResource, id, info) as never,
    }),
  }),
});

export const keyCreate = defineOperation('keyCreate', {
  kind: 'mutation',
  effects: ['writes', 'grants', 'secret'],
  policy: { auth: ['USER'], scope: 'write', audit: 'key.create' },
  description:
    'Creates an API key for the caller. Administrators can also create keys for other users and, with ' +
    '`team`, for the workspace (email REST API).',
  args: (arg) => ({
    name: arg.string({ required: true, description: 'Name shown in the list of keys.' }),
    userId: arg.recordId({ description: 'User that owns the key. Defaults to the caller.' }),
    team: arg.boolean({
      defaultValue: false,
      description: 'True to create a workspace key for the email REST API.',
    }),
    readOnly: arg.boolean({
      defaultValue: false,
      description: 'True to create a read-only key. Equivalent to the permission READ.',
    }),
    permission: arg({ type: KeyPermission, description: 'Permission of the key. Defaults to FULL.' }),
    domainId: arg.recordId({
      description:
        'Sending domain to bind a workspace key to. The key cannot access emails or settings of other domains.',
    }),
    expiresInDays: arg.int({
      description:
        'Number of days until the key expires. Required if your groups limit the lifetime of keys, unless you ' +
        'are an administrator. Otherwise, the key never expires by default. If you authenticate with a key, ' +
        'the new key cannot outlive that key, and by default expires at the same time.',
    }),
    ...buildAgentKeyArguments(arg),
  }),
  type: NewKey,
  async run(ctx, { name, userId, team, readOnly, permission, domainId, expiresInDays, ...bounds }) {
    const ownerId = userId == null ? ctx.principal!.userId : parseRowId(userId);
    await rejectAgents(ctx);
    if (team && userId)
      throw errors.badRequest('userId and team cannot be combined, because a workspace key has no user.');
    const owner = team ? null : ownerId;
    if (owner !== ctx.principal!.userId && !isAdmin(ctx))
      throw errors.notAllowed('Only an administrator can create keys for others.');
    const keyPermission = permission ?? (readOnly ? 'READ' : 'FULL');
    if (readOnly && keyPermission !== 'READ')
      throw errors.badRequest('readOnly and permission contradict each other. Omit one of them.');
    if (!isAdmin(ctx))
      await checkNewKey(ctx, expiresInDays ? new Date(Date.now() + expiresInDays * 86_400_000) : null);
    return createKey(ctx, {
      name,
      userId: owner,
      scopes: SCOPES_BY_PERMISSION[keyPermission],
      domainId: domainId == null ? null : parseRowId(domainId),
      days: expiresInDays ?? null,
      agent: validateBounds(bounds),
    });
  },
});

interface KeyRequest {
  name: string;
  /** Null for a workspace key. */
  userId: number | null;
  /** Empty for unrestricted access. */
  scopes: string[];
  domainId?: number | null;
  days: number | null;
  /** Null for no expiry, undefined for the latest allowed expiry. */
  until?: Date | null;
  /** True if the caller has confirmed the password. The new key may then outlast the caller's key. */
  isProved?: boolean;
  agent?: AgentKeyBounds;
}

/**
 * Creates a key. If neither `days` nor `until` is given, the key expires together with the caller's key. Does not check
 * permissions.
 * @throws USER_ERROR if the key would outlast the caller's, NOT_FOUND if the workspace has no such user or domain
 */
export async function createKey(
  ctx: Ctx,
  keyRequest: KeyRequest,
): Promise<{ key: string; id: number; prefix: string }> {
  if (keyRequest.days !== null && !(keyRequest.days >= 1 && keyRequest.days <= 36_500))
    throw errors.badRequest('The lifetime of a key must be from 1 to 36500 days.');
  if (!keyRequest.name.trim()) throw errors.badRequest('A key name is required.');
  if (keyRequest.domainId && keyRequest.userId !== null)
    throw errors.badRequest('Only a workspace key can be bound to a domain.');
  const {
    toolGroups = null,
    callsPerDay = null,
    sendsPerDay = null,
    changesPerDay = null,
  } = keyRequest.agent ?? {};
  if (keyRequest.userId === null && (toolGroups ?? callsPerDay ?? sendsPerDay ?? changesPerDay) !== null)
    throw errors.badRequest("Only a user's key can be limited to MCP tools or have daily limits for agents.");
  const { key, prefix } = generateKey(keyRequest.userId === null ? 'us' : 'uk', ctx.workspace.id);
  const workspace = sql.param(ctx.workspace.id);
  const user = sql.param(keyRequest.userId);
  const domain = sql.param(keyRequest.domainId ?? null);
  const hash = computeKeyedHash(ctx.runtime.config.secretKey, key);
  const end =
    keyRequest.days === null ? keyRequest.until : new Date(Date.now() + keyRequest.days * 86_400_000);
  const expiry = keyRequest.isProved ? end : await limitKeyExpiry(ctx, end);
  const expires = expiry ? toInstant(expiry) : null;
  const rows = await ctx.db.rows<{ id: number }>(
    sql`insert into svc_api_key (workspace_id, id, name, user_id, prefix, hash, scopes, expires_at, domain_id,
       tool_groups, calls_per_day, sends_per_day, changes_per_day)
     select ${workspace}, ${await allocateId(ctx, 'svc_api_key')}, ${keyRequest.name}, ${user}, ${prefix}, ${hash},
       ${keyRequest.scopes}, ${expires}::timestamp, ${domain}, ${toolGroups ?? []}::text[], ${callsPerDay}::int,
       ${sendsPerDay}::int, ${changesPerDay}::int
     where (${user}::int is null or exists (
         select 1 from res_users where workspace_id = ${workspace} and id = ${user}))
       and (${domain}::int is null or exists (
         select 1 from svc_domain where workspace_id = ${workspace} and id = ${domain} for key share))
     returning id`,
  );
  if (!rows[0]) throw errors.notFound(keyRequest.domainId ? 'Domain' : 'User');
  return { key, prefix, id: rows[0].id };
}

/** Drops the `Z`, because timestamp columns have no time zone and store UTC. */
const toInstant = (time: Date): string => time.toISOString().slice(0, 23);

export const keyRevoke = defineOperation('keyRevoke', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  policy: { auth: ['USER'], scope: 'write', audit: 'key.revoke' },
  description: 'Revokes an API key permanently and returns it. Takes effect immediately.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Key id.' }) }),
  type: ApiKey,
  returns: GraphQLBoolean,
  nullable: true,
  run: (ctx, { id }) => revokeKey(ctx, parseRowId(id), isAdmin(ctx) ? null : ctx.principal!.userId),
  answer: (ctx, _done, { id }, info) => returnResource(ctx, keyResource, id, info),
});

/** @param owner id of the user whose keys may be revoked; null allows any key in the workspace @throws NOT_FOUND */
export async function revokeKey(ctx: Ctx, id: number, owner: number | null): Promise<true> {
  const rows = await ctx.db.rows(
    sql`update svc_api_key set revoked_at = coalesce(revoked_at, ${toInstant(new Date())}::timestamp)
     where workspace_id = ${ctx.workspace.id} and id = ${id} and (${owner}::int is null or user_id = ${owner})
     returning id, workspace_id`,
  );
  if (rows.length === 0) throw errors.notFound('Key');
  ctx.afterCommit(() => ctx.runtime.identity.invalidate(ctx.workspace.id));
  return true;
}
