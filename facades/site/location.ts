import { createCache, memoizePerObject } from '../../src/cache.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/operation/call.ts';
import { getArrival } from '../../src/http/client-address.ts';
import { createUnauthenticatedCtx, getUrlPath, parseHostSlug } from '../../src/http/http.ts';
import { isKnownHost } from '../../src/http/own-host.ts';
import { limits } from '../../src/limits.ts';

/** Cache lifetime of a host's workspace. */
const HOST_TTL_MS = 30_000;

export interface SiteLocation {
  slug: string;
  websiteId: number | null;
  host: string | null;
  /** The origin, such as `https://www.example.org`, followed by the site's path, if any. */
  root: string;
  /** Relative to the root. */
  path: string;
  /** True if the host also serves other workspaces' sites and user sessions. */
  isShared: boolean;
}

const SITE_PATH_PATTERN = /^\/site\/([a-z0-9-]{1,63})(?:~(\d{1,9}))?(\/.*)?$/;

/** Parses the site from a path: `/site/main/about`, or `/site/main~2/about` to select a website by its id. */
export function parseSitePath(runtime: Runtime, { url, headers }: Request): SiteLocation | null {
  const [, slug, id, path = ''] = SITE_PATH_PATTERN.exec(getUrlPath(url)) ?? [];
  if (!slug) return null;
  const root = `${getCanonicalOrigin(runtime, headers, slug)}/site/${slug}${id ? `~${id}` : ''}`;
  return { slug, websiteId: id ? Number(id) : null, host: null, root, path: path || '/', isShared: true };
}

/** Caches workspaces by host, except for the public host and its subdomains. Empty for a host without a workspace. */
const hosts = memoizePerObject((_runtime: Runtime) =>
  createCache<string, string>({ entries: limits.site.entries, age: HOST_TTL_MS }),
);

/** Finds the site of the request's host. Null if none exists. */
export async function findSiteOfHost(
  runtime: Runtime,
  request: Request,
  requestId: string,
): Promise<SiteLocation | null> {
  const name = getHostName(request.headers);
  const slug = parseHostSlug(runtime, name) ?? (await findSlugOfDomain(runtime, name, requestId));
  if (!slug || slug.includes('.')) return null;
  const origin = buildSiteOrigin(runtime, request.headers);
  return { slug, websiteId: null, host: name, root: origin, path: getUrlPath(request.url), isShared: false };
}

const getHostName = (headers: Headers): string =>
  (headers.get('host') ?? '').replace(/:\d+$/, '').toLowerCase();

/** Returns the site's canonical origin: the public URL, or the request's host if it belongs to the site. */
function getCanonicalOrigin(runtime: Runtime, headers: Headers, slug: string): string {
  const { publicUrl } = runtime.config;
  const host = headers.get('host');
  const socket = getArrival(headers).incoming?.socket ?? {};
  const isKnown = host !== null && isKnownHost(publicUrl, host, slug, socket);
  return isKnown ? buildSiteOrigin(runtime, headers) : new URL(publicUrl).origin;
}

const buildSiteOrigin = ({ config: { publicUrl } }: Runtime, headers: Headers): string =>
  `${publicUrl.startsWith('https:') ? 'https' : 'http'}://${headers.get('host') ?? new URL(publicUrl).host}`;

async function findSlugOfDomain(runtime: Runtime, host: string, requestId: string): Promise<string> {
  if (!host.includes('.') || /^[\d.]+$/.test(host) || host === new URL(runtime.config.publicUrl).hostname)
    return '';
  const cache = hosts(runtime);
  const cachedSlug = cache.get(host);
  if (cachedSlug !== undefined) return cachedSlug;
  const slug =
    (await call(createUnauthenticatedCtx(runtime, 'web', requestId, { kind: 'ANYONE' }), 'websiteHost', {
      host,
    })) ?? '';
  cache.set(host, slug);
  return slug;
}
