import { TOOL_GROUPS } from '../../../src/engine/model/model.ts';
import type { Principal } from '../../../src/engine/model/principal.ts';
import { rpcErrors } from '../protocol/rpc-error.ts';

// Clients can narrow a connection by URL or by headers, because some support only one of these. Both can only remove
// tools.

const MAX_FILTER_NAMES = 100;

const PARAMETERS = ['groups', 'tools', 'exclude', 'readonly'] as const;

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
 * @throws RpcError for an unknown parameter, which may be a misspelled limit
 */
export function parseToolFilter({ url, headers }: Request, { agentKey }: Principal): ToolFilter {
  const query = [...new URLSearchParams(url.includes('?') ? new URL(url).search : '')].map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  checkNames('parameter', 'Parameters', [query.map(([name]) => name)], PARAMETERS);
  const getValues = (parameter: (typeof PARAMETERS)[number]): string[] => [
    ...query.flatMap(([name, value]) => (name === parameter ? value : [])),
    ...(headers.has(`x-mcp-${parameter}`) ? [headers.get(`x-mcp-${parameter}`)!] : []),
  ];
  const lists = (parameter: 'groups' | 'tools' | 'exclude') => getValues(parameter).map(parseNames);
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
  checkNames('group of tools', 'Groups', groups, TOOL_GROUPS);
  checkNames(
    'tool',
    'Tools',
    [...tools, exclude],
    registered.map(({ name }) => name),
  );
}

function checkNames(
  kind: string,
  plural: string,
  lists: readonly Iterable<string>[],
  known: readonly string[],
): void {
  const unknown = lists.flatMap((names) => [...names]).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw rpcErrors.invalidRequest(`there is no ${kind} ${quote(unknown)}. ${plural}: ${known.join(', ')}`);
}

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
