import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createCache } from '../cache.ts';
import { createEmptyCatalog } from '../engine/ctx/catalog.ts';
import { type Ctx, createCtx } from '../engine/ctx/ctx.ts';
import type { Caller, Runtime } from '../engine/ctx/runtime.ts';
import type { Workspace } from '../engine/ctx/workspace.ts';
import { recordWrongKey, type SignInOrigin } from '../engine/identity/sign-in.ts';
import { createColumnLookup } from '../engine/model/naming.ts';
import type { Channel, Guest } from '../engine/model/principal.ts';
import { AppError, convertPostgresError, errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { getArrival, getClientAddress, type ReadableHeaders } from './client-address.ts';

export interface HttpHandler {
  (request: Request, env: unknown): Response | Promise<Response>;
  /**
   * Sends a cached public response directly on the connection. Returns false if the facades must handle the request.
   */
  atOnce?(message: IncomingMessage, outgoingResponse: ServerResponse): boolean;
}

/** A facade's request handler, with or without Hono. `env` is the server's environment of the request. */
export interface RequestHandler {
  fetch(request: Request, env?: object): Response | Promise<Response>;
}

/** Omits the query, which may contain data that must not be logged. */
export function getUrlPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('?', start);
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end);
}

export function parseBearer(header: string | null | undefined): string | null {
  return header ? (/^bearer\s+(\S+)\s*$/i.exec(header)?.[1] ?? null) : null;
}

const SESSION_COOKIE = 'atrium_session';

/** Browsers accept a cookie with this prefix only from this host over HTTPS, not from a sibling host (RFC 6265bis). */
const HOST_COOKIE = `__Host-${SESSION_COOKIE}`;

/** Cookie name that Odoo's clients expect. A session uses both names. */
const ODOO_COOKIE = 'session_id';

const buildCookieEntry = (name: string) =>
  [name, new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{43})(?:;|$)`)] as const;
const COOKIE_PATTERNS = new Map([HOST_COOKIE, SESSION_COOKIE, ODOO_COOKIE].map(buildCookieEntry));

export const isHttps = ({ config }: Runtime): boolean => config.publicUrl.startsWith('https:');

export function findSessionToken(runtime: Runtime, headers: Pick<Headers, 'get'>): string | null {
  const cookies = headers.get('cookie');
  if (!cookies) return null;
  for (const name of listAcceptedCookies(runtime, headers)) {
    const match = COOKIE_PATTERNS.get(name)!.exec(cookies);
    if (match) return match[1]!;
  }
  return null;
}

/** In a browser, a sibling host can set cookies without the prefix. */
function listAcceptedCookies(runtime: Runtime, headers: Pick<Headers, 'get'>): string[] {
  if (!isHttps(runtime)) return [SESSION_COOKIE, ODOO_COOKIE];
  return headers.get('sec-fetch-site') === null ? [HOST_COOKIE, ODOO_COOKIE] : [HOST_COOKIE];
}

export const hasSessionCookie = (cookies: string | null | undefined): boolean =>
  Boolean(cookies) && [...COOKIE_PATTERNS.values()].some((form) => form.test(cookies!));

/** Sets the session cookie under both names. A null token deletes the cookies. */
export function addSessionCookies(runtime: Runtime, response: Response, token: string | null): Response {
  const cookieName = isHttps(runtime) ? HOST_COOKIE : SESSION_COOKIE;
  const secure = isHttps(runtime) ? '; Secure' : '';
  const seconds = token === null ? 0 : limits.identity.sessionDays * 86_400;
  const rest = `${token ?? ''}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
  for (const name of [cookieName, ODOO_COOKIE]) response.headers.append('set-cookie', `${name}=${rest}`);
  return response;
}

