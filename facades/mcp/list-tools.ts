import { createCache, memoizePerObject } from '../../src/cache.ts';
import type { Principal } from '../../src/engine/model/principal.ts';
import { stringifyMembers } from '../../src/json.ts';
import { limits } from '../../src/limits.ts';
import { opens } from './agent/narrowing.ts';
import { featuresOff } from './features.ts';
import { leanSchema } from './lean-schema.ts';
import type { McpMessage } from './protocol/message.ts';
import { knowsStructure, type Revision } from './protocol/revisions.ts';
import { rpcErrors } from './protocol/rpc-error.ts';
import type { McpRegistry } from './registry.ts';
import type { Result } from './reply.ts';
import type { Session } from './session.ts';
import type { Tool } from './tool.ts';
import { hasRole, hasScope } from './tool-roles.ts';

/** `tools/list`: all on one page. @throws RpcError -32602 for a cursor, since none was ever given out */
export async function listTools(session: Session, { params }: McpMessage): Promise<Result> {
  if (params.cursor !== undefined) throw rpcErrors.invalidParams('unknown cursor');
  return listing(session.registry, await shownTools(session), session.revision);
}

/** The tools that the caller is shown: those that its scope and its roles allow, and whose features are on. */
async function shownTools({ ctx, registry: { tools }, narrowing }: Session): Promise<readonly Tool[]> {
  const off = tools.some(({ feature }) => feature) ? await featuresOff(ctx) : NONE;
  return tools.filter(
    (tool) =>
      opens(narrowing, tool) && isFor(ctx.principal!, tool) && !(tool.feature && off.has(tool.feature)),
  );
}

const NONE: ReadonlySet<string> = new Set();

const isFor = (principal: Principal, { scope, role }: Tool): boolean =>
  hasScope(principal, scope) && (!role || hasRole(principal, role));

/** Lists are asked for by every client that connects, and only so many differ. */
const kept = memoizePerObject((_registry: McpRegistry) =>
  createCache<string, Result>({ entries: limits.mcp.listings }),
);

function listing(registry: McpRegistry, shown: readonly Tool[], revision: Revision): Result {
  const key = `${knowsStructure(revision)} ${shown.map(({ name }) => name).join(' ')}`;
  return kept(registry).getOrCreate(key, () => ({
    members: Buffer.from(stringifyMembers({ tools: shown.map((tool) => declaration(tool, revision)) })),
    cacheable: true,
  }));
}

/** Clients of older revisions know neither a title nor a schema of what a tool answers. */
function declaration(tool: Tool, revision: Revision): object {
  const { name, title, description, inputSchema, annotations } = tool;
  const outputSchema = leanSchema(tool.outputSchema);
  const shown = leanSchema(inputSchema);
  if (knowsStructure(revision))
    return { name, title, description, inputSchema: shown, outputSchema, annotations };
  return { name, description, inputSchema: shown, annotations: { title, ...annotations } };
}
