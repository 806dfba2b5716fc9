import { createCache, memoizePerObject } from '../../src/cache.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/verb/call.ts';
import { getArrival } from '../../src/http/client-address.ts';
import { createUnauthenticatedCtx, getUrlPath, parseHostSlug } from '../../src/http/http.ts';
import { isKnownHost } from '../../src/http/own-host.ts';
import { limits } from '../../src/limits.ts';

/** Which website a request is about, and where that begins. */
export interface SiteLocation {
  slug: string;
  websiteId: number | null;
  host: string | null;
  /** `https://www.example.org`, or with the path of the site behind it. */
  root: string;
  /** The path below the root. */
  path: string;
  /** Other workspaces have sites, and people their sessions, at the same host. */
  isShared: boolean;
}

const UNDER = /^\/site\/([a-z0-9-]{1,63})(?:~(\d{1,9}))?(\/.*)?$/;

/** The site that a path names: `/site/main/about` or, for a website by its id, `/site/main~2/about`. */
export function parseSitePath(runtime: Runtime, { url, headers }: Request): SiteLocation | null {
  const [, slug, id, path = ''] = UNDER.exec(getUrlPath(url)) ?? [];
  if (!slug) return null;
  const root = `${getSharedOrigin(runtime, headers, slug)}/site/${slug}${id ? `~${id}` : ''}`;
  return { slug, websiteId: id ? Number(id) : null, host: null, root, path: path || '/', isShared: true };
}

/** The workspaces of hosts that are not below the public one; '' for a host without one. */
const hosts = memoizePerObject((_runtime: Runtime) =>
  createCache<string, string>({ entries: limits.site.entries, age: limits.site.hostAge }),
);

/** The site at the host of a request; null where that has none. */
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

/** Where the site is at home: the public address, unless the request came to another of the few that are known. */
function getSharedOrigin(runtime: Runtime, headers: Headers, slug: string): string {
  const { publicUrl } = runtime.config;
  const host = headers.get('host');
  const socket = getArrival(headers).incoming?.socket ?? {};
  const isKnown = host !== null && isKnownHost(publicUrl, host, slug, socket);
  return isKnown ? buildSiteOrigin(runtime, headers) : new URL(publicUrl).origin;
}

/** The address that the request came to; its scheme is that of the public address. */
const buildSiteOrigin = ({ config: { publicUrl } }: Runtime, headers: Headers): string =>
  `${publicUrl.startsWith('https:') ? 'https' : 'http'}://${headers.get('host') ?? new URL(publicUrl).host}`;

async function findSlugOfDomain(runtime: Runtime, host: string, requestId: string): Promise<string> {
  if (!host.includes('.') || /^[\d.]+$/.test(host) || host === new URL(runtime.config.publicUrl).hostname)
    return '';
  const cache = hosts(runtime);
  const known = cache.get(host);
  if (known !== undefined) return known;
  const slug =
    (await call(createUnauthenticatedCtx(runtime, 'web', requestId, { kind: 'ANYONE' }), 'websiteHost', {
      host,
    })) ?? '';
  cache.set(host, slug);
  return slug;
}
