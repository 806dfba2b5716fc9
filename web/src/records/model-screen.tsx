import type { ReactNode } from 'react';
import { LoadStatus } from '../shell/loading.tsx';
import { Screen } from '../shell/screen.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { ModelDescription } from './model.ts';
import { recordStrings } from './strings.ts';
import { useModel } from './use-model.ts';

interface ModelScreenProps {
  name: string;
  query: 'listField' | 'queryField';
  children(model: ModelDescription): ReactNode;
}

/** Renders the screen once the model's description has loaded, provided that the user can read the model. */
export function ModelScreen({ name, query, children }: ModelScreenProps) {
  const { model, refusal, reload } = useModel(name);
  if (model) return model[query] && model.access.read ? children(model) : <NoModel />;
  if (refusal?.code === 'NOT_FOUND_MODEL') return <NoModel />;
  return (
    <Screen title={recordStrings.title}>
      <LoadStatus refusal={refusal} onAgain={reload} />
    </Screen>
  );
}

export const NoModel = () => (
  <Screen title={recordStrings.title}>
    <EmptyState title={recordStrings.modelNotFound} text={recordStrings.modelNotFoundText} />
  </Screen>
);
