import { call } from '../../src/engine/call.ts';
import type { Ctx } from '../../src/engine/ctx.ts';
import { signIn, signOut } from '../../src/engine/session.ts';
import { callerOfSession, ctxOf, sameOrigin, sessionCookies, sessionOf } from '../../src/http.ts';
import { limits } from '../../src/limits.ts';
import { isHere, workspaceAt } from './databases.ts';
import { answerSessionRoute, refused } from './jsonrpc.ts';
import { isRpcError, refusals } from './refusals.ts';
import { sessionInfo } from './session-info.ts';
import type { Visit } from './visit.ts';

/** The session of a client of `/web/session/*` and `/web/dataset/*`. @throws Session expired without one that holds here */
export async function sessionCtx(visit: Visit): Promise<Ctx> {
  const caller = await callerOfSession(visit.runtime, visit.headers);
  if (!caller || !isHere(visit, caller.workspace.slug)) throw refusals.sessionExpired();
  return ctxOf(visit.runtime, caller, 'rpc', visit.requestId).with({ streaming: visit.streaming });
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
  return token === null ? answer : withSession(visit, answer, token, limits.sessionDays * 86_400);
}

async function opened(visit: Visit, params: Record<string, unknown>): Promise<string> {
  const { login, password } = params;
  const slug = await workspaceAt(visit, 'authenticate', params.db, password).catch((error) => {
    throw (error as { odooName?: string }).odooName === 'builtins.LookupError'
      ? refusals.noDatabase()
      : error;
  });
  for (const name of ['login', 'password']) {
    const value = params[name];
    if (value === undefined) throw refusals.missingParam(name);
    if (typeof value !== 'string') throw refusals.argumentType('authenticate', name, 'a string');
  }
  const given = { slug, login: login as string, password: password as string, source: visit.source };
  const token = await signIn(visit.runtime, given, visit.requestId);
  if (token === null) throw refusals.accessDenied();
  return token;
}

async function newCtx(visit: Visit, token: string): Promise<Ctx> {
  const caller = await visit.runtime.identity.bySession(token);
  if (!caller) throw refusals.sessionExpired();
  return ctxOf(visit.runtime, caller, 'rpc', visit.requestId);
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
  return isOver ? withSession(visit, answer, '', 0) : answer;
}

/** As `destroy`, for a link. */
export async function logout(visit: Visit): Promise<Response> {
  if (!sameOrigin(visit.runtime, visit.headers))
    return refused(visit, 403, 'Sign out from a page of this server.');
  await close(visit);
  const headers = { location: '/', 'x-request-id': visit.requestId, 'cache-control': 'no-store' };
  return withSession(visit, new Response(null, { status: 303, headers }), '', 0);
}

async function close(visit: Visit): Promise<void> {
  const token = sessionOf(visit.headers.get('cookie'));
  if (token) await signOut(visit.runtime, token, visit.requestId);
}

function withSession(visit: Visit, answer: Response, token: string, seconds: number): Response {
  for (const cookie of sessionCookies(visit.runtime, token, seconds))
    answer.headers.append('set-cookie', cookie);
  return answer;
}

/** Pairs of code and name; a stranger is told only the language every workspace has. */
export async function languages(visit: Visit): Promise<[string, string][]> {
  const ctx = await sessionCtx(visit).catch((error) => {
    if (isRpcError(error)) return null;
    throw error;
  });
  return ctx ? call(ctx, 'sessionLanguages', {}) : [['en_US', 'English (US)']];
}

/** Names of the modules that are installed in the session's workspace. */
export const modules = async (visit: Visit): Promise<string[]> =>
  call(await sessionCtx(visit), 'sessionModules', {});
