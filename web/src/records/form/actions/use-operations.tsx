import { type ReactNode, useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { ConfirmDialog } from '../../../shell/action-buttons.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { matchesConditions } from '../../conditions.ts';
import { buildActionMutation, type RecordValues } from '../../document.ts';
import type { FormAction, ModelDescription } from '../../model.ts';
import { recordStrings } from '../../strings.ts';
import type { RecordAction } from './action-row.tsx';
import { ArgumentsDialog } from './arguments-dialog.tsx';

interface RecordOperations {
  actions: RecordAction[];
  isBusy: boolean;
  /** Asks for confirmation or arguments after an action was chosen. */
  dialog: ReactNode;
}

/** Returns the operations that the model offers for the record. */
export function useOperations(
  model: ModelDescription,
  record: RecordValues,
  reload: () => void,
): RecordOperations {
  const [asked, setAsked] = useState<FormAction | null>(null);
  const { isBusy, act } = useAction();
  const run = async (action: FormAction, values: object = {}) => {
    await runMutation(buildActionMutation(action), { ids: [record.id], ...values });
    showToast(recordStrings.saved);
    reload();
    // The button may no longer exist.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  };
  const start = (action: FormAction) =>
    action.question === null && action.arguments.length === 0
      ? void act(() => run(action))
      : setAsked(action);
  const actions = listActions(model, record).map((action) => ({
    key: action.operation,
    label: action.label,
    look: action.primary ? ('primary' as const) : ('plain' as const),
    run: () => start(action),
  }));
  const close = () => setAsked(null);
  const dialog =
    asked &&
    (asked.arguments.length > 0 ? (
      <ArgumentsDialog action={asked} onSubmit={(values) => run(asked, values)} onClose={close} />
    ) : (
      <ConfirmDialog
        title={asked.label}
        text={asked.question}
        yes={asked.label}
        onYes={() => run(asked)}
        onClose={close}
      />
    ));
  return { actions, isBusy, dialog };
}

function listActions(model: ModelDescription, record: RecordValues): FormAction[] {
  const actions = model.operations.flatMap(({ field, action }) =>
    action && matchesConditions(model, record, action.conditions) ? { ...action, operation: field } : [],
  );
  return actions.sort((a, b) => Number(b.primary) - Number(a.primary));
}
