import { useSyncExternalStore } from 'react';

// Shortcuts customized by the user. The server stores them. A copy in the browser makes them available immediately.

/** Custom keys by default keys. An empty string disables a shortcut. */
export type KeyBindings = Readonly<Record<string, string>>;

export const KEY_BINDINGS_NAME = 'shell.keys';
const STORAGE_KEY = 'atrium.keys';

const listeners = new Set<() => void>();
let current: KeyBindings = parseKeyBindings(readStoredKeyBindings());

export const getKeyBindings = (): KeyBindings => current;

export function applyKeyBindings(next: KeyBindings): void {
  current = next;
  localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  for (const listener of listeners) listener();
}

export const useKeyBindings = (): KeyBindings =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, getKeyBindings);

export function parseKeyBindings(values: unknown): KeyBindings {
  if (typeof values !== 'object' || values === null) return {};
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function readStoredKeyBindings(): unknown {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    return {};
  }
}

/**
 * True if the user can change the shortcut. Shortcuts with Ctrl are fixed, because users do not press them by accident.
 */
export const isRebindable = (keys: string): boolean => !keys.includes('$mod') && !keys.includes('Control');

type KeyInput = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Returns a pressed key in shortcut notation, or undefined if it cannot be a shortcut. */
export function toShortcutKeys({ key, ctrlKey, metaKey, altKey }: KeyInput): string | undefined {
  if (ctrlKey || metaKey || altKey || [...key].length !== 1 || key === ' ') return;
  if (key.toLowerCase() !== key) return `Shift+${key}`;
  return /[\p{L}\p{N}]/u.test(key) ? key : `[Shift]+${key}`;
}

export const formatKeys = (keys: string): string => keys.replace('$mod+', 'Ctrl ').replace('[Shift]+', '');
