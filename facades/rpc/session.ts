import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { signIn, signOut } from '../../src/engine/identity/session.ts';
import { call } from '../../src/engine/operation/call.ts';
import {
  addSessionCookies,
  authenticateSession,
  buildSignInOrigin,
  findSessionToken,
  isSameOrigin,
  namesNoOtherWorkspace,
} from '../../src/http/http.ts';
import { resolveWorkspace } from './databases.ts';
import { rpcCallErrors } from './errors.ts';
import { RpcCallError } from './faults.ts';
import { buildRejectionResponse, handleSessionRoute } from './json/jsonrpc.ts';
import { getTextParam } from './method-call.ts';
import { createRpcCtx, type RpcRequest } from './request.ts';
import { loadSessionInfo } from './session-info.ts';

/**
 * Returns the context of a session for `/web/session/*` and `/web/dataset/*`.
 * @throws a "Session expired" error if there is no session for this workspace
 */
export async function getSessionCtx(visit: RpcRequest): Promise<Ctx> {
  const caller = await authenticateSession(visit.runtime, visit.headers);
  if (!caller || !namesNoOtherWorkspace(visit.runtime, visit.headers, caller.workspace.slug))
    throw rpcCallErrors.sessionExpired();
  return createRpcCtx(visit, caller);
}

/**
 * Signs in with `{db, login, password}`, where the password may be a key. Opens a session and returns its information.
 */
export async function authenticate(visit: RpcRequest, request: Request): Promise<Response> {
  let token: string | null = null;
  const response = await handleSessionRoute(visit, request, async (params) => {
    const session = await openSession(visit, params);
    const info = await loadSessionInfo(await createSessionCtx(visit, session));
    token = session;
    return info;
  });
  return token === null ? response : addSessionCookies(visit.runtime, response, token);
}

const METHOD = 'authenticate';

async function openSession(visit: RpcRequest, params: Record<string, unknown>): Promise<string> {
  const slug = await resolveWorkspace(visit, METHOD, params.db, params.password, rpcCallErrors.noDatabase);
  const login = getTextParam(params, 'login', METHOD);
  const password = getTextParam(params, 'password', METHOD);
  const from = buildSignInOrigin(visit.runtime, visit.headers, 'web');
  const token = await signIn(visit.runtime, { slug, login, password }, from);
  if (token === null) throw rpcCallErrors.accessDenied();
  return token;
}

async function createSessionCtx(visit: RpcRequest, token: string): Promise<Ctx> {
  const caller = await visit.runtime.identity.bySession(token);
  if (!caller) throw rpcCallErrors.sessionExpired();
  return createRpcCtx(visit, caller);
}

export async function destroy(visit: RpcRequest, request: Request): Promise<Response> {
  let isOver = false;
  const response = await handleSessionRoute(visit, request, async () => {
    await getSessionCtx(visit);
    await closeSession(visit);
    isOver = true;
    return null;
  });
  return isOver ? addSessionCookies(visit.runtime, response, null) : response;
}

/** Ends the session when a client follows a link, and redirects to the home page. */
export async function logOutByLink(visit: RpcRequest): Promise<Response> {
  if (!isSameOrigin(visit.runtime, visit.headers))
    return buildRejectionResponse(visit, 403, 'You can sign out only on a page of this server.');
  await closeSession(visit);
  const headers = { location: '/', 'x-request-id': visit.requestId, 'cache-control': 'no-store' };
  return addSessionCookies(visit.runtime, new Response(null, { status: 303, headers }), null);
}

async function closeSession(visit: RpcRequest): Promise<void> {
  const token = findSessionToken(visit.runtime, visit.headers);
  if (token) await signOut(visit.runtime, token, visit.requestId);
}

/** Returns pairs of a language's code and name. Anonymous callers receive only English, which every workspace has. */
export async function loadSessionLanguages(visit: RpcRequest): Promise<[string, string][]> {
  const ctx = await getSessionCtx(visit).catch((error) => {
    if (error instanceof RpcCallError) return null;
    throw error;
  });
  return ctx ? call(ctx, 'sessionLanguages', {}) : [['en_US', 'English (US)']];
}

export const loadSessionModules = async (visit: RpcRequest): Promise<string[]> =>
  call(await getSessionCtx(visit), 'sessionModules', {});
