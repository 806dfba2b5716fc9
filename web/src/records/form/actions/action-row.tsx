import type { MouseEvent } from 'react';
import { Button, type ButtonProps } from '../../../ui/button.tsx';
import { MoreMenu } from '../../../ui/layout/more-menu.tsx';

export interface RecordAction extends Pick<ButtonProps, 'look' | 'icon'> {
  key: string;
  label: string;
  run(): void;
}

/** Maximum number of buttons. If there are more actions, the last button opens a menu. */
const MAX_BUTTONS = 3;

interface ActionRowProps {
  actions: RecordAction[];
  isDisabled: boolean;
  isBusy: boolean;
}

export function ActionRow({ actions, isDisabled, isBusy }: ActionRowProps) {
  const buttonCount = actions.length > MAX_BUTTONS ? MAX_BUTTONS - 1 : MAX_BUTTONS;
  return (
    <>
      {actions.slice(0, buttonCount).map(({ key, label, run, ...button }) => (
        <Button key={key} {...button} disabled={isDisabled} isBusy={isBusy} onClick={onSingleClick(run)}>
          {label}
        </Button>
      ))}
      {actions.length > buttonCount && (
        <MoreMenu disabled={isDisabled} isBusy={isBusy}>
          {actions.slice(buttonCount).map(({ key, label, run }) => (
            <button key={key} type="button" onClick={run}>
              {label}
            </button>
          ))}
        </MoreMenu>
      )}
    </>
  );
}

/** Ignores the second click of a double click, because the first one may have replaced the button. */
const onSingleClick = (run: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) run();
};
