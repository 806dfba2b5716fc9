import { createCache, memoizePerObject } from '../../cache.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { recordEvent } from '../ctx/audit.ts';
import { createCtx } from '../ctx/ctx.ts';
import type { Caller, FailureCounts, Runtime, UserMatch } from '../ctx/runtime.ts';
import type { Workspace } from '../ctx/workspace.ts';
import type { Channel } from '../model/principal.ts';
import { parseKeyPrefix } from '../value/keys.ts';
import { delayResponse } from './delay.ts';
import { isAudited, isSampled } from './failures.ts';

// Signing in at every door, and what of it goes to the audit trail.

/** Where somebody signs in from. */
export interface SignInOrigin {
  channel: Channel;
  /** The caller's address. */
  source: string;
  requestId: string;
  /** What a browser calls itself. */
  userAgent?: string | null;
}

/** What somebody shows to sign in with. */
export interface SignInCredentials {
  slug: string;
  match: UserMatch;
  /** The password, or a key of the user. */
  secret: string;
}

/**
 * The user behind login or number and a password or key; null when they do not fit. Failures go to the audit trail,
 * many of them summed up.
 * @throws ACCESS_DENIED while the source has to wait, BUSY when too many try
 */
export async function authenticateUser(
  runtime: Runtime,
  shown: SignInCredentials,
  from: SignInOrigin,
): Promise<Caller | null> {
  const { slug, match, secret } = shown;
  const onFailure = async (counts: FailureCounts) => {
    if (isAudited(counts))
      await recordFailedSignIn(runtime, await runtime.identity.workspace(slug), match, counts, from);
  };
  const caller = await runtime.identity.byUser(slug, match, secret, {
    source: from.source,
    failed: onFailure,
  });
  if (!caller && parseKeyPrefix(secret) !== null) await recordWrongKey(runtime, secret, from);
  return caller;
}

/** Sessions are opened on the web; elsewhere each call, or each connection, brings the credential. */
const getEventName = ({ channel }: SignInOrigin): string => (channel === 'web' ? 'session.open' : 'sign.in');

async function recordFailedSignIn(
  runtime: Runtime,
  workspace: Workspace | null,
  { login, uid }: UserMatch,
  { pair, source, all }: FailureCounts,
  from: SignInOrigin,
): Promise<void> {
  if (!workspace) return;
  const { loginFailures, sourceFailures, auditedFailures } = limits.identity;
  const args = {
    login: login?.slice(0, MAX_LOGIN_LENGTH) ?? uid,
    source: from.source,
    ...(pair.failures > loginFailures && { failures: pair.failures }),
    ...(source.failures > sourceFailures && { failuresOfSource: source.failures }),
    ...(all.failures > auditedFailures && { failuresOfWorkspace: all.failures }),
  };
  await writeEvent(runtime, workspace, null, from, args, errors.accessDenied());
}

const MAX_LOGIN_LENGTH = 100;

async function writeEvent(
  runtime: Runtime,
  workspace: Workspace,
  principal: Caller['principal'] | null,
  from: SignInOrigin,
  args: object,
  error: unknown,
): Promise<void> {
  const { channel, requestId } = from;
  const ctx = createCtx(runtime, { workspace, principal, channel, requestId });
  await recordEvent(ctx, ctx.db, { name: getEventName(from), args }, error).catch((failure) =>
    ctx.log.error({ err: failure }, 'could not write an audit entry'),
  );
}

/** Wrong keys by the address they come from. */
const getWrongKeyCounts = memoizePerObject((_runtime: Runtime) =>
  createCache<string, number>({ age: limits.identity.failureTime, entries: limits.identity.entries }),
);

/**
 * Counts a wrong key. It cannot be guessed, so a right one from the same address is never held up; but who tries
 * many is answered later.
 * @throws BUSY when too many are answered later
 */
export async function recordWrongKey(runtime: Runtime, key: string, from: SignInOrigin): Promise<void> {
  const counts = getWrongKeyCounts(runtime);
  const count = (counts.get(from.source) ?? 0) + 1;
  counts.set(from.source, count);
  if (isSampled(count, limits.identity.keyFailures)) await recordKeyEvent(runtime, key, count, from);
  if (count > limits.identity.keyFailures) await delayResponse(limits.identity.keyDelay);
}

/** Only a key that there was, revoked or expired, belongs to a workspace whose trail could name it. */
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
  if (owner) await writeEvent(runtime, owner.workspace, null, from, args, errors.invalidKey());
}

const SIGN_IN_INTERVAL_SECONDS = 60;
const AUDIT_INTERVAL_MS = 3_600_000;

/** What was noted of whom within that time. */
const getRecordedUses = memoizePerObject((_runtime: Runtime) => ({
  logs: createCache<string, true>({ age: SIGN_IN_INTERVAL_SECONDS * 1000, entries: limits.identity.entries }),
  lines: createCache<string, true>({ age: AUDIT_INTERVAL_MS, entries: limits.identity.entries }),
}));

/**
 * Notes a sign-in that opens no session, as classic RPC and SMTP do: many clients do it before each call, so once a
 * minute, and in the audit trail once an hour for each address.
 */
export async function recordUse(runtime: Runtime, caller: Caller, from: SignInOrigin): Promise<void> {
  const { logs, lines } = getRecordedUses(runtime);
  const { userId, keyId, login } = caller.principal;
  const who = `${caller.workspace.id} ${userId} ${keyId}`;
  const line = `${who} ${from.channel} ${from.source}`;
  if (!lines.get(line)) {
    lines.set(line, true);
    const args = { login, source: from.source, ...(keyId !== null && { keyId }) };
    await writeEvent(runtime, caller.workspace, caller.principal, from, args, null);
  }
  if (userId === null || logs.get(who)) return;
  logs.set(who, true);
  await runtime.identity.noteSignIn(runtime.db, caller, SIGN_IN_INTERVAL_SECONDS);
}
