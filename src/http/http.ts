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

// What every HTTP door does alike: recognise the caller, name the request, read a bounded body.

/** What listens on the port: one fetch function for all doors. */
export interface HttpHandler {
  (request: Request, env: unknown): Response | Promise<Response>;
  /** Answers on the connection itself what is in memory for everyone; false where the doors have to be asked. */
  atOnce?(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
}

/** What answers the requests of a door, in Hono or without it. `env` is what the server gives beside a request. */
export interface RequestHandler {
  fetch(request: Request, env?: object): Response | Promise<Response>;
}

/** The path of an address. Without the query, which may hold what a log should not. */
export function getUrlPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('?', start);
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end);
}

/** The token of `Authorization: Bearer …`; null when there is none. */
export function parseBearer(header: string | null | undefined): string | null {
  return header ? (/^bearer\s+(\S+)\s*$/i.exec(header)?.[1] ?? null) : null;
}

const SESSION_COOKIE = 'atrium_session';

/** The name over HTTPS: browsers accept such a cookie from this host alone, not from a neighbor (RFC 6265bis). */
const HOST_COOKIE = `__Host-${SESSION_COOKIE}`;

/** The name Odoo's clients read and send; a session goes out under both. */
const ODOO_COOKIE = 'session_id';

const buildCookieEntry = (name: string) =>
  [name, new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{43})(?:;|$)`)] as const;
const COOKIE_PATTERNS = new Map([HOST_COOKIE, SESSION_COOKIE, ODOO_COOKIE].map(buildCookieEntry));

const isHttps = ({ config }: Runtime): boolean => config.publicUrl.startsWith('https:');

/** The token of a session among the cookies of a request; null when there is none. */
export function findSessionToken(runtime: Runtime, headers: Pick<Headers, 'get'>): string | null {
  const cookies = headers.get('cookie');
  if (!cookies) return null;
  for (const name of listAcceptedCookies(runtime, headers)) {
    const match = COOKIE_PATTERNS.get(name)!.exec(cookies);
    if (match) return match[1]!;
  }
  return null;
}

/** Another host of the same site can set cookies without the prefix in a browser, but not in a program. */
function listAcceptedCookies(runtime: Runtime, headers: Pick<Headers, 'get'>): string[] {
  if (!isHttps(runtime)) return [SESSION_COOKIE, ODOO_COOKIE];
  return headers.get('sec-fetch-site') === null ? [HOST_COOKIE, ODOO_COOKIE] : [HOST_COOKIE];
}

/** Whether a request has a cookie of a session, of whatever name. */
export const hasSessionCookie = (cookies: string | null | undefined): boolean =>
  Boolean(cookies) && [...COOKIE_PATTERNS.values()].some((form) => form.test(cookies!));

/** The answer with the client's session under both names; a token of null takes them away. */
export function addSessionCookies(runtime: Runtime, answer: Response, token: string | null): Response {
  const own = isHttps(runtime) ? HOST_COOKIE : SESSION_COOKIE;
  const secure = isHttps(runtime) ? '; Secure' : '';
  const seconds = token === null ? 0 : limits.identity.sessionDays * 86_400;
  const rest = `${token ?? ''}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
  for (const name of [own, ODOO_COOKIE]) answer.headers.append('set-cookie', `${name}=${rest}`);
  return answer;
}

/**
 * The slug in front of the public host name, such as `acme` in `acme.mail.example.org`; null on the bare host.
 */
export function parseHostSlug(runtime: Runtime, host: string | null | undefined): string | null {
  const base = getHostname(runtime.config.publicUrl);
  const name = (host ?? '').replace(/:\d+$/, '').toLowerCase();
  return name.endsWith(`.${base}`) ? name.slice(0, -base.length - 1) : null;
}

const hostnames = createCache<string, string>({ entries: 10 });

/** Host name of a public URL. Cached because every request needs it and parsing is expensive. */
const getHostname = (url: string): string => hostnames.getOrCreate(url, () => new URL(url).hostname);

const validHosts = createCache<string, boolean>({ entries: 1_000 });

/** Whether a Host header can stand in an address, as doors need to read those of requests. */
export const isValidHost = (host: string | null): boolean =>
  host === null || validHosts.getOrCreate(host, () => URL.canParse(`http://${host || 'localhost'}/`));

/** The workspace a classic client names beside the address; null when it names none. */
export const getDatabaseHeader = (headers: Headers): string | null => headers.get('x-odoo-database') || null;

/** Whether neither the address nor the header X-Odoo-Database speaks of another workspace. */
export const isForWorkspace = (runtime: Runtime, headers: Headers, slug: string): boolean =>
  [parseHostSlug(runtime, headers.get('host')), getDatabaseHeader(headers)].every(
    (name) => name === null || name === slug,
  );

/**
 * Whether to say that there is no workspace of this name. Names are private, unless all are listed or there is one: any
 * other name is then refused as a wrong credential is.
 */
