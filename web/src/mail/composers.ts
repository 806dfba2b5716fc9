import { useSyncExternalStore } from 'react';

/** What a composer begins with. */
export type ComposerStart =
  | { kind: 'new'; mailbox?: string; to?: string; subject?: string }
  | { kind: 'answer'; mode: ReplyMode; message: string }
  | { kind: 'draft'; id: string; files?: readonly string[] };

export type ReplyMode = 'reply' | 'reply_all' | 'forward';

/** How much of the screen a composer takes. */
export type ComposerSize = 'docked' | 'full' | 'minimised';

export interface OpenComposer {
  key: number;
  start: ComposerStart;
  size: ComposerSize;
}

/** As many as find room beside each other. */
export const MAX_COMPOSERS = 3;

let open: readonly OpenComposer[] = [];
let last = 0;
const listeners = new Set<() => void>();

function setOpenComposers(next: readonly OpenComposer[]): void {
  open = next;
  for (const heard of listeners) heard();
}

const hasSameDraft = (one: ComposerStart, other: ComposerStart): boolean =>
  one.kind === 'draft' && other.kind === 'draft' && one.id === other.id;

/** Opens one more, or comes back to the one that has the draft. @returns whether there was room */
export function openComposer(start: ComposerStart, size: ComposerSize = 'docked'): boolean {
  const there = open.find((each) => hasSameDraft(each.start, start));
  if (there) {
    if (there.size === 'minimised') resizeComposer(there.key, 'docked');
    return true;
  }
  if (open.length >= MAX_COMPOSERS) return false;
  last += 1;
  setOpenComposers([...open, { key: last, start, size }]);
  return true;
}

export const closeComposer = (key: number): void => setOpenComposers(open.filter((each) => each.key !== key));

/** One that takes the page leaves no room for the others. */
export const resizeComposer = (key: number, size: ComposerSize): void =>
  setOpenComposers(
    open.map((each) => {
      if (each.key === key) return { ...each, size };
      return size === 'full' && each.size === 'full' ? { ...each, size: 'docked' } : each;
    }),
  );

/** Says which draft a composer writes, so that it is not opened twice. */
export const setComposerDraft = (key: number, id: string): void =>
  setOpenComposers(open.map((each) => (each.key === key ? { ...each, start: { kind: 'draft', id } } : each)));

export const useComposers = (): readonly OpenComposer[] =>
  useSyncExternalStore(
    (heard) => {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    () => open,
  );
