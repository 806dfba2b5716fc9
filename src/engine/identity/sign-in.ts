import { createCache, memoizePerObject } from '../../cache.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { recordAuditEvent } from '../ctx/audit.ts';
import { createCtx } from '../ctx/ctx.ts';
import type { Caller, FailureCounts, Runtime, UserMatch } from '../ctx/runtime.ts';
import type { Workspace } from '../ctx/workspace.ts';
import type { Channel } from '../model/principal.ts';
import { parseKeyPrefix } from '../value/keys.ts';
import { delayResponse } from './delay.ts';
import { isSampled, MAX_AUDITED_FAILURES, MAX_SIGN_IN_FAILURES, shouldAuditFailure } from './failures.ts';

/** Number of wrong keys from one address before responses are delayed. */
export const MAX_KEY_FAILURES = 50;

export interface SignInOrigin {
  channel: Channel;
  /** IP address. */
  source: string;
  requestId: string;
  userAgent?: string | null;
}

interface SignInCredentials {
  slug: string;
  match: UserMatch;
  /** The password, or one of the user's keys. */
  secret: string;
}

/**
 * Finds a user by login or id, and by password or key. Null if they do not match. Records failures in the audit trail,
 * and samples repeated ones.
 * @throws ACCESS_DENIED during a cooldown, BUSY if too many attempts are running
 */
export async function authenticateUser(
  runtime: Runtime,
  credentials: SignInCredentials,
  from: SignInOrigin,
): Promise<Caller | null> {
  const { slug, match, secret } = credentials;
  const onFailure = async (counts: FailureCounts) => {
    if (shouldAuditFailure(counts))
      await recordFailedSignIn(runtime, await runtime.identity.workspace(slug), match, counts, from);
  };
  const caller = await runtime.identity.byUser(slug, match, secret, {
    source: from.source,
    failed: onFailure,
  });
  if (!caller && parseKeyPrefix(secret) !== null) await recordWrongKey(runtime, secret, from);
  return caller;
}

/** A sign-in on the web opens a session. Other protocols send credentials with each call or connection. */
const getEventName = ({ channel }: SignInOrigin): string => (channel === 'web' ? 'session.open' : 'sign.in');

async function recordFailedSignIn(
  runtime: Runtime,
  workspace: Workspace | null,
  { login, uid }: UserMatch,
  { pair, source, all }: FailureCounts,
  from: SignInOrigin,
): Promise<void> {
  if (!workspace) return;
  const { sourceFailures } = limits.identity;
  const args = {
    login: login?.slice(0, MAX_LOGIN_LENGTH) ?? uid,
    source: from.source,
    ...(pair.failures > MAX_SIGN_IN_FAILURES && { failures: pair.failures }),
    ...(source.failures > sourceFailures && { failuresOfSource: source.failures }),
    ...(all.failures > MAX_AUDITED_FAILURES && { failuresOfWorkspace: all.failures }),
  };
  await writeSignInEvent(runtime, workspace, null, from, args, errors.accessDenied());
}

const MAX_LOGIN_LENGTH = 100;

async function writeSignInEvent(
  runtime: Runtime,
  workspace: Workspace,
  principal: Caller['principal'] | null,
  from: SignInOrigin,
  args: object,
  error: unknown,
): Promise<void> {
  const { channel, requestId } = from;
  const ctx = createCtx(runtime, { workspace, principal, channel, requestId });
  await recordAuditEvent(ctx, ctx.db, { name: getEventName(from), args }, error).catch((failure) =>
    ctx.log.error({ err: failure }, 'could not write an audit entry'),
  );
}

const getWrongKeyCounts = memoizePerObject((_runtime: Runtime) =>
  createCache<string, number>({ age: limits.identity.failureTime, entries: limits.identity.entries }),
);

/**
 * Counts a wrong key, and delays the response to a source that tries many. Keys cannot be guessed, so a valid key from
 * the same address is never delayed.
 * @throws BUSY if too many responses are being delayed
 */
export async function recordWrongKey(runtime: Runtime, key: string, from: SignInOrigin): Promise<void> {
  const counts = getWrongKeyCounts(runtime);
  const count = (counts.get(from.source) ?? 0) + 1;
  counts.set(from.source, count);
  if (isSampled(count, MAX_KEY_FAILURES)) await recordKeyEvent(runtime, key, count, from);
  if (count > MAX_KEY_FAILURES) await delayResponse(limits.identity.keyDelay);
}

/** Records a revoked or expired key. An unknown key belongs to no workspace, so no audit trail can record it. */
async function recordKeyEvent(
  runtime: Runtime,
  key: string,
  count: number,
  from: SignInOrigin,
): Promise<void> {
  const owner = await runtime.identity.findKeyOwner(key);
  const args = {
    prefix: parseKeyPrefix(key),
    source: from.source,
    ...(count > 1 && { failuresOfSource: count }),
  };
  if (owner) await writeSignInEvent(runtime, owner.workspace, null, from, args, errors.invalidKey());
}

const SIGN_IN_INTERVAL_SECONDS = 60;
const AUDIT_INTERVAL_MS = 3_600_000;

const getRecordedUses = memoizePerObject((_runtime: Runtime) => ({
  logs: createCache<string, true>({ age: SIGN_IN_INTERVAL_SECONDS * 1000, entries: limits.identity.entries }),
  lines: createCache<string, true>({ age: AUDIT_INTERVAL_MS, entries: limits.identity.entries }),
}));

/**
 * Records a sign-in without a session, as in classic RPC and SMTP. Many clients sign in before each call, so a sign-in
 * is recorded at most once a minute, and audited at most once an hour per address.
 */
export async function recordStatelessSignIn(
  runtime: Runtime,
  caller: Caller,
  from: SignInOrigin,
): Promise<void> {
  const { logs, lines } = getRecordedUses(runtime);
  const { userId, keyId, login } = caller.principal;
  const useKey = `${caller.workspace.id} ${userId} ${keyId}`;
  const line = `${useKey} ${from.channel} ${from.source}`;
  if (!lines.get(line)) {
    lines.set(line, true);
    const args = { login, source: from.source, ...(keyId !== null && { keyId }) };
    await writeSignInEvent(runtime, caller.workspace, caller.principal, from, args, null);
  }
  if (userId === null || logs.get(useKey)) return;
  logs.set(useKey, true);
  await runtime.identity.noteSignIn(runtime.db, caller, SIGN_IN_INTERVAL_SECONDS);
}
