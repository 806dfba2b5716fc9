import { StatusBadge } from '../../../ui/status-badge.tsx';
import { operationStrings } from '../strings.ts';
import type { McpCallFactsFragment } from './generated.ts';
import { OUTCOME_TONES } from './tones.ts';

/** Calls logged by earlier versions have a success flag instead of an outcome. */
export function OutcomeBadge({ outcome, success }: Pick<McpCallFactsFragment, 'outcome' | 'success'>) {
  const displayedOutcome = outcome ?? (success ? 'DONE' : 'REFUSED');
  return (
    <StatusBadge tone={OUTCOME_TONES[displayedOutcome]}>
      {operationStrings.outcomes[displayedOutcome]}
    </StatusBadge>
  );
}
