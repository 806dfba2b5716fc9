import { parseChoice, parseText } from '../search-params.ts';
import type { AgentsQueryVariables, HeldActionState, McpCallOutcome } from './generated.ts';

/** Which agents are shown, as it stands behind `?`. */
export interface AgentsView {
  /** Part of what the program calls itself. */
  q?: string;
  state?: AgentState;
}

export const AGENT_STATES = ['active', 'revoked'] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** Pure. */
export const parseAgentsView = ({ q, state }: Record<string, unknown>): AgentsView => ({
  q: parseText(q),
  state: parseChoice(AGENT_STATES, state),
});

/** What the view asks of the server. Pure. */
export const toAgentsVariables = ({
  q,
  state,
}: AgentsView): Omit<AgentsQueryVariables, 'first' | 'offset'> => ({
  q,
  isActive: state && state === 'active',
});

/** Which calls of an agent are shown, as it stands behind `?`. */
export interface TrailView {
  /** Part of the arguments. */
  q?: string;
  tool?: string;
  outcome?: McpCallOutcome;
  /** The call that is open. */
  call?: string;
}

export const CALL_OUTCOMES: McpCallOutcome[] = ['DONE', 'ASKED', 'HELD', 'REFUSED'];

/** Pure. */
export const parseTrailView = ({ q, tool, outcome, call }: Record<string, unknown>): TrailView => ({
  q: parseText(q),
  tool: parseText(tool),
  outcome: parseChoice(CALL_OUTCOMES, outcome),
  call: parseText(call),
});

/** Which held actions are shown, as it stands behind `?`; those that wait unless it says otherwise. */
export interface HeldActionsView {
  state?: HeldActionFilter;
  /** The action that is open beside the list. */
  id?: string;
}

export const HELD_ACTION_FILTERS = ['waiting', 'decided', 'all'] as const;
export type HeldActionFilter = (typeof HELD_ACTION_FILTERS)[number];

/** Pure. */
export const parseHeldActionsView = ({ state, id }: Record<string, unknown>): HeldActionsView => ({
  state: parseChoice(HELD_ACTION_FILTERS, state),
  id: parseText(id),
});

/** States that the view asks for. Pure. */
export function getHeldActionStates({ state = 'waiting' }: HeldActionsView): HeldActionState[] | undefined {
  if (state === 'all') return undefined;
  return state === 'waiting' ? ['WAITING', 'RUNNING'] : ['DONE', 'FAILED', 'REFUSED', 'EXPIRED'];
}
