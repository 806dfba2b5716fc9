import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { returnResource } from '../../settings/read-resource.ts';
import { parseRowId } from '../../settings/where.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { agentResource, ConnectedAgent } from './agent-resource.ts';

defineModel('svc.connected.agent', {
  group: 'data',
  order: 'id desc',
  display: 'client_name',
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
  rules: [
    { name: 'own agents', group: 'base.group_user', domain: "[('user_id', '=', user.id)]" },
    { name: 'every agent', group: ADMIN_GROUP, domain: '[]' },
  ],
  computed: {
    scope: {
      type: 'char',
      label: 'Scope',
      help: 'Scopes that the user has consented to: `read`, `write`.',
      sql: (row) => sql`array_to_string(${row}.scopes, ',')`,
    },
    last_used_at: {
      type: 'datetime',
      label: 'Last used on',
      sql: (row, context) =>
        sql`(select u.used_at from svc_connected_agent_use u
          where u.workspace_id = ${context.workspace} and u.agent_id = ${row}.id)`,
    },
  },
  graph: { type: 'ConnectedAgent', one: 'connectedAgent', many: 'connectedAgents', prisma: true },
});

export const connectedAgentRevoke = defineOperation('connectedAgentRevoke', {
  effects: ['writes', 'deletes'],
  policy: { auth: ['USER'], scope: 'write', audit: 'agent.revoke' },
  description:
    "Withdraws the user's consent to an agent and returns the agent. Its tokens stop working immediately. " +
    "Administrators can revoke other users' agents.",
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Agent id.' }) }),
  type: ConnectedAgent,
  nullable: true,
  run: (ctx, { id }) =>
    revokeConnectedAgent(
      ctx,
      parseRowId(id),
      ctx.principal!.groups.has(ADMIN_GROUP) ? null : ctx.principal!.userId,
    ),
  answer: (ctx, _done, { id }, info) => returnResource(ctx, agentResource, id, info),
});

/** @param user id of the user whose agents may be revoked; null allows any agent in the workspace @throws NOT_FOUND */
export async function revokeConnectedAgent(ctx: Ctx, id: number, user: number | null): Promise<true> {
  const workspace = sql.param(ctx.workspace.id);
  const owner = sql.param(user);
  const now = sql.param(new Date().toISOString().slice(0, 23));
  const [agent] = await ctx.db.rows<{ grant_hash: string }>(
    sql`update svc_connected_agent
     set revoked_at = coalesce(revoked_at, ${now}::timestamp), expires_at = least(expires_at, ${now}::timestamp)
     where workspace_id = ${workspace} and id = ${id} and (${owner}::int is null or user_id = ${owner})
     returning grant_hash`,
  );
  if (!agent) throw errors.notFound('Agent');
  await ctx.db.rows(
    sql`delete from svc_oauth_payload where workspace_id = ${workspace} and grant_hash = ${agent.grant_hash}`,
  );
  ctx.afterCommit(() => ctx.runtime.identity.invalidate(ctx.workspace.id));
  return true;
}

/** Deletes expired codes, tokens and clients. Agents are kept as long as the audit trail mentions them. */
definePurgeJob(
  'oauth-purge',
  '*/5 * * * *',
  {
    table: 'svc_oauth_payload',
    time: 'expires_at',
    before: sql`now()`,
    key: { kind: 'text', hash: 'text' },
  },
  {
    table: 'svc_connected_agent',
    time: 'expires_at',
    before: sql`now() - make_interval(days => ${sql.literal(limits.call.auditDays)})`,
    key: { id: 'bigint' },
  },
);
