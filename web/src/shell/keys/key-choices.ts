import { useSyncExternalStore } from 'react';

// Keys that a person has chosen in place of those the application has. The server keeps them; a copy in the browser
// makes them work at once.

/** What is pressed by what the application calls for; empty for a shortcut that is switched off. */
export type KeyChoices = Readonly<Record<string, string>>;

/** The name under which the server keeps them. */
export const KEY_CHOICES = 'shell.keys';
const PLACE = 'atrium.keys';

const listeners = new Set<() => void>();
let now: KeyChoices = choicesIn(kept());

export const keyChoices = (): KeyChoices => now;

/** Changes them here, in this browser. */
export function applyKeyChoices(next: KeyChoices): void {
  now = next;
  localStorage.setItem(PLACE, JSON.stringify(now));
  for (const heard of listeners) heard();
}

export const useKeyChoices = (): KeyChoices =>
  useSyncExternalStore((heard) => {
    listeners.add(heard);
    return () => listeners.delete(heard);
  }, keyChoices);

/** Those of what was kept, whatever that is. Pure. */
export function choicesIn(values: unknown): KeyChoices {
  if (typeof values !== 'object' || values === null) return {};
  return Object.fromEntries(
    Object.entries(values).filter((each): each is [string, string] => typeof each[1] === 'string'),
  );
}

function kept(): unknown {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}');
  } catch {
    return {};
  }
}

/** Whether a shortcut can have another key: those with Ctrl are not hit by mistake. Pure. */
export const isChangeable = (keys: string): boolean => !keys.includes('$mod') && !keys.includes('Control');

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** A key as shortcuts write it; undefined for one that cannot be a shortcut. Pure. */
export function keysOf({ key, ctrlKey, metaKey, altKey }: Pressed): string | undefined {
  if (ctrlKey || metaKey || altKey || [...key].length !== 1 || key === ' ') return;
  if (key.toLowerCase() !== key) return `Shift+${key}`;
  return /[\p{L}\p{N}]/u.test(key) ? key : `[Shift]+${key}`;
}

/** Keys as people read them. Pure. */
export const keysShown = (keys: string): string => keys.replace('$mod+', 'Ctrl ').replace('[Shift]+', '');
