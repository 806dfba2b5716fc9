import { type MouseEvent, type ToggleEvent, useId, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { ConfirmDialog } from '../../shell/action-buttons.tsx';
import { useAction } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { matchesConditions } from '../conditions.ts';
import { buildActionMutation, type RecordValues } from '../document.ts';
import type { FormAction, ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { ArgumentsDialog } from './arguments-dialog.tsx';

/** Maximum number of buttons. If there are more actions, the last button opens a menu. */
const MAX_BUTTONS = 3;

interface OperationButtonsProps {
  model: ModelDescription;
  record: RecordValues;
  isDirty: boolean;
  reload(): void;
}

/** Buttons for the operations that the model offers for the record. */
export function OperationButtons({ model, record, isDirty, reload }: OperationButtonsProps) {
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
  const actions = listActions(model, record);
  const buttonCount = actions.length > MAX_BUTTONS ? MAX_BUTTONS - 1 : MAX_BUTTONS;
  return (
    <>
      {actions.slice(0, buttonCount).map((action) => (
        <Button
          key={action.operation}
          look={action.primary ? 'primary' : 'plain'}
          disabled={isDirty}
          isBusy={isBusy}
          onClick={onSingleClick(() => start(action))}
        >
          {action.label}
        </Button>
      ))}
      {actions.length > buttonCount && (
        <ActionMenu
          actions={actions.slice(buttonCount)}
          isDisabled={isDirty}
          isBusy={isBusy}
          onStart={start}
        />
      )}
      {asked && asked.arguments.length > 0 && (
        <ArgumentsDialog
          action={asked}
          onSubmit={(values) => run(asked, values)}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.arguments.length === 0 && (
        <ConfirmDialog
          title={asked.label}
          text={asked.question}
          yes={asked.label}
          onYes={() => run(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

function listActions(model: ModelDescription, record: RecordValues): FormAction[] {
  const actions = model.operations.flatMap(({ field, action }) =>
    action && matchesConditions(model, record, action.conditions) ? { ...action, operation: field } : [],
  );
  return actions.sort((a, b) => Number(b.primary) - Number(a.primary));
}

/** Ignores the second click of a double click, because the first one may have replaced the button. */
const onSingleClick = (run: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) run();
};

interface ActionMenuProps {
  actions: FormAction[];
  isDisabled: boolean;
  isBusy: boolean;
  onStart(action: FormAction): void;
}

function ActionMenu({ actions, isDisabled, isBusy, onStart }: ActionMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const place = ({ currentTarget: { style } }: ToggleEvent<HTMLElement>) => {
    const { left, bottom } = button.current!.getBoundingClientRect();
    style.inset = `${bottom}px auto auto ${Math.max(0, Math.min(left, innerWidth - MENU_WIDTH))}px`;
  };
  return (
    <>
      <Button ref={button} icon="more" disabled={isDisabled} isBusy={isBusy} popoverTarget={id}>
        {recordStrings.moreActions}
      </Button>
      <div ref={menu} id={id} popover="auto" className="menu" onBeforeToggle={place}>
        {actions.map((action) => (
          <button
            key={action.operation}
            type="button"
            onClick={() => {
              menu.current!.hidePopover();
              onStart(action);
            }}
          >
            {action.label}
          </button>
        ))}
      </div>
    </>
  );
}

const MENU_WIDTH = 240;
