import { createChoiceParser, createViewParser, parseText } from '../../../ui/input/search-params.ts';
import type { AgentsQueryVariables, HeldActionState, McpCallOutcome } from './generated.ts';

export const AGENT_STATES = ['active', 'revoked'] as const;

export const parseAgentsView = createViewParser({
  /** Part of the name that the program reports. */
  q: parseText,
  state: createChoiceParser(AGENT_STATES),
});

export type AgentsView = ReturnType<typeof parseAgentsView>;

export const toAgentsVariables = ({
  q,
  state,
}: AgentsView): Omit<AgentsQueryVariables, 'first' | 'offset'> => ({
  q,
  isActive: state && state === 'active',
});

export const CALL_OUTCOMES: McpCallOutcome[] = ['DONE', 'ASKED', 'HELD', 'REFUSED'];

export const parseTrailView = createViewParser({
  q: parseText,
  tool: parseText,
  outcome: createChoiceParser(CALL_OUTCOMES),
  call: parseText,
});

export type TrailView = ReturnType<typeof parseTrailView>;

export const HELD_ACTION_FILTERS = ['waiting', 'decided', 'all'] as const;

/** Without `state`, only pending actions are listed. */
export const parseHeldActionsView = createViewParser({
  state: createChoiceParser(HELD_ACTION_FILTERS),
  id: parseText,
});

export type HeldActionsView = ReturnType<typeof parseHeldActionsView>;

export function getHeldActionStates({ state = 'waiting' }: HeldActionsView): HeldActionState[] | undefined {
  if (state === 'all') return undefined;
  return state === 'waiting' ? ['WAITING', 'RUNNING'] : ['DONE', 'FAILED', 'REFUSED', 'EXPIRED'];
}
