import type { Runtime } from '../engine/ctx/runtime.ts';
import { getHostOrigin } from './own-host.ts';

// What programs that sign in for a user (OAuth) have to know of the door that they want to use (RFC 9728).

/** Writing includes reading. */
export const OAUTH_SCOPES = ['mcp:read', 'mcp:write'] as const;

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The origin of the request's host, which has been seen to be one of ours. */
export const getRequestOrigin = ({ config }: Runtime, headers: Headers): string =>
  getHostOrigin(config.publicUrl, headers.get('host')!);

/** What access tokens are for. Pure. */
export const getResourceUrl = (origin: string): string => `${origin}/mcp`;

/** `WWW-Authenticate` by which a program learns how to sign in, or to ask for more (RFC 6750, RFC 9728). Pure. */
export function buildBearerChallenge(
  origin: string,
  scope: string,
  refusal?: { error: string; description: string },
): string {
  const facts = {
    ...(refusal && { error: refusal.error, error_description: refusal.description }),
    resource_metadata: `${origin}${RESOURCE_METADATA_PATH}/mcp`,
    scope,
  };
  const said = Object.entries(facts).map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '')}"`);
  return `Bearer ${said.join(', ')}`;
}
