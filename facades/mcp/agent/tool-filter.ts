import { TOOL_GROUPS } from '../../../src/engine/model/model.ts';
import type { Principal } from '../../../src/engine/model/principal.ts';
import { rpcErrors } from '../protocol/rpc-error.ts';

// Clients can narrow a connection by URL or by headers, because some support only one of these. Both can only remove
// tools.

const MAX_FILTER_NAMES = 100;

/** A connection exposes the tools that all lists allow. */
export interface ToolFilter {
  groups: readonly ReadonlySet<string>[];
  tools: readonly ReadonlySet<string>[];
  exclude: ReadonlySet<string>;
  readonly: boolean;
}

/** A tool, or a resource or prompt that is equivalent to one. */
export interface FilteredTool {
  name: string;
  group: string;
  scope: 'read' | 'write';
}

/**
 * Reads the tool filter from the URL (`/mcp?groups=data&readonly=1&tools=…&exclude=…`), from the equivalent headers
 * (such as `X-MCP-Groups`), and from the key.
 */
export function parseToolFilter({ url, headers }: Request, { agentKey }: Principal): ToolFilter {
  const query = new URLSearchParams(url.includes('?') ? new URL(url).search : '');
  const getValues = (name: string): string[] => [
    ...query.getAll(name),
    ...(headers.has(`x-mcp-${name}`) ? [headers.get(`x-mcp-${name}`)!] : []),
  ];
  const lists = (name: string) => getValues(name).map(parseNames);
  return {
    groups: [...lists('groups'), ...(agentKey?.groups ? [new Set(agentKey.groups)] : [])],
    tools: lists('tools'),
    exclude: new Set(lists('exclude').flatMap((names) => [...names])),
    readonly: getValues('readonly').some(isTruthy),
  };
}

/**
 * Rejects unknown names of groups and tools. A misspelled name would otherwise silently remove tools or, in `exclude`,
 * expose them.
 * @throws RpcError
 */
export function checkToolFilter(
  { groups, tools, exclude }: ToolFilter,
  registered: readonly { name: string }[],
): void {
  const group = findUnknown(groups, TOOL_GROUPS);
  if (group)
    throw rpcErrors.invalidRequest(
      `there is no group of tools ${quote(group)}. Groups: ${TOOL_GROUPS.join(', ')}`,
    );
  const names = registered.map(({ name }) => name);
  const tool = findUnknown([...tools, exclude], names);
  if (tool) throw rpcErrors.invalidRequest(`there is no tool ${quote(tool)}. Tools: ${names.join(', ')}`);
}

const findUnknown = (lists: readonly ReadonlySet<string>[], known: readonly string[]): string | undefined =>
  lists.flatMap((names) => [...names]).find((name) => !known.includes(name));

const quote = (name: string): string => JSON.stringify(name.slice(0, 100));

/** Returns the groups common to all lists. Null if there are no lists. */
export const getCommonGroups = ({ groups: [first, ...rest] }: ToolFilter): ReadonlySet<string> | null =>
  first ? new Set([...first].filter((group) => rest.every((item) => item.has(group)))) : null;

const parseNames = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(',', MAX_FILTER_NAMES)
      .map((name) => name.trim())
      .filter(Boolean),
  );

/** Treats unknown values as on, so that a typo narrows the connection instead of exposing tools. */
const isTruthy = (text: string): boolean => !['0', 'false', 'no', 'off'].includes(text.trim().toLowerCase());

export const allowsTool = (
  { groups, tools, exclude, readonly }: ToolFilter,
  { name, group, scope }: FilteredTool,
): boolean =>
  groups.every((item) => item.has(group)) &&
  tools.every((tool) => tool.has(name)) &&
  !exclude.has(name) &&
  !(readonly && scope === 'write');
