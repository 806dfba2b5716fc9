import { errors } from '../../errors.ts';
import { runAudited } from '../ctx/audit.ts';
import { type Ctx, createCtx } from '../ctx/ctx.ts';
import type { Caller, Runtime } from '../ctx/runtime.ts';
import { computeKeyedHash, generateToken } from '../value/keys.ts';
import { authenticateUser, type SignInOrigin } from './sign-in.ts';

interface SignInRequest {
  slug: string;
  login: string;
  password: string;
}

/**
 * Signs a user in, and records success or failure in the workspace's audit trail.
 * @returns the token for the session cookie; null if login and password do not match
 * @throws ACCESS_DENIED during a cooldown, which is not audited, so that a flood cannot fill the table
 */
export async function signIn(
  runtime: Runtime,
  request: SignInRequest,
  from: SignInOrigin,
): Promise<string | null> {
  const { slug, login, password } = request;
  const caller = await authenticateUser(runtime, { slug, match: { login }, secret: password }, from);
  if (!caller) return null;
  // A session has all of its user's rights, so a key with limited scopes must not open one.
  const isNarrow = caller.principal.scopes !== null;
  const ctx = createCtx(runtime, { ...caller, channel: 'web', requestId: from.requestId });
  const event = runAudited(ctx, 'session.open', { login, source: from.source }, async (tx) => {
    if (isNarrow) throw errors.accessDenied();
    return openSession(tx, caller, from);
  });
  return isNarrow ? event.catch(() => null) : event;
}

/** @returns the session token, of which only a hash is stored */
async function openSession(ctx: Ctx, caller: Caller, { source, userAgent }: SignInOrigin): Promise<string> {
  const { identity, config } = ctx.runtime;
  const token = generateToken(caller.workspace.id);
  const session = {
    hash: computeKeyedHash(config.secretKey, token),
    address: source,
    userAgent: userAgent ?? null,
  };
  await identity.openSession(ctx.db, caller, session);
  await identity.noteSignIn(ctx.db, caller, 0);
  return token;
}

/** Ends the session in all processes immediately. Does nothing if it does not exist. */
export async function signOut(runtime: Runtime, token: string, requestId: string): Promise<void> {
  const caller = await runtime.identity.bySession(token);
  if (!caller) return;
  const ctx = createCtx(runtime, { ...caller, channel: 'web', requestId });
  await runAudited(ctx, 'session.close', {}, async (tx) => {
    const hash = computeKeyedHash(runtime.config.secretKey, token);
    await runtime.identity.closeSession(tx.db, caller, hash);
  });
  runtime.identity.invalidate(caller.workspace.id);
}
