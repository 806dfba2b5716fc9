import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { Principal } from '../../src/engine/model/principal.ts';
import { buildBearerChallenge, getRequestOrigin } from '../../src/http/protected-resource.ts';
import { RpcError } from './protocol/rpc-error.ts';
import type { Tool } from './tool.ts';

const WHY =
  'This tool needs the scope mcp:write, which the user has not given. Ask the user to connect you again.';

/** Our own code for it, outside of those that JSON-RPC and MCP reserve. */
const INSUFFICIENT_SCOPE = -31_003;

/**
 * The scope layer of agents that have signed in; keys have none (contract, "Authentication").
 * @throws RpcError answered with HTTP 403, so that a client asks its user for more; in a batch, as the item's error
 */
export function checkScope({ agent, scopes }: Principal, { scope }: Pick<Tool, 'scope'>): void {
  if (agent?.kind === 'oauth' && scope === 'write' && !scopes?.includes('write'))
    throw new RpcError(INSUFFICIENT_SCOPE, 403, WHY);
}

/** The answer; one of 403 says which scope to ask for. */
export function withScopeChallenge(runtime: Runtime, headers: Headers, answer: Response): Response {
  if (answer.status !== 403) return answer;
  const refusal = { error: 'insufficient_scope', description: WHY };
  const challenge = buildBearerChallenge(getRequestOrigin(runtime, headers), 'mcp:write', refusal);
  answer.headers.set('www-authenticate', challenge);
  return answer;
}
