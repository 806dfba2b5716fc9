import { Screen } from '../shell/screen.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { recordStrings } from './strings.ts';

/** Shown if a model does not exist or the user cannot access it. */
export const NoModel = ({ name }: { name: string }) => (
  <Screen title={name} needs="modelDescribe">
    <EmptyState title={recordStrings.noModel}>
      <p>{recordStrings.noModelText}</p>
    </EmptyState>
  </Screen>
);
