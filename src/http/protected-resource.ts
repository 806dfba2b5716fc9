import type { Runtime } from '../engine/ctx/runtime.ts';
import { getArrival } from './client-address.ts';
import { parseHostSlug } from './http.ts';
import { getHostOrigin, isKnownHost } from './own-host.ts';

// Protected resource metadata (RFC 9728) for programs that sign in for a user with OAuth.

/** `mcp:write` includes `mcp:read`. */
export const OAUTH_SCOPES = ['mcp:read', 'mcp:write'] as const;

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Requires a request whose host was verified to belong to this server. */
export const getRequestOrigin = ({ config }: Runtime, headers: Headers): string =>
  getHostOrigin(config.publicUrl, headers.get('host')!);

/** Returns true if the request's workspace accepts OAuth sign-ins at the request's host. */
export function isOAuthHost(runtime: Runtime, headers: Headers): boolean {
  const host = headers.get('host')!;
  const slug = parseHostSlug(runtime, host) ?? 'main';
  return isKnownHost(runtime.config.publicUrl, host, slug, getArrival(headers).incoming?.socket ?? {});
}

/** Returns the workspace's public origin if it does not accept sign-ins at the request's host. */
export function getOAuthOrigin(runtime: Runtime, headers: Headers): string {
  if (isOAuthHost(runtime, headers)) return getRequestOrigin(runtime, headers);
  const slug = parseHostSlug(runtime, headers.get('host'));
  const { protocol, host } = new URL(runtime.config.publicUrl);
  return `${protocol}//${slug === null ? host : `${slug}.${host}`}`;
}

export const getResourceUrl = (origin: string): string => `${origin}/mcp`;

/**
 * Builds the `WWW-Authenticate` header that tells a program how to sign in or to request more scopes (RFC 6750, RFC
 * 9728).
 */
export function buildBearerChallenge(
  origin: string,
  scope: string,
  error?: { error: string; description: string },
): string {
  const facts = {
    ...(error && { error: error.error, error_description: error.description }),
    resource_metadata: `${origin}${RESOURCE_METADATA_PATH}/mcp`,
    scope,
  };
  const parameters = Object.entries(facts).map(
    ([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '')}"`,
  );
  return `Bearer ${parameters.join(', ')}`;
}