/** Returns the slug before the public host name, such as `acme` in `acme.mail.example.org`. Null on the bare host. */
export function parseHostSlug(runtime: Runtime, host: string | null | undefined): string | null {
  const base = getHostname(runtime.config.publicUrl);
  const name = (host ?? '').replace(/:\d+$/, '').toLowerCase();
  return name.endsWith(`.${base}`) ? name.slice(0, -base.length - 1) : null;
}

const hostnames = createCache<string, string>({ entries: 10 });

/** Cached, because every request needs the host name and parsing is expensive. */
const getHostname = (url: string): string => hostnames.getOrCreate(url, () => new URL(url).hostname);

const validHosts = createCache<string, boolean>({ entries: 1_000 });

/** Facades parse request URLs, so an invalid Host header must be rejected first. */
export const isValidHost = (host: string | null): boolean =>
  host === null || validHosts.getOrCreate(host, () => URL.canParse(`http://${host || 'localhost'}/`));

export const getDatabaseHeader = (headers: Headers): string | null => headers.get('x-odoo-database') || null;

/** Returns true unless the host or the header X-Odoo-Database names another workspace. */
export const namesNoOtherWorkspace = (runtime: Runtime, headers: Headers, slug: string): boolean =>
  [parseHostSlug(runtime, headers.get('host')), getDatabaseHeader(headers)].every(
    (name) => name === null || name === slug,
  );

/**
 * Returns true if the response may say that the workspace does not exist. Names are private, unless all are listed or
 * there is only one workspace. Otherwise, an unknown name is rejected like a wrong credential.
 */
export async function mayReportMissing({ identity, config }: Runtime, slug: string): Promise<boolean> {
  if (slug === '') return true;
  if (await identity.workspace(slug)) return false;
  return config.listsWorkspaces || (await identity.slugs(2)).length === 1;
}

/** Restricts a caller to the host of its workspace. On another workspace's host, a credential is treated as unknown. */
function restrictToOwnHost(
  runtime: Runtime,
  caller: Caller | null,
  host: string | null | undefined,
): Caller | null {
  const slug = parseHostSlug(runtime, host);
  return caller && slug !== null && slug !== caller.workspace.slug ? null : caller;
}

/** @throws UNAUTHENTICATED if the key is missing or unknown */
export async function authenticateBearer(
  runtime: Runtime,
  headers: Headers,
  channel: Channel,
): Promise<Caller> {
  const key = parseBearer(headers.get('authorization'));
  if (!key) throw errors.noCredential();
  const caller = restrictToOwnHost(runtime, await runtime.identity.byKey(key), headers.get('host'));
  if (caller?.principal.agentKey && channel !== 'mcp') throw errors.agentsOnly();
  if (caller) return caller;
  await recordWrongKey(runtime, key, buildSignInOrigin(runtime, headers, channel));
  throw errors.invalidKey();
}

export const buildSignInOrigin = (runtime: Runtime, headers: Headers, channel: Channel): SignInOrigin => ({
  channel,
  source: getClientAddress(runtime, headers),
  requestId: getRequestId(headers),
  userAgent: headers.get('user-agent'),
});

/**
 * Authenticates with the bearer key, or with the session cookie if there is no key. Null if there is neither.
 * @throws UNAUTHENTICATED for an invalid key
 */
export async function authenticateCaller(
  runtime: Runtime,
  headers: Headers,
  channel: Channel,
): Promise<Caller | null> {
  return headers.get('authorization')
    ? authenticateBearer(runtime, headers, channel)
    : authenticateSession(runtime, headers);
}

/** Like `authenticateCaller`, for pages: an invalid credential is treated as anonymous. */
export const findVisitor = (runtime: Runtime, headers: Headers): Promise<Caller | null> =>
  authenticateCaller(runtime, headers, 'web').catch(() => null);

/** Authenticates by the session cookie only. Null if there is no session, or if it has ended. */
export async function authenticateSession(runtime: Runtime, headers: Headers): Promise<Caller | null> {
  const token = findSessionToken(runtime, headers);
  return token
    ? restrictToOwnHost(runtime, await runtime.identity.bySession(token), headers.get('host'))
    : null;
}