export async function isKnownMissing({ identity, config }: Runtime, slug: string): Promise<boolean> {
  if (slug === '') return true;
  if (await identity.workspace(slug)) return false;
  return config.listsWorkspaces || (await identity.slugs(2)).length === 1;
}

/** A key reaches only its own workspace: on another workspace's address it is as good as unknown. */
function restrictToOwnHost(
  runtime: Runtime,
  caller: Caller | null,
  host: string | null | undefined,
): Caller | null {
  const slug = parseHostSlug(runtime, host);
  return caller && slug !== null && slug !== caller.workspace.slug ? null : caller;
}

/** The caller behind a bearer key. @throws UNAUTHENTICATED without a key or with an unknown one */
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

/** Where somebody signs in from. */
export const buildSignInOrigin = (runtime: Runtime, headers: Headers, channel: Channel): SignInOrigin => ({
  channel,
  source: getClientAddress(runtime, headers),
  requestId: getRequestId(headers),
  userAgent: headers.get('user-agent'),
});

/**
 * The caller behind a bearer key, or else behind the session cookie; null when there is neither.
 * @throws UNAUTHENTICATED for a bad key
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

/** As `callerOf`, for pages: a bad credential makes a stranger there, not an error. */
export const findVisitor = (runtime: Runtime, headers: Headers): Promise<Caller | null> =>
  authenticateCaller(runtime, headers, 'web').catch(() => null);

/** The caller behind the session cookie, whatever else the request brings; null when there is none or it has ended. */
export async function authenticateSession(runtime: Runtime, headers: Headers): Promise<Caller | null> {
  const token = findSessionToken(runtime, headers);
  return token
    ? restrictToOwnHost(runtime, await runtime.identity.bySession(token), headers.get('host'))
    : null;
}

/**
 * Whether a request that carries a session cookie comes from our own pages. Browsers send Origin with every request
 * that could change something; a foreign one must not ride on the cookie.
 */
export function isSameOrigin(runtime: Runtime, headers: Headers): boolean {
  const origin = headers.get('origin');
  // Another subdomain of the same site is another workspace's, or somebody else's.
  if (!origin) return ['same-origin', 'none', null].includes(headers.get('sec-fetch-site'));
  const host = headers.get('host');
  return (
    URL.canParse(origin) &&
    (new URL(origin).host === host || origin === new URL(runtime.config.publicUrl).origin)
  );
}

/**
 * The ctx of a recognised caller. With the headers of the request, what runs for it is stopped when its client goes.
 */
export const createCallerCtx = (
  runtime: Runtime,
  caller: Caller & Partial<Pick<Ctx, 'mask' | 'streaming'>>,
  channel: Channel,
  requestId: string,
  headers?: Headers,
): Ctx => createCtx(runtime, { ...caller, channel, requestId }, headers && getArrival(headers).outgoing);

/** A ctx without a principal, for doors that answer anonymous callers through the same policy. */
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
 * The request's name in logs and answers: the caller's own when it has a harmless form, else a new one. The same each
 * time it is asked.
 */
export function getRequestId(headers: ReadableHeaders): string {
  const arrival = getArrival(headers);
  if (!arrival.id) {
    const given = headers.get('x-request-id');
    arrival.id = given && REQUEST_ID.test(given) ? given : randomUUID();
  }
  return arrival.id;
}

/**
 * Whether the caller's `If-None-Match` names the tag; a proxy may have made it weak (RFC 9110 section 13.1.2). Pure.
 */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (!header) return false;
  return header.split(',').some((tag) => {
    const bare = tag.trim().replace(/^W\//, '');
    return bare === '*' || bare === etag;
  });
}

/** Logs what cut an answer that was already on its way: too late to be answered with. */
export const createCutLogger = (runtime: Runtime, requestId: string) => (error: unknown) => {
  const refusal = findAppError(runtime, error);
  if (refusal) runtime.log.info({ reason: refusal.message, requestId }, 'a response was aborted');
  else runtime.log.error({ err: error, requestId }, 'a response was aborted');
};

const findAppError = (runtime: Runtime, error: unknown): AppError | undefined =>
  error instanceof AppError ? error : convertPostgresError(error, createColumnLookup(runtime.registry));

/** The error to answer with: refusals as they are, anything else logged and masked behind the request's id. */
export function toPublicError(runtime: Runtime, error: unknown, requestId: string): AppError {
  const refusal = findAppError(runtime, error);
  if (refusal) return refusal;
  runtime.log.error({ err: error, requestId }, 'unexpected error');
  return errors.internal(requestId);
}

/** What `handle` answers under the name of the request, or how the door says the refusal of what it throws. */
export async function respondOr(
  runtime: Runtime,
  headers: Headers,
  refusal: (error: AppError, requestId: string) => Response,
  handle: (requestId: string) => Response | Promise<Response>,
): Promise<Response> {
  const requestId = getRequestId(headers);
  try {
    return await handle(requestId);
  } catch (error) {
    return refusal(toPublicError(runtime, error, requestId), requestId);
  }
}
