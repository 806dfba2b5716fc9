import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { signIn, signOut } from '../../src/engine/identity/session.ts';
import { call } from '../../src/engine/verb/call.ts';
import {
  addSessionCookies,
  authenticateSession,
  buildSignInOrigin,
  findSessionToken,
  isForWorkspace,
  isSameOrigin,
} from '../../src/http/http.ts';
import { workspaceAt } from './databases.ts';
import { RpcRefusal } from './faults.ts';
import { answerSessionRoute, refused } from './json/jsonrpc.ts';
import { paramText } from './method-call.ts';
import { refusals } from './refusals.ts';
import { sessionInfo } from './session-info.ts';
import { type Visit, visitCtx } from './visit.ts';

/**
 * The session of a client of `/web/session/*` and `/web/dataset/*`.
 * @throws Session expired without one that holds here
 */
export async function sessionCtx(visit: Visit): Promise<Ctx> {
  const caller = await authenticateSession(visit.runtime, visit.headers);
  if (!caller || !isForWorkspace(visit.runtime, visit.headers, caller.workspace.slug))
    throw refusals.sessionExpired();
  return visitCtx(visit, caller);
}

/** `{db, login, password}`, where the password may be a key: opens a session and answers with what is known of it. */
export async function authenticate(visit: Visit, request: Request): Promise<Response> {
  let token: string | null = null;
  const answer = await answerSessionRoute(visit, request, async (params) => {
    const fresh = await opened(visit, params);
    const info = await sessionInfo(await newCtx(visit, fresh));
    token = fresh;
    return info;
  });
  return token === null ? answer : addSessionCookies(visit.runtime, answer, token);
}

const METHOD = 'authenticate';

async function opened(visit: Visit, params: Record<string, unknown>): Promise<string> {
  const slug = await workspaceAt(visit, METHOD, params.db, params.password, refusals.noDatabase);
  const login = paramText(params, 'login', METHOD);
  const password = paramText(params, 'password', METHOD);
  const from = buildSignInOrigin(visit.runtime, visit.headers, 'web');
  const token = await signIn(visit.runtime, { slug, login, password }, from);
  if (token === null) throw refusals.accessDenied();
  return token;
}

async function newCtx(visit: Visit, token: string): Promise<Ctx> {
  const caller = await visit.runtime.identity.bySession(token);
  if (!caller) throw refusals.sessionExpired();
  return visitCtx(visit, caller);
}

/** Ends the session; its cookies go with it. */
export async function destroy(visit: Visit, request: Request): Promise<Response> {
  let isOver = false;
  const answer = await answerSessionRoute(visit, request, async () => {
    await sessionCtx(visit);
    await close(visit);
    isOver = true;
    return null;
  });
  return isOver ? addSessionCookies(visit.runtime, answer, null) : answer;
}

/** As `destroy`, for a link. */
export async function logoutLink(visit: Visit): Promise<Response> {
  if (!isSameOrigin(visit.runtime, visit.headers))
    return refused(visit, 403, 'Sign out from a page of this server.');
  await close(visit);
  const headers = { location: '/', 'x-request-id': visit.requestId, 'cache-control': 'no-store' };
  return addSessionCookies(visit.runtime, new Response(null, { status: 303, headers }), null);
}

async function close(visit: Visit): Promise<void> {
  const token = findSessionToken(visit.runtime, visit.headers);
  if (token) await signOut(visit.runtime, token, visit.requestId);
}

/** Pairs of code and name; an anonymous caller sees only the language every workspace has. */
export async function languages(visit: Visit): Promise<[string, string][]> {
  const ctx = await sessionCtx(visit).catch((error) => {
    if (error instanceof RpcRefusal) return null;
    throw error;
  });
  return ctx ? call(ctx, 'sessionLanguages', {}) : [['en_US', 'English (US)']];
}

/** Names of the modules that are installed in the session's workspace. */
export const modules = async (visit: Visit): Promise<string[]> =>
  call(await sessionCtx(visit), 'sessionModules', {});
