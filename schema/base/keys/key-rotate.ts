import { sql } from '../../../src/db/sql.ts';
import { runAudited } from '../../../src/engine/ctx/audit.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { parseRowId } from '../../settings/where.ts';
import type { AgentKeyBounds } from '../agent-bounds.ts';
import { rejectAgents } from '../reject-agents.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { verifyOwnPassword } from '../verify-password.ts';
import { checkNewKey } from './key-limits.ts';
import { createKey, NewKey } from './keys.ts';

/** Maximum time that the old key remains valid after a rotation. */
const MAX_ROTATION_HOURS = 720;
const DEFAULT_OVERLAP_HOURS = 24;

export const keyRotate = defineOperation('keyRotate', {
  kind: 'mutation',
  effects: ['writes', 'grants', 'secret'],
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Replaces a key with a new one that has the same name, owner, permission, limits and expiry. The old ' +
    'key keeps working for a few hours. Administrators can rotate the keys of other users and workspace ' +
    'keys.',
  args: (arg) => ({
    id: arg.recordId({ required: true, description: 'Id of the key to replace.' }),
    overlapHours: arg.int({
      defaultValue: DEFAULT_OVERLAP_HOURS,
      description: `Number of hours that the old key keeps working, from 0 to ${MAX_ROTATION_HOURS}.`,
    }),
    password: arg.string({
      description:
        'Your password. With it, the new key gets the full lifetime of the old key. Without it, the new key ' +
        'expires when the old key would have expired.',
    }),
  }),
  type: NewKey,
  // Audited here instead of by the policy, so that the password is not logged.
  run: (ctx, { id, overlapHours, password }) =>
    runAudited(ctx, 'key.rotate', { id, overlapHours }, async (inner) => {
      await rejectAgents(inner);
      const { groups, scopes, keyId, userId } = inner.principal!;
      const key = parseRowId(id);
      if (scopes && keyId !== key)
        throw errors.notAllowed('A key with limited scopes cannot rotate other keys.');
      const isRenewed = typeof password === 'string';
      if (isRenewed && !(await verifyOwnPassword(inner, password)))
        throw errors.user('Incorrect password, try again.');
      const owner = groups.has(ADMIN_GROUP) ? null : userId;
      return rotateKey(inner, key, { overlapHours: overlapHours ?? DEFAULT_OVERLAP_HOURS, owner, isRenewed });
    }),
});

interface KeyRow {
  name: string;
  user_id: number | null;
  scopes: string[];
  domain_id: number | null;
  /** Lifetime in days. Null if the key never expires. */
  days: number | null;
  /** Expiry as a Unix timestamp in milliseconds. Null if the key never expires. */
  endsAt: number | null;
  toolGroups: AgentKeyBounds['toolGroups'];
  callsPerDay: number | null;
  sendsPerDay: number | null;
  changesPerDay: number | null;
}

interface RotationOptions {
  overlapHours: number;
  /** Id of the user whose keys may be rotated. Null allows any key in the workspace. */
  owner: number | null;
  /** True to give the new key the old key's full lifetime, counted from now. Otherwise it keeps the old expiry. */
  isRenewed: boolean;
}

/** @throws BAD_VALUE, or NOT_FOUND if the key does not exist, has expired or was revoked */
export async function rotateKey(ctx: Ctx, id: number, { overlapHours, owner, isRenewed }: RotationOptions) {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > MAX_ROTATION_HOURS)
    throw errors.badValue(`overlapHours: must be a whole number from 0 to ${MAX_ROTATION_HOURS}`);
  const workspace = sql.param(ctx.workspace.id);
  const ownerId = sql.param(owner);
  const [oldKey] = await ctx.db.rows<KeyRow>(
    sql`select name, user_id, scopes, domain_id, nullif(tool_groups, '{}') as "toolGroups",
       calls_per_day as "callsPerDay", sends_per_day as "sendsPerDay", changes_per_day as "changesPerDay",
       case when expires_at is not null
         then greatest(1, round(extract(epoch from expires_at - create_date) / 86400))::int end as days,
       (extract(epoch from expires_at) * 1000)::float8 as "endsAt"
     from svc_api_key where workspace_id = ${workspace} and id = ${id} and revoked_at is null
       and (expires_at is null or expires_at > ${computeDatabaseTime(0)}::timestamp)
       and (${ownerId}::int is null or user_id = ${ownerId}) for no key update`,
  );
  if (!oldKey) throw errors.notFound('Key');
  const { name, user_id: userId, scopes, domain_id: domainId, days, endsAt, ...agent } = oldKey;
  const end = isRenewed && days !== null ? Date.now() + days * 86_400_000 : endsAt;
  const expiry = end === null ? null : new Date(end);
  if (owner !== null) await checkNewKey(ctx, expiry);
  const newKey = await createKey(ctx, {
    name,
    userId,
    scopes,
    domainId,
    days: null,
    until: expiry,
    agent,
    isProved: isRenewed,
  });
  const oldId = sql.param(id);
  const newId = sql.param(newKey.id);
  await ctx.db.rows(
    sql`update svc_api_key set replaced_by = ${newId}::int, expires_at = case when id = ${oldId}::int
         then least(expires_at, ${computeDatabaseTime(overlapHours)}::timestamp) else expires_at end
     where workspace_id = ${workspace} and (id = ${oldId}::int or replaced_by = ${oldId}::int)`,
  );
  // The agent keeps its history and the budgets of the day.
  await ctx.db.rows(
    sql`update svc_agent set ref = ${newId}::text
     where workspace_id = ${workspace} and kind = 'key' and ref = ${oldId}::text`,
  );
  ctx.afterCommit(() => ctx.runtime.identity.invalidate(ctx.workspace.id));
  return newKey;
}

/** Drops the `Z`, because timestamp columns have no time zone and store UTC. */
const computeDatabaseTime = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 23);