/**
 * Returns true if a request with a session cookie comes from Atrium's pages. This check prevents cross-site request
 * forgery, because browsers send Origin with every request that could change data.
 */
export function isSameOrigin(runtime: Runtime, headers: Headers): boolean {
  const origin = headers.get('origin');
  // `same-site` is not accepted: another subdomain belongs to another workspace or a third party.
  if (!origin) return ['same-origin', 'none', null].includes(headers.get('sec-fetch-site'));
  const host = headers.get('host');
  return (
    URL.canParse(origin) &&
    (new URL(origin).host === host || origin === new URL(runtime.config.publicUrl).origin)
  );
}

/** Creates a ctx for the caller. If `headers` is given, running work stops when the client disconnects. */
export const createCallerCtx = (
  runtime: Runtime,
  caller: Caller & Partial<Pick<Ctx, 'mask' | 'streaming'>>,
  channel: Channel,
  requestId: string,
  headers?: Headers,
): Ctx => createCtx(runtime, { ...caller, channel, requestId }, headers && getArrival(headers).outgoing);

/** Creates a ctx without a principal, for facades that serve anonymous callers under the same policy. */
export const createUnauthenticatedCtx = (
  runtime: Runtime,
  channel: Channel,
  requestId: string,
  guest: Guest | null = null,
): Ctx => createCtx(runtime, { workspace: NO_WORKSPACE, principal: null, guest, channel, requestId });

const NO_WORKSPACE: Workspace = {
  id: 0,
  slug: '',
  name: '',
  features: new Set(),
  catalog: createEmptyCatalog(new Map()),
};

const REQUEST_ID = /^[\w.:-]{8,100}$/;

/**
 * Returns the request id for logs and responses: the client's id if its format is safe, otherwise a new one. Repeated
 * calls return the same id.
 */
export function getRequestId(headers: ReadableHeaders): string {
  const arrival = getArrival(headers);
  if (!arrival.id) {
    const clientId = headers.get('x-request-id');
    arrival.id = clientId && REQUEST_ID.test(clientId) ? clientId : randomUUID();
  }
  return arrival.id;
}

/** A proxy may have made the tag weak (RFC 9110 13.1.2). */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (!header) return false;
  return header.split(',').some((tag) => {
    const bareTag = tag.trim().replace(/^W\//, '');
    return bareTag === '*' || bareTag === etag;
  });
}

/** Logs an error that aborted a response after it had started. */
export const createAbortLogger = (runtime: Runtime, requestId: string) => (error: unknown) => {
  const rejection = findAppError(runtime, error);
  if (rejection) runtime.log.info({ reason: rejection.message, requestId }, 'a response was aborted');
  else runtime.log.error({ err: error, requestId }, 'a response was aborted');
};

/** Returns the error to respond with, or undefined if the error is unexpected. */
export const findAppError = (runtime: Runtime, error: unknown): AppError | undefined =>
  error instanceof AppError ? error : convertPostgresError(error, createColumnLookup(runtime.registry));

/** Returns the error to respond with. Unexpected errors are logged and replaced by an error with the request id. */
export function toPublicError(runtime: Runtime, error: unknown, requestId: string): AppError {
  const rejection = findAppError(runtime, error);
  if (rejection) return rejection;
  runtime.log.error({ err: error, requestId }, 'unexpected error');
  return errors.internal(requestId);
}

export async function respondOrReject(
  runtime: Runtime,
  headers: Headers,
  rejection: (error: AppError, requestId: string) => Response,
  handle: (requestId: string) => Response | Promise<Response>,
): Promise<Response> {
  const requestId = getRequestId(headers);
  try {
    return await handle(requestId);
  } catch (error) {
    return rejection(toPublicError(runtime, error, requestId), requestId);
  }
}
