import { StatusBadge } from '../../../ui/status-badge.tsx';
import { operationStrings } from '../strings.ts';
import type { McpCallFactsFragment } from './generated.ts';
import { OUTCOME_TONES } from './tones.ts';

/** How a call ended. Calls of earlier versions have no outcome, and say only whether they succeeded. */
export function OutcomeBadge({ outcome, success }: Pick<McpCallFactsFragment, 'outcome' | 'success'>) {
  const shown = outcome ?? (success ? 'DONE' : 'REFUSED');
  return <StatusBadge tone={OUTCOME_TONES[shown]}>{operationStrings.outcomes[shown]}</StatusBadge>;
}
