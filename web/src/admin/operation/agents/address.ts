import { givenName, givenText } from '../given.ts';
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
export const agentsView = ({ q, state }: Record<string, unknown>): AgentsView => ({
  q: givenText(q),
  state: givenName(AGENT_STATES, state),
});

/** What the view asks of the server. Pure. */
export const agentsAsked = ({ q, state }: AgentsView): Omit<AgentsQueryVariables, 'first' | 'offset'> => ({
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

export const OUTCOMES: McpCallOutcome[] = ['DONE', 'ASKED', 'HELD', 'REFUSED'];

/** Pure. */
export const trailView = ({ q, tool, outcome, call }: Record<string, unknown>): TrailView => ({
  q: givenText(q),
  tool: givenText(tool),
  outcome: givenName(OUTCOMES, outcome),
  call: givenText(call),
});

/** Which held actions are shown, as it stands behind `?`; those that wait unless it says otherwise. */
export interface HeldView {
  state?: HeldShown;
  /** The action that is open beside the list. */
  id?: string;
}

export const HELD_SHOWN = ['waiting', 'decided', 'all'] as const;
export type HeldShown = (typeof HELD_SHOWN)[number];

/** Pure. */
export const heldView = ({ state, id }: Record<string, unknown>): HeldView => ({
  state: givenName(HELD_SHOWN, state),
  id: givenText(id),
});

/** States that the view asks for. Pure. */
export function heldStates({ state = 'waiting' }: HeldView): HeldActionState[] | undefined {
  if (state === 'all') return undefined;
  return state === 'waiting' ? ['WAITING', 'RUNNING'] : ['DONE', 'FAILED', 'REFUSED', 'EXPIRED'];
}
