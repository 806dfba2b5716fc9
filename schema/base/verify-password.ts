import { memoizePerObject } from '../../src/cache.ts';
import { sql } from '../../src/db/sql.ts';
import { recordAuditEvent } from '../../src/engine/ctx/audit.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import {
  type AttemptKey,
  clearFailures,
  computeCooldowns,
  type FailureHistory,
  isCoolingDown,
  MAX_AUDITED_FAILURES,
  MAX_SIGN_IN_FAILURES,
  readFailures,
  recordFailure,
  shouldAuditFailure,
} from '../../src/engine/identity/failures.ts';
import { createTally } from '../../src/engine/identity/tally.ts';
import { verifyPassword } from '../../src/engine/value/keys.ts';
import { errors } from '../../src/errors.ts';

const getRunningChecks = memoizePerObject((_runtime: Runtime) => createTally());

/**
 * Returns true if `password` is the calling user's password. Failures are counted in the database and audited like
 * failed sign-ins, so that the holder of another user's key cannot guess the password.
 * @throws ACCESS_DENIED during the cooldown after failures
 */
export async function verifyOwnPassword(ctx: Ctx, password: string): Promise<boolean> {
  const userId = ctx.principal!.userId!;
  const attemptKey = buildFailureKey(ctx.workspace.id, userId);
  const running = getRunningChecks(ctx.runtime);
  const counterKey = `${ctx.workspace.id} ${userId}`;
  const counts = await readFailures(ctx.db, attemptKey);
  if (isCoolingDown(computeCooldowns(counts, running.of(counterKey)))) throw errors.tooManyLogins();
  const end = running.begin(counterKey);
  let isRight: boolean | null = null;
  try {
    isRight = await isUserPassword(ctx, userId, password);
  } finally {
    // The attempt counts as running until its failure is recorded. The failure is recorded after the transaction ends,
    // because an error must not roll back the count.
    await ctx.afterEnd(() =>
      (isRight === false ? recordWrongPassword(ctx, attemptKey) : Promise.resolve()).finally(end),
    );
  }
  if (isRight && counts.pair.failures > 0) await clearFailures(ctx.db, attemptKey);
  return isRight;
}

/** Counts per user, so that switching keys does not reset the count. */
const buildFailureKey = (workspaceId: number, userId: number): AttemptKey => ({
  workspaceId,
  user: `user ${userId}`,
  source: `the account of user ${userId}`,
});

async function isUserPassword(ctx: Ctx, userId: number, password: string): Promise<boolean> {
  const [user] = await ctx.db.rows<{ password: string | null }>(
    sql`select password from res_users where workspace_id = ${ctx.workspace.id} and id = ${userId}`,
  );
  return verifyPassword(password, user?.password ?? null, ctx.runtime.config.passwordCost, String(userId));
}

async function recordWrongPassword(ctx: Ctx, attemptKey: AttemptKey): Promise<void> {
  const counts = await recordFailure(ctx.runtime.db, attemptKey);
  if (!ctx.nested && shouldAuditFailure({ ...counts, source: { failures: 0 } }))
    await auditWrongPassword(ctx, counts);
}

/** Records a wrong password in the audit log. Audited calls record the failure themselves. */
async function auditWrongPassword(ctx: Ctx, { pair, all }: FailureHistory): Promise<void> {
  const args = {
    ...(pair.failures > MAX_SIGN_IN_FAILURES && { failures: pair.failures }),
    ...(all.failures > MAX_AUDITED_FAILURES && { failuresOfWorkspace: all.failures }),
  };
  const event = { name: 'password.check', args };
  await recordAuditEvent(ctx, ctx.runtime.db, event, errors.accessDenied()).catch((failure) =>
    ctx.log.error({ err: failure }, 'could not write an audit entry'),
  );
}
