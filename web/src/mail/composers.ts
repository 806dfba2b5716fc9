import { useSyncExternalStore } from 'react';

/** What a composer begins with. */
export type Start =
  | { kind: 'new'; mailbox?: string; to?: string; subject?: string }
  | { kind: 'answer'; mode: AnswerMode; message: string }
  | { kind: 'draft'; id: string; files?: readonly string[] };

export type AnswerMode = 'reply' | 'reply_all' | 'forward';

/** How much of the screen a composer takes. */
export type ComposerSize = 'docked' | 'full' | 'minimised';

export interface OpenComposer {
  key: number;
  start: Start;
  size: ComposerSize;
}

/** As many as find room beside each other. */
export const MOST_COMPOSERS = 3;

let open: readonly OpenComposer[] = [];
let last = 0;
const listeners = new Set<() => void>();

function become(next: readonly OpenComposer[]): void {
  open = next;
  for (const heard of listeners) heard();
}

const isSame = (one: Start, other: Start): boolean =>
  one.kind === 'draft' && other.kind === 'draft' && one.id === other.id;

/** Opens one more, or comes back to the one that has the draft. @returns whether there was room */
export function openComposer(start: Start, size: ComposerSize = 'docked'): boolean {
  const there = open.find((each) => isSame(each.start, start));
  if (there) {
    if (there.size === 'minimised') resizeComposer(there.key, 'docked');
    return true;
  }
  if (open.length >= MOST_COMPOSERS) return false;
  last += 1;
  become([...open, { key: last, start, size }]);
  return true;
}

export const closeComposer = (key: number): void => become(open.filter((each) => each.key !== key));

/** One that takes the page leaves no room for the others. */
export const resizeComposer = (key: number, size: ComposerSize): void =>
  become(
    open.map((each) => {
      if (each.key === key) return { ...each, size };
      return size === 'full' && each.size === 'full' ? { ...each, size: 'docked' } : each;
    }),
  );

/** Says which draft a composer writes, so that it is not opened twice. */
export const composerHasDraft = (key: number, id: string): void =>
  become(open.map((each) => (each.key === key ? { ...each, start: { kind: 'draft', id } } : each)));

export const useComposers = (): readonly OpenComposer[] =>
  useSyncExternalStore(
    (heard) => {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    () => open,
  );
