import { Screen } from '../shell/screen.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { recordStrings } from './strings.ts';

/** Shown if a model does not exist or the user cannot access it. */
export const NoModel = () => (
  <Screen title={recordStrings.title} needs="modelDescribe">
    <EmptyState title={recordStrings.modelNotFound}>
      <p>{recordStrings.modelNotFoundText}</p>
    </EmptyState>
  </Screen>
);
