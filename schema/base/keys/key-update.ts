import { GraphQLBoolean } from 'graphql';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { returnResource } from '../../settings/read-resource.ts';
import { parseRowId } from '../../settings/where.ts';
import { rejectAgents } from '../reject-agents.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { ApiKey, KeyPermission, keyResource } from './key-resource.ts';
import { SCOPES_BY_PERMISSION } from './keys.ts';

export const keyUpdate = defineOperation('keyUpdate', {
  kind: 'mutation',
  effects: ['writes', 'grants'],
  policy: { auth: ['USER'], scope: 'write', audit: 'key.update' },
  description:
    'Changes the name or permission of an active key and returns the key. Omitted fields keep their ' +
    "values. Takes effect immediately. Only administrators can extend a key's permission, or change " +
    'workspace keys and the keys of other users.',
  args: (arg) => ({
    id: arg.recordId({ required: true, description: 'Key id.' }),
    name: arg.string({ description: 'Name shown in the list of keys.' }),
    permission: arg({ type: KeyPermission, description: 'Permission of the key.' }),
  }),
  type: ApiKey,
  returns: GraphQLBoolean,
  async run(ctx, { id, name, permission }) {
    await rejectAgents(ctx);
    const { scopes, userId, groups } = ctx.principal!;
    // Otherwise a limited key could extend its own scopes.
    if (scopes) throw errors.notAllowed('A key with limited scopes cannot change keys.');
    if (name != null && !name.trim()) throw errors.badRequest('name: a key name is required.');
    const owner = groups.has(ADMIN_GROUP) ? null : userId;
    const scopesOfPermission = permission ? SCOPES_BY_PERMISSION[permission] : null;
    const [key] = await ctx.db.rows<{ scopes: string[] }>(
      sql`select scopes from svc_api_key where ${isLiveKey(ctx, id, owner)}`,
    );
    if (!key) throw errors.notFound('Key');
    // Users must not be able to extend a narrow, long-lived key into one that they may not create.
    if (owner !== null && scopesOfPermission && !areScopesGranted(scopesOfPermission, key.scopes))
      throw errors.notAllowed(
        "Only an administrator can extend a key's permission. Create another key instead.",
      );
    const rows = await ctx.db.rows(
      sql`update svc_api_key set name = coalesce(${name ?? null}, name),
          scopes = coalesce(${scopesOfPermission}::text[], scopes)
       where ${isLiveKey(ctx, id, owner)} and scopes = ${key.scopes}::text[] returning id`,
    );
    if (rows.length === 0) throw errors.notFound('Key');
    ctx.afterCommit(() => ctx.runtime.identity.invalidate(ctx.workspace.id));
    return true;
  },
  answer: (ctx, _done, { id }, info) => returnResource(ctx, keyResource, id, info),
});

const isLiveKey = (ctx: Ctx, id: number, owner: number | null): Sql => sql`
  workspace_id = ${ctx.workspace.id} and id = ${parseRowId(id)} and revoked_at is null
  and (expires_at is null or expires_at > ${new Date().toISOString().slice(0, 23)}::timestamp)
  and (${owner}::int is null or user_id = ${owner})`;

/** An empty list of scopes means that access is not restricted. */
const areScopesGranted = (wantedScopes: string[], scopes: string[]): boolean =>
  scopes.length === 0 || (wantedScopes.length > 0 && wantedScopes.every((scope) => scopes.includes(scope)));
