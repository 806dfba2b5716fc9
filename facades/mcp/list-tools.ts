import { createCache, memoizePerObject } from '../../src/cache.ts';
import { stringifyMembers } from '../../src/json.ts';
import { allowsTool } from './agent/tool-filter.ts';
import { loadDisabledFeatures } from './features.ts';
import { type McpMessage, rejectCursor } from './protocol/message.ts';
import { type Revision, supportsStructuredContent } from './protocol/revisions.ts';
import type { McpRegistry } from './registry.ts';
import type { McpResult } from './result.ts';
import type { Session } from './session.ts';
import { type Tool, toReadingTool } from './tool.ts';
import { isAllowedFor } from './tool-roles.ts';
import { trimSchema } from './trim-schema.ts';

const MAX_CACHED_LISTS = 200;

export async function listTools(session: Session, message: McpMessage): Promise<McpResult> {
  rejectCursor(message);
  return buildToolList(session, await getVisibleTools(session));
}

/**
 * Returns the tools that the caller's scope and roles allow and whose features are on. For a caller that may not write,
 * tools that can also read are limited to reading.
 */
async function getVisibleTools({ ctx, registry: { tools }, narrowing }: Session): Promise<readonly Tool[]> {
  const disabledFeatures = tools.some(({ feature }) => feature)
    ? await loadDisabledFeatures(ctx)
    : NO_FEATURES;
  const isVisible = (tool: Tool) =>
    allowsTool(narrowing, tool) &&
    isAllowedFor(ctx.principal!, tool) &&
    !(tool.feature && disabledFeatures.has(tool.feature));
  return tools.flatMap((tool) => {
    if (isVisible(tool)) return tool;
    const readingTool = toReadingTool(tool);
    return readingTool && isVisible(readingTool) ? readingTool : [];
  });
}

const NO_FEATURES: ReadonlySet<string> = new Set();

/** Cached, because every client requests the list when it connects, and there are few distinct lists. */
const toolListCache = memoizePerObject((_registry: McpRegistry) =>
  createCache<string, McpResult>({ entries: MAX_CACHED_LISTS }),
);

function buildToolList({ registry, revision }: Session, tools: readonly Tool[]): McpResult {
  const key = `${supportsStructuredContent(revision)} ${tools.map(({ name, scope }) => `${name}/${scope}`).join(' ')}`;
  return toolListCache(registry).getOrCreate(key, () => ({
    members: Buffer.from(stringifyMembers({ tools: tools.map((tool) => buildDeclaration(tool, revision)) })),
    cacheable: true,
  }));
}

/** Builds a declaration. Clients of older revisions support neither titles nor output schemas. */
function buildDeclaration(tool: Tool, revision: Revision): object {
  const { name, title, description, inputSchema, annotations } = tool;
  const outputSchema = trimSchema(tool.outputSchema);
  const inputProperties = trimSchema(inputSchema);
  if (supportsStructuredContent(revision))
    return { name, title, description, inputSchema: inputProperties, outputSchema, annotations };
  return { name, description, inputSchema: inputProperties, annotations: { title, ...annotations } };
}
