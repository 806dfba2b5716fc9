import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { selectMemberships } from '../memberships.ts';
import { ADMIN_GROUP } from '../roles.ts';

/** Maximum number of valid keys per user, checked when the user creates a key. */
export const MAX_LIVE_KEYS = 10;

/**
 * Checks that the calling user may create a key. Runs in the transaction that creates it. Service accounts cannot
 * create keys, so that revoking an integration's key ends its access. Portal users cannot create keys, because they use
 * only web pages (Odoo 19).
 * @param expiry null for a key that never expires
 * @throws FORBIDDEN for a service account or a portal user, USER_ERROR if the user has too many active keys, or the key
 * lasts longer than the user's groups allow
 */
export async function checkNewKey(ctx: Ctx, expiry: Date | null): Promise<void> {
  const userId = ctx.principal!.userId!;
  if (!ctx.principal!.groups.has('base.group_user'))
    throw errors.notAllowed(
      'Only internal users can create keys. An administrator or the operator can create keys for others.',
    );
  // Prevents concurrent requests from exceeding the limit.
  await ctx.db.rows(sql`select pg_advisory_xact_lock(hashtext('keys of a user'), ${userId}::int)`);
  const workspace = sql.param(ctx.workspace.id);
  const [row] = await ctx.db.rows<{ live: number; days: number; isService: boolean }>(
    sql`select
       (select count(*)::int from svc_api_key where workspace_id = ${workspace} and user_id = ${userId}
         and revoked_at is null and (expires_at is null or expires_at > now())) as live,
       (select coalesce(max(g.api_key_duration), 0) from res_groups g
         where g.workspace_id = ${workspace} and g.id in (${selectMemberships(workspace, userId)})) as days,
       exists (select 1 from res_users u where u.workspace_id = ${workspace} and u.id = ${userId}
         and u.is_svc_agent) as "isService"`,
  );
  if (row!.isService)
    throw errors.notAllowed(
      'A service account cannot create keys. An administrator or the operator can create them.',
    );
  if (row!.live >= MAX_LIVE_KEYS)
    throw errors.user(`A user may have at most ${MAX_LIVE_KEYS} active keys. Revoke one first.`);
  checkDuration(ctx, expiry, row!.days);
}

/** Enforces the maximum key lifetime of the user's groups. Administrators are exempt. @throws USER_ERROR */
function checkDuration({ principal }: Ctx, expiry: Date | null, days: number): void {
  if (days === 0 || principal!.groups.has(ADMIN_GROUP)) return;
  if (!expiry || expiry.getTime() > Date.now() + days * 86_400_000)
    throw errors.user(`The 'expiration_date' of your keys may be at most ${days} days from now.`);
}

/**
 * Returns the expiry of a key that is created with another key. The new key must not outlast it.
 * @param expiry null for no expiry, undefined for the latest allowed
 * @param keyId the caller's own key
 * @throws USER_ERROR if `expiry` is later than the expiry of the caller's key
 */
export async function limitKeyExpiry(
  ctx: Ctx,
  expiry: Date | null | undefined,
  keyId = ctx.principal?.keyId ?? null,
): Promise<Date | null> {
  const callerExpiry = keyId === null ? null : await getKeyExpiry(ctx, keyId);
  if (callerExpiry === null || expiry === undefined) return expiry ?? callerExpiry;
  if (expiry === null || expiry > callerExpiry)
    throw errors.user(
      `Your own key expires at ${callerExpiry.toISOString()}, so a key created with it cannot expire later. ` +
        'Omit the expiry to use the expiry of your key.',
    );
  return expiry;
}

async function getKeyExpiry({ db, workspace }: Ctx, keyId: number): Promise<Date | null> {
  const [row] = await db.rows<{ endsAt: number | null }>(
    sql`select (extract(epoch from expires_at) * 1000)::float8 as "endsAt" from svc_api_key
     where workspace_id = ${workspace.id} and id = ${keyId}`,
  );
  return row?.endsAt == null ? null : new Date(row.endsAt);
}
