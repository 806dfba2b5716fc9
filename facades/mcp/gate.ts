import { isIP } from 'node:net';
import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import { AppError } from '../../src/errors.ts';
import { listedOrigin } from '../../src/http/cors.ts';
import { callerOfBearer, sameOrigin, slugOfHost } from '../../src/http/http.ts';

/** Why a request is turned away before its body is read. `error` is a code in the manner of OAuth (RFC 6750). */
export interface Refusal {
  status: 401 | 403 | 404 | 405;
  error: string;
  description: string;
  headers?: Record<string, string>;
}

/** The user behind a request, or why it may not enter. A workspace without the feature gives nothing else away. */
export async function admit(runtime: Runtime, request: Request): Promise<Caller | Refusal> {
  const { headers } = request;
  const host = headers.get('host');
  if (!isOwnHost(runtime.config.publicUrl, host)) return refuse(403, 'forbidden', 'Unknown host name.');
  if (!isTrustedOrigin(runtime, headers))
    return refuse(403, 'forbidden', 'Requests from this origin are not allowed.');
  const caller = await callerOrNull(runtime, headers);
  const workspace =
    caller?.workspace ?? (await runtime.identity.workspace(slugOfHost(runtime, host) ?? 'main'));
  if (!workspace?.features.has('mcp')) return refuse(404, 'not_found', 'Not found.');
  if (request.method !== 'POST') return refuse(405, 'method_not_allowed', 'Use POST.', { allow: 'POST' });
  return caller?.principal.kind === 'user' ? caller : unauthorized(headers);
}

const refuse = (
  status: Refusal['status'],
  error: string,
  description: string,
  headers?: Record<string, string>,
) => ({
  status,
  error,
  description,
  ...(headers && { headers }),
});

function unauthorized(headers: Headers): Refusal {
  const bad = headers.has('authorization');
  return refuse(
    401,
    bad ? 'invalid_token' : 'unauthorized',
    "Send a user's API key as Authorization: Bearer <key>.",
    {
      'www-authenticate': bad ? 'Bearer error="invalid_token"' : 'Bearer',
    },
  );
}

async function callerOrNull(runtime: Runtime, headers: Headers): Promise<Caller | null> {
  try {
    return await callerOfBearer(runtime, headers, 'mcp');
  } catch (error) {
    if (error instanceof AppError && error.kind !== 'BUSY') return null;
    throw error;
  }
}

/**
 * Whether a Host header names us: the public host, one below it, a loopback name or an address. A page that
 * rebinds its own name to our address (DNS rebinding) cannot send any of these. Pure.
 */
export function isOwnHost(publicUrl: string, host: string | null): boolean {
  const name = hostnameOf(`http://${host}`);
  if (host === null || name === null) return false;
  const own = new URL(publicUrl).hostname;
  return name === own || name.endsWith(`.${own}`) || isLoopback(name) || isIP(bare(name)) !== 0;
}

function isTrustedOrigin(runtime: Runtime, headers: Headers): boolean {
  const origin = headers.get('origin');
  if (origin === null || sameOrigin(runtime, headers)) return true;
  if (listedOrigin(runtime.config.corsOrigins, headers)) return true;
  const [from, to] = [hostnameOf(origin), hostnameOf(`http://${headers.get('host')}`)];
  return from !== null && to !== null && isLoopback(from) && isLoopback(to);
}

const hostnameOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).hostname : null);
const bare = (name: string): string => name.replace(/^\[|\]$/g, '');
const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(name);
