import type { Principal } from '../../../src/engine/model/principal.ts';
import { limits } from '../../../src/limits.ts';

// A connection can be narrowed by its address and by headers, for clients that let people write only one of the two.
// Each can take tools away; nothing adds one.

/** Which tools a connection opens; null where a list does not narrow. */
export interface ToolFilter {
  groups: readonly ReadonlySet<string>[];
  tools: readonly ReadonlySet<string>[];
  exclude: ReadonlySet<string>;
  readonly: boolean;
}

/** What a connection opens or does not: a tool, or what is as good as one. */
export interface FilteredTool {
  name: string;
  group: string;
  scope: 'read' | 'write';
}

/** By `/mcp?groups=data&readonly=1&tools=…&exclude=…`, the same as headers (`X-MCP-Groups`), and by the key. Pure. */
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
    readonly: getValues('readonly').some(isOn),
  };
}

/** The groups that every list has; null where none narrows. Pure. */
export const openGroups = ({ groups: [first, ...more] }: ToolFilter): ReadonlySet<string> | null =>
  first ? new Set([...first].filter((group) => more.every((each) => each.has(group)))) : null;

const parseNames = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(',', limits.agent.narrowing)
      .map((name) => name.trim())
      .filter(Boolean),
  );

/** What is neither on nor off narrows: a misspelt word must not open what it was to close. */
const isOn = (text: string): boolean => !['0', 'false', 'no', 'off'].includes(text.trim().toLowerCase());

/** Whether the connection opens the tool. Pure. */
export const allowsTool = (
  { groups, tools, exclude, readonly }: ToolFilter,
  { name, group, scope }: FilteredTool,
): boolean =>
  groups.every((each) => each.has(group)) &&
  tools.every((each) => each.has(name)) &&
  !exclude.has(name) &&
  !(readonly && scope === 'write');
