import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { InitialRule } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { errors } from '../../../src/errors.ts';
import { revokeKey } from '../keys/keys.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { revokeConnectedAgent } from '../users/connected-agents.ts';

export const agentRules: InitialRule[] = [
  { name: 'own agents', group: 'base.group_user', domain: "[('user_id', '=', user.id)]" },
  { name: 'every agent', group: ADMIN_GROUP, domain: '[]' },
];

defineModel('svc.agent', {
  group: 'data',
  display: 'client_name',
  order: 'last_call_at desc, id desc',
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
  rules: agentRules,
  computed: {
    scope: {
      type: 'char',
      label: 'Scope',
      help: 'Scope of its key or sign-in: `read`, `write`. Null if it may do everything that its user may do.',
      sql: (row, context) =>
        sql`nullif(array_to_string(case ${row}.kind
          when 'key' then (select k.scopes from svc_api_key k
            where k.workspace_id = ${context.workspace} and k.id::text = ${row}.ref)
          else (select c.scopes from svc_connected_agent c
            where c.workspace_id = ${context.workspace} and c.id::text = ${row}.ref) end, ','), '')`,
    },
    name: {
      type: 'char',
      label: 'Name',
      help: 'Name of its sign-in or API key. If unset, the name that the agent reports.',
      sql: (row, words) =>
        sql`coalesce(nullif(case ${row}.kind
          when 'key' then (select k.name from svc_api_key k
            where k.workspace_id = ${words.workspace} and k.id::text = ${row}.ref)
          else (select c.client_name from svc_connected_agent c
            where c.workspace_id = ${words.workspace} and c.id::text = ${row}.ref) end, ''), ${row}.client_name)`,
    },
    connected_id: {
      type: 'char',
      label: 'Connection',
      help: 'Id of the consent that it acts with, a `ConnectedAgent`. Null for an agent with a key.',
      sql: (row) => sql`case when ${row}.kind = 'oauth' then ${row}.ref end`,
    },
    key_name: {
      type: 'char',
      label: 'Key',
      help: 'Name of the API key that it uses. Null for an agent that signs in.',
      sql: (row, context) =>
        sql`(select k.name from svc_api_key k
          where k.workspace_id = ${context.workspace} and ${row}.kind = 'key' and k.id::text = ${row}.ref)`,
    },
  },
  graph: { type: 'Agent', one: 'agent', many: 'agents', writes: false },
});

export const agentRevoke = defineOperation('agentRevoke', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  policy: { auth: ['USER'], scope: 'write', audit: 'agent.revoke' },
  description:
    "Revokes an agent's key or consent and returns the agent. Administrators can revoke any agent. Takes " +
    'effect immediately.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Agent.' }) }),
  ...returnRecord('svc.agent', facadeResult.id, (id: number) => id),
  run: (ctx, { id }) => revokeAgent(ctx, id),
});

async function revokeAgent(ctx: Ctx, id: number): Promise<number> {
  const owner = ctx.principal!.groups.has(ADMIN_GROUP) ? null : ctx.principal!.userId;
  const [agent] = await ctx.db.rows<{ kind: string; ref: string }>(
    sql`update svc_agent set revoked_at = coalesce(revoked_at, ${new Date().toISOString().slice(0, 23)}::timestamp)
     where workspace_id = ${ctx.workspace.id} and id = ${id} and (${owner}::int is null or user_id = ${owner})
     returning kind, ref`,
  );
  if (!agent) throw errors.notFound('Agent');
  if (agent.kind === 'key') await revokeAgentKeys(ctx, Number(agent.ref), owner);
  else await revokeConsents(ctx, Number(agent.ref), owner);
  return id;
}

/** Revokes all consents of the agent's user to its client. */
async function revokeConsents(ctx: Ctx, connectedId: number, owner: number | null): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const consents = await ctx.db.rows<{ id: number }>(
    sql`select c.id from svc_connected_agent n
     join svc_connected_agent c on c.workspace_id = ${workspace} and c.user_id = n.user_id
       and c.client_id = n.client_id
     where n.workspace_id = ${workspace} and n.id = ${connectedId}`,
  );
  for (const { id } of consents) await revokeConnectedAgent(ctx, id, owner);
}

/** Revokes the agent's key, and the keys that it has replaced. */
async function revokeAgentKeys(ctx: Ctx, keyId: number, owner: number | null): Promise<void> {
  const replacedKeys = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_api_key
     where workspace_id = ${ctx.workspace.id} and replaced_by = ${keyId} and revoked_at is null`,
  );
  for (const { id } of [{ id: keyId }, ...replacedKeys]) await revokeKey(ctx, id, owner);
}
