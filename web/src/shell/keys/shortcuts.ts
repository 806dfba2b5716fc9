import { useEffect, useRef } from 'react';
import { tinykeys } from 'tinykeys';
import { getViewPreferences } from '../../ui/view-preferences.ts';
import { useKeyBindings } from './key-bindings.ts';

export interface Shortcut {
  /** In tinykeys notation, such as `j`, `g i` or `$mod+k`. */
  keys: string;
  /** Shown in the help (`?`). */
  label: string;
  run(event: KeyboardEvent): void;
}

const current = new Set<{ shortcuts: Shortcut[] }>();

/** Returns the shortcuts of all mounted components, without duplicates. */
export const getActiveShortcuts = (): Shortcut[] => [
  ...new Map(
    [...current].flatMap(({ shortcuts }) => shortcuts).map((shortcut) => [shortcut.keys, shortcut]),
  ).values(),
];

/**
 * Registers shortcuts while the component is mounted. Single keys are ignored in inputs, dialogs and menus, and if the
 * user has disabled them.
 */
export function useShortcuts(shortcuts: Shortcut[]): void {
  const holderRef = useRef({ shortcuts });
  holderRef.current.shortcuts = shortcuts;
  const keys = shortcuts.map((shortcut) => shortcut.keys).join('\n');
  const choices = useKeyBindings();
  useEffect(() => {
    const holder = holderRef.current;
    current.add(holder);
    const run = (keys: string) => (event: KeyboardEvent) => {
      event.preventDefault();
      holder.shortcuts.find((shortcut) => shortcut.keys === keys)?.run(event);
    };
    const pressed = keys.split('\n').map((keys) => [choices[keys] ?? keys, run(keys)] as const);
    const bindings = Object.fromEntries(pressed.filter(([key]) => key !== ''));
    const stop = tinykeys(window, bindings, { ignore: isIgnoredEvent });
    return () => {
      stop();
      current.delete(holder);
    };
  }, [keys, choices]);
}

const isIgnoredEvent = (event: KeyboardEvent): boolean =>
  event.isComposing ||
  (!event.ctrlKey &&
    !event.metaKey &&
    (!getViewPreferences().shortcuts || capturesKeys(event.target as Element)));

/** True if the focused element handles keys itself. */
const capturesKeys = (target: Element): boolean =>
  target.closest?.(
    'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=gridcell]',
  ) !== null;
