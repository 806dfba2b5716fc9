import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { Principal } from '../../src/engine/model/principal.ts';
import { buildBearerChallenge, getOAuthOrigin } from '../../src/http/protected-resource.ts';
import { RpcError } from './protocol/rpc-error.ts';
import type { Tool } from './tool.ts';

const SCOPE_REASON =
  'This tool requires the scope mcp:write, which the user has not granted. Ask the user to connect you again.';

/** A custom code outside the ranges that JSON-RPC and MCP reserve. */
const INSUFFICIENT_SCOPE = -31_003;

/**
 * Checks the scopes of agents that signed in with OAuth. Keys have none (contract, "Authentication").
 * @throws RpcError, with HTTP status 403 outside a batch, so that the client requests more scopes
 */
export function checkScope({ agent, scopes }: Principal, { scope }: Pick<Tool, 'scope'>): void {
  if (agent?.kind === 'oauth' && scope === 'write' && !scopes?.includes('write'))
    throw new RpcError(INSUFFICIENT_SCOPE, 403, SCOPE_REASON);
}

export function withScopeChallenge(runtime: Runtime, headers: Headers, response: Response): Response {
  if (response.status !== 403) return response;
  const error = { error: 'insufficient_scope', description: SCOPE_REASON };
  const challenge = buildBearerChallenge(getOAuthOrigin(runtime, headers), 'mcp:write', error);
  response.headers.set('www-authenticate', challenge);
  return response;
}
