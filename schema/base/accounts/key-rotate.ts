import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { rowNumber } from '../../settings/where.ts';
import type { AgentKeyBounds } from '../agent-bounds.ts';
import { refuseAgents } from '../refuse-agents.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { checkNewKey } from '../users/key-limits.ts';
import { createKey, NewKey } from '../users/keys.ts';

/** Hours that the old secret goes on for where the caller does not say. */
const OVERLAP = 24;

export const keyRotateVerb = verb('keyRotate', {
  kind: 'mutation',
  policy: { auth: ['USER'], scope: 'write', audit: 'key.rotate' },
  description:
    'Creates a key with the name, owner, permission and bounds of another, which then works for some hours more. ' +
    'Administrators can rotate the keys of others and those of the workspace.',
  args: (arg) => ({
    id: arg.recordId({ required: true, description: 'Id of the key to replace.' }),
    overlapHours: arg.int({
      defaultValue: OVERLAP,
      description: `Hours that the old key goes on working, from 0 to ${limits.identity.rotationHours}.`,
    }),
  }),
  type: NewKey,
  async run(ctx, { id, overlapHours }) {
    await refuseAgents(ctx);
    const isAdmin = ctx.principal!.groups.has(ADMIN_GROUP);
    const key = rowNumber(id);
    if (ctx.principal!.scopes && ctx.principal!.keyId !== key)
      throw errors.notAllowed('A key with limited scopes can rotate itself only.');
    return rotateKey(ctx, key, overlapHours ?? OVERLAP, isAdmin ? null : ctx.principal!.userId);
  },
});

interface KeyRow {
  name: string;
  user_id: number | null;
  scopes: string[];
  domain_id: number | null;
  /** Days that the key was to live; null for ever. */
  days: number | null;
  toolGroups: AgentKeyBounds['toolGroups'];
  callsPerDay: number | null;
  sendsPerDay: number | null;
  changesPerDay: number | null;
}

/**
 * Replaces a live key by one that lives as long as the old one was to, counted from now.
 * @param owner only a key of this user; null for any of the workspace
 * @throws BAD_VALUE, NOT_FOUND for a key that is not there, has expired or was revoked
 */
export async function rotateKey(ctx: Ctx, id: number, overlapHours: number, owner: number | null) {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > limits.identity.rotationHours)
    throw errors.badValue(`overlapHours: a whole number from 0 to ${limits.identity.rotationHours}`);
  const workspace = sql.param(ctx.workspace.id);
  const whose = sql.param(owner);
  const [old] = await ctx.db.rows<KeyRow>(
    sql`select name, user_id, scopes, domain_id, nullif(tool_groups, '{}') as "toolGroups",
       calls_per_day as "callsPerDay", sends_per_day as "sendsPerDay", changes_per_day as "changesPerDay",
       ceil(extract(epoch from expires_at - create_date) / 86400)::int as days
     from svc_api_key where workspace_id = ${workspace} and id = ${id} and revoked_at is null
       and (expires_at is null or expires_at > ${instantIn(0)}::timestamp)
       and (${whose}::int is null or user_id = ${whose}) for no key update`,
  );
  if (!old) throw errors.notFound('Key');
  const { name, user_id: userId, scopes, domain_id: domainId, days, ...agent } = old;
  if (owner !== null) await checkNewKey(ctx, days === null ? null : new Date(Date.now() + days * 86_400_000));
  const made = await createKey(ctx, { name, userId, scopes, domainId, days, agent });
  await ctx.db.rows(
    sql`update svc_api_key set expires_at = least(expires_at, ${instantIn(overlapHours)}::timestamp)
     where workspace_id = ${workspace} and id = ${id}`,
  );
  ctx.afterCommit(() => ctx.runtime.identity.forget(ctx.workspace.id));
  return made;
}

/** The columns have no zone, and hold UTC. */
const instantIn = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 23);
