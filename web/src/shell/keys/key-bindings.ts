import { useSyncExternalStore } from 'react';

// Keys that a person has chosen in place of those the application has. The server keeps them; a copy in the browser
// makes them work at once.

/** What is pressed by what the application calls for; empty for a shortcut that is switched off. */
export type KeyBindings = Readonly<Record<string, string>>;

/** The name under which the server keeps them. */
export const KEY_BINDINGS_NAME = 'shell.keys';
const STORAGE_KEY = 'atrium.keys';

const listeners = new Set<() => void>();
let current: KeyBindings = parseKeyBindings(readStored());

export const getKeyBindings = (): KeyBindings => current;

/** Changes them here, in this browser. */
export function applyKeyBindings(next: KeyBindings): void {
  current = next;
  localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  for (const heard of listeners) heard();
}

export const useKeyBindings = (): KeyBindings =>
  useSyncExternalStore((heard) => {
    listeners.add(heard);
    return () => listeners.delete(heard);
  }, getKeyBindings);

/** Those of what was kept, whatever that is. Pure. */
export function parseKeyBindings(values: unknown): KeyBindings {
  if (typeof values !== 'object' || values === null) return {};
  return Object.fromEntries(
    Object.entries(values).filter((each): each is [string, string] => typeof each[1] === 'string'),
  );
}

function readStored(): unknown {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    return {};
  }
}

/** Whether a shortcut can have another key: those with Ctrl are not hit by mistake. Pure. */
export const isRebindable = (keys: string): boolean => !keys.includes('$mod') && !keys.includes('Control');

type KeyInput = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** A key as shortcuts write it; undefined for one that cannot be a shortcut. Pure. */
export function toShortcutKeys({ key, ctrlKey, metaKey, altKey }: KeyInput): string | undefined {
  if (ctrlKey || metaKey || altKey || [...key].length !== 1 || key === ' ') return;
  if (key.toLowerCase() !== key) return `Shift+${key}`;
  return /[\p{L}\p{N}]/u.test(key) ? key : `[Shift]+${key}`;
}

/** Keys as people read them. Pure. */
export const formatKeys = (keys: string): string => keys.replace('$mod+', 'Ctrl ').replace('[Shift]+', '');
