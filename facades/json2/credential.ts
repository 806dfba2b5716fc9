import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import { errors } from '../../src/errors.ts';
import {
  authenticateBearer,
  authenticateSession,
  getDatabaseHeader,
  isSameOrigin,
  mayReportMissing,
  namesNoOtherWorkspace,
} from '../../src/http/http.ts';
import {
  createNoSecHeadersError,
  createOtherDatabaseError,
  createOtherUserError,
  createUnknownDatabaseError,
} from './errors.ts';

/**
 * Checks the database name, which is a workspace slug. A workspace-specific host serves no other database. @throws 404
 */
export async function checkDatabase(runtime: Runtime, headers: Headers): Promise<void> {
  const database = getDatabaseHeader(headers);
  if (database === null) return;
  if (!namesNoOtherWorkspace(runtime, headers, database) || (await mayReportMissing(runtime, database)))
    throw createUnknownDatabaseError();
}

/**
 * Authenticates the caller: the owner of the key, or the user of the session if a browser navigates (Odoo 19).
 * @throws 401; 403 if key, session and database do not belong to the same user and workspace
 */
export async function getJson2Caller(runtime: Runtime, headers: Headers): Promise<Caller> {
  const session = await authenticateSession(runtime, headers);
  const caller = headers.get('authorization')
    ? await authenticateBearer(runtime, headers, 'json')
    : requireNavigation(runtime, headers, session);
  if (!namesNoOtherWorkspace(runtime, headers, caller.workspace.slug))
    throw session ? createOtherDatabaseError() : errors.invalidKey();
  if (session && !isSameCaller(session, caller)) throw createOtherUserError();
  return caller;
}

function requireNavigation(runtime: Runtime, headers: Headers, session: Caller | null): Caller {
  if (!session) throw errors.noCredential();
  if (!isNavigation(headers) || !isSameOrigin(runtime, headers)) throw createNoSecHeadersError();
  return session;
}

/** True for page loads that the user started, except from another site. Scripts can't set these headers. */
function isNavigation(headers: Headers): boolean {
  return (
    headers.get('sec-fetch-dest') === 'document' &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    headers.get('sec-fetch-user') === '?1' &&
    ['none', 'same-origin'].includes(headers.get('sec-fetch-site') ?? '')
  );
}

const isSameCaller = (a: Caller, b: Caller): boolean =>
  a.workspace.id === b.workspace.id && a.principal.userId === b.principal.userId;
