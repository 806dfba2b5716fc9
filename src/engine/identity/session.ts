import { createCache, perOwner } from '../../cache.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { audited } from '../ctx/audit.ts';
import { type Ctx, createCtx } from '../ctx/ctx.ts';
import type { Caller, Runtime } from '../ctx/runtime.ts';
import { keyedHash, newToken } from '../value/keys.ts';

/** What somebody types to sign in. `source` is what failures are counted by. */
export interface SignIn {
  slug: string;
  login: string;
  password: string;
  source: string;
}

/**
 * Signs a user in; success and failure go to the workspace's audit trail.
 * @returns the token of the session's cookie, null when login and password do not fit
 * @throws ACCESS_DENIED while the source is paused; that leaves no line, so that a flood fills no table
 */
export async function signIn(runtime: Runtime, given: SignIn, requestId: string): Promise<string | null> {
  const { slug, login, password, source } = given;
  const known = await runtime.identity.byLogin(slug, login, password, source);
  // A session may do all its user may: a narrowed key must not widen itself by one.
  const caller = known?.principal.scopes ? null : known;
  const workspace = caller?.workspace ?? (await runtime.identity.workspace(slug));
  if (!workspace) return null;
  const ctx = createCtx(runtime, {
    workspace,
    principal: caller?.principal ?? null,
    channel: 'web',
    requestId,
  });
  const event = audited(ctx, 'session.open', { login, source }, async (tx) => {
    if (!caller) throw errors.accessDenied();
    return openSession(tx, caller);
  });
  return caller ? event : event.catch(() => null);
}

/** Opens a session of a user who has proved who they are. @returns its token; only a hash of it is kept */
async function openSession(ctx: Ctx, caller: Caller): Promise<string> {
  const { identity, config } = ctx.runtime;
  const token = newToken();
  await identity.openSession(ctx.db, caller, keyedHash(config.secretKey, token));
  await identity.noteSignIn(ctx.db, caller, 0);
  return token;
}

const SIGN_IN_SECONDS = 60;

/** Users whose sign-in was noted within that time. */
const noted = perOwner((_runtime: Runtime) =>
  createCache<string, true>({ age: SIGN_IN_SECONDS * 1000, entries: limits.identity.entries }),
);

/**
 * Notes a sign-in that opens no session, as classic RPC does: many clients do it before each call, so once a minute.
 */
export async function noteRpcSignIn(runtime: Runtime, caller: Caller): Promise<void> {
  const users = noted(runtime);
  const user = `${caller.workspace.id} ${caller.principal.userId}`;
  if (users.get(user)) return;
  users.set(user, true);
  await runtime.identity.noteSignIn(runtime.db, caller, SIGN_IN_SECONDS);
}

/** Ends the session behind `token`, at once on every process. Does nothing when there is none. */
export async function signOut(runtime: Runtime, token: string, requestId: string): Promise<void> {
  const caller = await runtime.identity.bySession(token);
  if (!caller) return;
  const ctx = createCtx(runtime, { ...caller, channel: 'web', requestId });
  await audited(ctx, 'session.close', {}, async (tx) => {
    const hash = keyedHash(runtime.config.secretKey, token);
    await runtime.identity.closeSession(tx.db, caller, hash);
  });
  runtime.identity.forget(caller.workspace.id);
}
