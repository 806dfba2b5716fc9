import { useSyncExternalStore } from 'react';

export type ComposerStart =
  | { kind: 'new'; mailbox?: string; to?: string; subject?: string }
  | { kind: 'answer'; mode: ReplyMode; message: string }
  | { kind: 'draft'; id: string; files?: readonly string[] };

export type ReplyMode = 'reply' | 'reply_all' | 'forward';

type ComposerSize = 'docked' | 'full' | 'minimized';

export interface OpenComposer {
  key: number;
  start: ComposerStart;
  size: ComposerSize;
}

/** Maximum number of composers side by side. */
const MAX_COMPOSERS = 3;

let open: readonly OpenComposer[] = [];
let last = 0;
const listeners = new Set<() => void>();

function setOpenComposers(next: readonly OpenComposer[]): void {
  open = next;
  for (const listener of listeners) listener();
}

const hasSameDraft = (a: ComposerStart, b: ComposerStart): boolean =>
  a.kind === 'draft' && b.kind === 'draft' && a.id === b.id;

/**
 * Opens a composer, or restores the one that has the draft open.
 * @returns false if the maximum number of composers is open
 */
export function openComposer(start: ComposerStart, size: ComposerSize = 'docked'): boolean {
  const existingComposer = open.find((item) => hasSameDraft(item.start, start));
  if (existingComposer) {
    if (existingComposer.size === 'minimized') resizeComposer(existingComposer.key, 'docked');
    return true;
  }
  if (open.length >= MAX_COMPOSERS) return false;
  last += 1;
  setOpenComposers([...open, { key: last, start, size }]);
  return true;
}

export const closeComposer = (key: number): void => setOpenComposers(open.filter((item) => item.key !== key));

/** Only one composer can be full size. The others return to the dock. */
export const resizeComposer = (key: number, size: ComposerSize): void =>
  setOpenComposers(
    open.map((item) => {
      if (item.key === key) return { ...item, size };
      return size === 'full' && item.size === 'full' ? { ...item, size: 'docked' } : item;
    }),
  );

/** Records a composer's draft, so that it is not opened twice. */
export const setComposerDraft = (key: number, id: string): void =>
  setOpenComposers(open.map((item) => (item.key === key ? { ...item, start: { kind: 'draft', id } } : item)));

export const useComposers = (): readonly OpenComposer[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
