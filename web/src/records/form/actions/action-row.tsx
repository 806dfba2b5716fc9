import { type MouseEvent, type ToggleEvent, useId, useRef } from 'react';
import { Button, type ButtonProps } from '../../../ui/button.tsx';
import { recordStrings } from '../../strings.ts';

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
        <ActionMenu actions={actions.slice(buttonCount)} isDisabled={isDisabled} isBusy={isBusy} />
      )}
    </>
  );
}

/** Ignores the second click of a double click, because the first one may have replaced the button. */
const onSingleClick = (run: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) run();
};

function ActionMenu({ actions, isDisabled, isBusy }: ActionRowProps) {
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
        {actions.map(({ key, label, run }) => (
          <button
            key={key}
            type="button"
            onClick={() => {
              menu.current!.hidePopover();
              run();
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  );
}

const MENU_WIDTH = 240;
