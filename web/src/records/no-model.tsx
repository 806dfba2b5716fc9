import { Screen } from '../shell/screen.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { recordStrings } from './strings.ts';

/** In place of records of a model that is not there for the person. */
export const NoModel = ({ name }: { name: string }) => (
  <Screen title={name} needs="modelDescribe">
    <EmptyState title={recordStrings.noModel}>
      <p>{recordStrings.noModelText}</p>
    </EmptyState>
  </Screen>
);
