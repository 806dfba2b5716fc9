import { type KeyboardEvent, useState } from 'react';
import { shellStrings } from '../strings.ts';
import { formatKeys, toShortcutKeys } from './key-bindings.ts';

interface KeyPressProps {
  isTaken(keys: string): boolean;
  /** @param keys empty to disable the shortcut, undefined to cancel */
  onKey(keys: string | undefined): void;
}

export function KeyPress({ isTaken, onKey }: KeyPressProps) {
  const [conflict, setConflict] = useState<string>();
  const onKeyDown = (event: KeyboardEvent) => {
    // Tab moves the focus as usual.
    if (event.key === 'Tab' || event.key === 'Shift') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return onKey(undefined);
    if (event.key === 'Backspace') return onKey('');
    const keys = toShortcutKeys(event);
    if (keys === undefined) return;
    if (isTaken(keys)) setConflict(keys);
    else onKey(keys);
  };
  return (
    <span className="key-press">
      <input
        // biome-ignore lint/a11y/noAutofocus: replaces the focused button
        autoFocus
        readOnly
        value={shellStrings.pressKey}
        aria-label={shellStrings.pressKey}
        aria-describedby="key-press-hint"
        onKeyDown={onKeyDown}
        onBlur={() => onKey(undefined)}
      />
      <span id="key-press-hint" className={conflict ? 'small wrong' : 'small quiet'} role="status">
        {conflict ? shellStrings.keyInUse(formatKeys(conflict)) : shellStrings.pressKeyHint}
      </span>
    </span>
  );
}
