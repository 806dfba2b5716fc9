import { parseChoice, parseText } from '../../../ui/input/search-params.ts';
import type { AgentsQueryVariables, HeldActionState, McpCallOutcome } from './generated.ts';

export interface AgentsView {
  /** Part of the name that the program reports. */
  q?: string;
  state?: AgentState;
}

export const AGENT_STATES = ['active', 'revoked'] as const;
type AgentState = (typeof AGENT_STATES)[number];

export const parseAgentsView = ({ q, state }: Record<string, unknown>): AgentsView => ({
  q: parseText(q),
  state: parseChoice(AGENT_STATES, state),
});

export const toAgentsVariables = ({
  q,
  state,
}: AgentsView): Omit<AgentsQueryVariables, 'first' | 'offset'> => ({
  q,
  isActive: state && state === 'active',
});

export interface TrailView {
  q?: string;
  tool?: string;
  outcome?: McpCallOutcome;
  call?: string;
}

export const CALL_OUTCOMES: McpCallOutcome[] = ['DONE', 'ASKED', 'HELD', 'REFUSED'];

export const parseTrailView = ({ q, tool, outcome, call }: Record<string, unknown>): TrailView => ({
  q: parseText(q),
  tool: parseText(tool),
  outcome: parseChoice(CALL_OUTCOMES, outcome),
  call: parseText(call),
});

/** Without `state`, only pending actions are listed. */
export interface HeldActionsView {
  state?: HeldActionFilter;
  id?: string;
}

export const HELD_ACTION_FILTERS = ['waiting', 'decided', 'all'] as const;
type HeldActionFilter = (typeof HELD_ACTION_FILTERS)[number];

export const parseHeldActionsView = ({ state, id }: Record<string, unknown>): HeldActionsView => ({
  state: parseChoice(HELD_ACTION_FILTERS, state),
  id: parseText(id),
});

export function getHeldActionStates({ state = 'waiting' }: HeldActionsView): HeldActionState[] | undefined {
  if (state === 'all') return undefined;
  return state === 'waiting' ? ['WAITING', 'RUNNING'] : ['DONE', 'FAILED', 'REFUSED', 'EXPIRED'];
}
