import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  type DraftValues,
  type DraftVersion,
  draftQueue,
  PAUSE,
  type Saved,
  type SaveState,
} from './draft-queue.ts';

beforeAll(() => {
  vi.useFakeTimers();
});
afterAll(() => {
  vi.useRealTimers();
});

let calls: { values: DraftValues; draft: DraftVersion | null }[];
let answers: ((saved: Saved) => void)[];
let kept: (DraftValues | null)[];
let states: SaveState[];

beforeEach(() => {
  calls = [];
  answers = [];
  kept = [];
  states = [];
});

const queue = (begun: DraftVersion | null = null) =>
  draftQueue(
    {
      save: (values, draft) => {
        calls.push({ values, draft });
        return new Promise((done) => answers.push(done));
      },
      keep: (values) => kept.push(values),
      heard: (state) => states.push(state),
    },
    begun,
  );

const values = (subject: string): DraftValues => ({ mailbox: '1', to: '', cc: '', bcc: '', subject });
const answer = async (saved: Saved) => {
  answers.shift()!(saved);
  await vi.advanceTimersByTimeAsync(0);
};

it('a pause after the last change saves it once, and what was kept here is dropped then', async () => {
  const drafts = queue();
  drafts.change(values('a'));
  drafts.change(values('ab'));
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(calls).toEqual([{ values: values('ab'), draft: null }]);
  expect(kept.at(-1)).toEqual(values('ab'));
  await answer({ state: 'saved', id: '7' });
  expect(kept.at(-1)).toBe(null);
  expect(states.at(-1)).toBe('saved');
});

it('saves never overtake each other, and each names the version before it', async () => {
  const drafts = queue();
  drafts.change(values('a'));
  void drafts.flush();
  await vi.advanceTimersByTimeAsync(0);
  drafts.change(values('b'));
  const all = drafts.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(1);
  await answer({ state: 'saved', id: '7' });
  expect(calls[1]).toEqual({ values: values('b'), draft: { id: '7', version: 1 } });
  const sent = drafts.last(async (draft) => draft);
  await answer({ state: 'saved', id: '7' });
  expect(await all).toBe(true);
  expect(await sent).toEqual({ id: '7', version: 2 });
});

it('a draft that was changed elsewhere is not written over until its writer says so', async () => {
  const drafts = queue({ id: '7', version: 3 });
  drafts.change(values('mine'));
  const saved = drafts.flush();
  await vi.advanceTimersByTimeAsync(0);
  await answer({ state: 'changed' });
  expect(await saved).toBe(false);
  drafts.change(values('mine too'));
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(calls).toHaveLength(1);
  void drafts.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls[1]).toEqual({ values: values('mine too'), draft: { id: '7', version: null } });
});

it('without the server, what was written stays here and is saved once that is back', async () => {
  const drafts = queue();
  drafts.change(values('a'));
  await vi.advanceTimersByTimeAsync(PAUSE);
  await answer({ state: 'offline' });
  expect(kept.at(-1)).toEqual(values('a'));
  expect(states.at(-1)).toBe('offline');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls).toHaveLength(2);
});

it('what has been left saves nothing more', async () => {
  const drafts = queue();
  drafts.change(values('a'));
  drafts.stop();
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(calls).toEqual([]);
});

it('what is given up is not saved, and does not stay here', async () => {
  const drafts = queue();
  drafts.change(values('a'));
  drafts.forget();
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(calls).toEqual([]);
  expect(kept.at(-1)).toBeNull();
});
