import type { defineOperation } from '../../src/engine/operation/operation.ts';
import { defineEnumShape } from '../../src/engine/operation/shape.ts';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';

export const AgentToolGroup = defineEnumShape('AgentToolGroup', 'A group of MCP tools.', {
  data: 'Records: search, get, count, find, create, update, delete, call and aggregate.',
  schema: 'Models and their fields.',
  mail: 'Mailboxes: reading, organizing and sending.',
  live: 'The platform, its modules and the time.',
  website: 'Pages, menus and redirects of websites.',
});

export const AGENT_BOUNDS = {
  toolGroups:
    'MCP tool groups that the key is limited to. A limited key works with no other protocol. Empty if the ' +
    'key is not limited.',
  callsPerDay: 'Maximum number of tool calls that an agent may make per day (UTC); null for no limit.',
  sendsPerDay: 'Maximum number of messages that an agent may send per day (UTC); null for no limit.',
  changesPerDay: 'Maximum number of records that an agent may change per day (UTC); null for no limit.',
};

/** A key with any of these limits grants access only to the MCP server. */
export interface AgentKeyBounds {
  toolGroups?: string[] | null;
  callsPerDay?: number | null;
  sendsPerDay?: number | null;
  changesPerDay?: number | null;
}

type ArgumentBuilder = Parameters<Parameters<typeof defineOperation>[1]['args']>[0];

export const buildAgentKeyArguments = (arg: ArgumentBuilder) => ({
  toolGroups: arg({
    type: [AgentToolGroup.ref as never],
    description: 'MCP tool groups that the key may use. If set, the key works only with the MCP server.',
  }),
  callsPerDay: arg.int({
    description: 'Maximum number of MCP tool calls per day. If set, the key works only with the MCP server.',
  }),
  sendsPerDay: arg.int({
    description:
      'Maximum number of messages that the agent may send per day. If set, the key works only with the MCP server.',
  }),
  changesPerDay: arg.int({
    description:
      'Maximum number of records that the agent may change per day. If set, the key works only with the MCP server.',
  }),
});

/** @throws BAD_VALUE */
export function validateBounds(bounds: AgentKeyBounds): AgentKeyBounds {
  for (const name of ['callsPerDay', 'sendsPerDay', 'changesPerDay'] as const)
    checkBudget(name, bounds[name]);
  return { ...bounds, toolGroups: bounds.toolGroups?.length ? [...new Set(bounds.toolGroups)] : null };
}

/** @throws BAD_VALUE */
export function checkBudget(name: string, value: number | null | undefined): void {
  if (value == null || (Number.isInteger(value) && value >= 0 && value <= limits.agent.budget)) return;
  throw errors.badValue(`${name}: must be a whole number from 0 to ${limits.agent.budget}`);
}
