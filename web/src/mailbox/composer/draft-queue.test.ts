import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  createDraftQueue,
  type DraftValues,
  type DraftVersion,
  SAVE_DELAY_MS,
  type SaveResult,
  type SaveState,
} from './draft-queue.ts';

beforeAll(() => {
  vi.useFakeTimers();
});
afterAll(() => {
  vi.useRealTimers();
});

let calls: { values: DraftValues; draft: DraftVersion | null }[];
let responses: ((savedResult: SaveResult) => void)[];
let stored: (DraftValues | null)[];
let states: SaveState[];

beforeEach(() => {
  calls = [];
  responses = [];
  stored = [];
  states = [];
});

const createQueue = (initialDraft: DraftVersion | null = null) =>
  createDraftQueue(
    {
      save: (values, draft) => {
        calls.push({ values, draft });
        return new Promise((resolve) => responses.push(resolve));
      },
      storeLocally: (values) => stored.push(values),
      onState: (state) => states.push(state),
    },
    initialDraft,
  );

const buildValues = (subject: string): DraftValues => ({ mailbox: '1', to: '', cc: '', bcc: '', subject });
const respond = async (savedResult: SaveResult) => {
  responses.shift()!(savedResult);
  await vi.advanceTimersByTimeAsync(0);
};

it('saves once after a pause in typing, and then removes the local copy', async () => {
  const drafts = createQueue();
  drafts.change(buildValues('a'));
  drafts.change(buildValues('ab'));
  await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS);
  expect(calls).toEqual([{ values: buildValues('ab'), draft: null }]);
  expect(stored.at(-1)).toEqual(buildValues('ab'));
  await respond({ state: 'saved', id: '7' });
  expect(stored.at(-1)).toBe(null);
  expect(states.at(-1)).toBe('saved');
});

it('saves one version at a time, each based on the previous one', async () => {
  const drafts = createQueue();
  drafts.change(buildValues('a'));
  void drafts.flush();
  await vi.advanceTimersByTimeAsync(0);
  drafts.change(buildValues('b'));
  const all = drafts.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(1);
  await respond({ state: 'saved', id: '7' });
  expect(calls[1]).toEqual({ values: buildValues('b'), draft: { id: '7', version: 1 } });
  const sent = drafts.runAfterSaves(async (draft) => draft);
  await respond({ state: 'saved', id: '7' });
  expect(await all).toBe(true);
  expect(await sent).toEqual({ id: '7', version: 2 });
});

it('does not overwrite a draft that changed elsewhere without confirmation', async () => {
  const drafts = createQueue({ id: '7', version: 3 });
  drafts.change(buildValues('mine'));
  const saved = drafts.flush();
  await vi.advanceTimersByTimeAsync(0);
  await respond({ state: 'changed' });
  expect(await saved).toBe(false);
  drafts.change(buildValues('mine too'));
  await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS);
  expect(calls).toHaveLength(1);
  void drafts.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls[1]).toEqual({ values: buildValues('mine too'), draft: { id: '7', version: null } });
});

it('keeps changes locally while the server is unreachable, and saves them later', async () => {
  const drafts = createQueue();
  drafts.change(buildValues('a'));
  await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS);
  await respond({ state: 'offline' });
  expect(stored.at(-1)).toEqual(buildValues('a'));
  expect(states.at(-1)).toBe('offline');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls).toHaveLength(2);
});

it('saves no changes after it is stopped', async () => {
  const drafts = createQueue();
  drafts.change(buildValues('a'));
  drafts.stop();
  await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS);
  expect(calls).toEqual([]);
});

it('neither saves nor stores a discarded draft', async () => {
  const drafts = createQueue();
  drafts.change(buildValues('a'));
  drafts.discard();
  await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS);
  expect(calls).toEqual([]);
  expect(stored.at(-1)).toBeNull();
});
