import '../menu.css';
import { type ReactNode, type ToggleEvent, useId, useRef } from 'react';
import { shellStrings } from '../../i18n/shell-strings.ts';
import { Button, type ButtonProps, IconButton } from '../button.tsx';

interface MoreMenuProps extends Pick<ButtonProps, 'disabled' | 'isBusy'> {
  /** True if the button has no text. */
  isIcon?: boolean;
  /** Buttons and links. */
  children: ReactNode;
}

/** A button that opens a menu of the actions that have no button of their own. */
export function MoreMenu({ isIcon = false, children, ...rest }: MoreMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = ({ currentTarget: { style } }: ToggleEvent<HTMLElement>) => {
    const { left, bottom } = button.current!.getBoundingClientRect();
    style.inset = `${bottom}px auto auto ${Math.max(0, Math.min(left, innerWidth - MENU_WIDTH))}px`;
  };
  const common = { ...rest, ref: button, icon: 'more', popoverTarget: id } as const;
  return (
    <>
      {isIcon ? (
        <IconButton {...common} label={shellStrings.moreActions} />
      ) : (
        <Button {...common}>{shellStrings.moreActions}</Button>
      )}
      <div
        id={id}
        popover="auto"
        className="menu"
        onBeforeToggle={place}
        onClickCapture={({ currentTarget }) => currentTarget.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}

const MENU_WIDTH = 240;
