import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import { recordWrongKey } from '../../src/engine/identity/sign-in.ts';
import { isAccessToken } from '../../src/engine/identity/token.ts';
import { authenticateBearer, buildSignInOrigin, parseBearer, parseHostSlug } from '../../src/http/http.ts';
import { getRequestOrigin, getResourceUrl } from '../../src/http/protected-resource.ts';

/**
 * Authenticates the caller by API key, or the agent by an access token for this workspace's MCP server. Null for an
 * invalid token.
 * @throws UNAUTHENTICATED without a key or with an unknown one
 */
export async function findMcpCaller(runtime: Runtime, headers: Headers): Promise<Caller | null> {
  const token = parseBearer(headers.get('authorization'));
  if (!token || !isAccessToken(token)) return authenticateBearer(runtime, headers, 'mcp');
  const workspace = await runtime.identity.workspace(parseHostSlug(runtime, headers.get('host')) ?? 'main');
  const caller = workspace && (await runtime.identity.byToken(workspace.id, token));
  if (caller?.audience === getResourceUrl(getRequestOrigin(runtime, headers))) return caller;
  await recordWrongKey(runtime, token, buildSignInOrigin(runtime, headers, 'mcp'));
  return null;
}
