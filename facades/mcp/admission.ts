import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import { AppError } from '../../src/errors.ts';
import { findListedOrigin } from '../../src/http/cors.ts';
import { isSameOrigin, parseHostSlug } from '../../src/http/http.ts';
import { isLoopback, isOwnHost, parseHostname } from '../../src/http/own-host.ts';
import { buildBearerChallenge, getOAuthOrigin, OAUTH_SCOPES } from '../../src/http/protected-resource.ts';
import { findMcpCaller } from './credential.ts';

/** `error` is an OAuth error code (RFC 6750). */
export interface AdmissionError {
  status: 401 | 403 | 404 | 405;
  error: string;
  description: string;
  headers?: Record<string, string>;
}

/** Shown only to callers with a key for the workspace. Other callers get "Not found." */
const SWITCHED_OFF_MESSAGE =
  'MCP is turned off in this workspace. An administrator can turn it on under Features in the browser application.';

/**
 * Authenticates the caller, or returns the reason to reject the request. Reveals nothing about a workspace without MCP.
 */
export async function admitMcpRequest(runtime: Runtime, request: Request): Promise<Caller | AdmissionError> {
  const { headers } = request;
  const host = headers.get('host');
  if (!isOwnHost(runtime.config.publicUrl, host))
    return createAdmissionError(403, 'forbidden', 'Unknown host name.');
  if (!isTrustedOrigin(runtime, headers))
    return createAdmissionError(403, 'forbidden', 'Requests from this origin are not allowed.');
  const caller = await findCaller(runtime, headers);
  const workspace =
    caller?.workspace ?? (await runtime.identity.workspace(parseHostSlug(runtime, host) ?? 'main'));
  if (!workspace?.features.has('mcp'))
    return createAdmissionError(404, 'not_found', caller ? SWITCHED_OFF_MESSAGE : 'Not found.');
  if (request.method !== 'POST')
    return createAdmissionError(405, 'method_not_allowed', 'Use POST.', { allow: 'POST' });
  return caller?.principal.kind === 'user' ? caller : createUnauthorizedError(runtime, headers);
}

const createAdmissionError = (
  status: AdmissionError['status'],
  error: string,
  description: string,
  headers?: Record<string, string>,
) => ({
  status,
  error,
  description,
  ...(headers && { headers }),
});

function createUnauthorizedError(runtime: Runtime, headers: Headers): AdmissionError {
  const isBad = headers.has('authorization');
  const description = isBad
    ? 'The access token or API key is unknown, expired or revoked, or belongs to another workspace.'
    : "Sign in at the authorization server, or send a user's API key as Authorization: Bearer <key>.";
  const error = isBad ? { error: 'invalid_token', description } : undefined;
  const challenge = buildBearerChallenge(getOAuthOrigin(runtime, headers), OAUTH_SCOPES.join(' '), error);
  return createAdmissionError(401, isBad ? 'invalid_token' : 'unauthorized', description, {
    'www-authenticate': challenge,
  });
}

async function findCaller(runtime: Runtime, headers: Headers): Promise<Caller | null> {
  try {
    return await findMcpCaller(runtime, headers);
  } catch (error) {
    if (error instanceof AppError && error.kind !== 'BUSY') return null;
    throw error;
  }
}

function isTrustedOrigin(runtime: Runtime, headers: Headers): boolean {
  const origin = headers.get('origin');
  if (origin === null || isSameOrigin(runtime, headers)) return true;
  if (findListedOrigin(runtime.config.corsOrigins, headers)) return true;
  const [from, to] = [parseHostname(origin), parseHostname(`http://${headers.get('host')}`)];
  return from !== null && to !== null && isLoopback(from) && isLoopback(to);
}
