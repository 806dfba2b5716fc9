import type { Prompt } from './prompts/prompt.ts';
import type { ResourceKind } from './resources/resource.ts';
import type { Tool } from './tool.ts';

export interface McpRegistry {
  /** In the order that `tools/list` returns them. */
  tools: readonly Tool[];
  byName: ReadonlyMap<string, Tool>;
  resources: readonly ResourceKind[];
  prompts: readonly Prompt[];
}

/** @throws Error for a duplicate tool name */
export function createMcpRegistry(
  tools: readonly Tool[],
  extra: Partial<Pick<McpRegistry, 'resources' | 'prompts'>> = {},
): McpRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length) throw new Error('two tools have the same name');
  return { tools, byName, resources: [], prompts: [], ...extra };
}
