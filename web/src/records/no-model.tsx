import { Screen } from '../shell/screen.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { recordWords } from './words.ts';

/** In place of records of a model that is not there for the person. */
export const NoModel = ({ name }: { name: string }) => (
  <Screen title={name} needs="modelDescribe">
    <EmptyState title={recordWords.noModel}>
      <p>{recordWords.noModelText}</p>
    </EmptyState>
  </Screen>
);
