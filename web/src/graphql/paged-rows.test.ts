import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  createPagedRows,
  getPagesToLoad,
  isFarAway,
  LOAD_INTERVAL_MS,
  PAGE_SIZE,
  type PageResult,
} from './paged-rows.ts';

it.each([
  [0, 0, null, [0]],
  [0, 20, 100_000, [0, 1, 2]],
  [50_000, 50_020, 100_000, [499, 500, 501, 502]],
  [95, 105, 150, [0, 1]],
  [99_990, 99_999, 100_000, [998, 999]],
  [0, 0, 0, [0]],
])('rows %i to %i of %s require the pages %j', (first, last, total, pages) => {
  expect(getPagesToLoad(first, last, total)).toEqual(pages);
});

it('considers a page far away if it is eight pages out of view', () => {
  expect([1, 2, 10, 18, 19].map((page) => isFarAway(page, 1_000, 1_020))).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
});

beforeAll(() => {
  vi.useFakeTimers();
});
afterAll(() => {
  vi.useRealTimers();
});

const TOTAL = 100_000;
const OFFLINE = { code: 'OFFLINE', message: '', argument: null, requestId: null };
let followed: Map<number, (result: PageResult<string>) => void>;
let requests: [page: number, isFresh: boolean][];

beforeEach(() => {
  followed = new Map();
  requests = [];
});

const createList = () =>
  createPagedRows<string>(
    (page, isFresh, onResult) => {
      requests.push([page, isFresh]);
      followed.set(page, onResult);
      return { unsubscribe: () => followed.delete(page) };
    },
    () => {},
  );
const answer = (page: number, total = TOTAL) =>
  followed.get(page)!({
    page: { totalCount: total, nodes: Array.from({ length: PAGE_SIZE }, (_, index) => `${page}.${index}`) },
    failure: null,
  });

it('loads the first page, and further ones once the count is known', () => {
  const list = createList();
  list.start();
  expect(list.getState()).toMatchObject({ total: null, isAtLeast: false, notes: [] });
  expect([...followed.keys()]).toEqual([0]);
  answer(0);
  expect([...followed.keys()]).toEqual([0, 1, 2]);
  answer(1);
  const { total, row } = list.getState();
  expect([total, row(0), row(101), row(200)]).toEqual([TOTAL, '0.0', '1.1', undefined]);
});

it('loads at most once per interval while scrolling, and drops distant pages', () => {
  const list = createList();
  list.start();
  answer(0);
  list.look(0, 20);
  list.look(30_000, 30_020);
  list.look(50_000, 50_020);
  expect([...followed.keys()]).toEqual([0, 1, 2]);
  vi.advanceTimersByTime(LOAD_INTERVAL_MS);
  expect([...followed.keys()]).toEqual([499, 500, 501, 502]);
  expect(list.getState().row(0)).toBeUndefined();
});

it('reloads the visible pages from the server, and keeps their rows in the meantime', () => {
  const list = createList();
  list.start();
  answer(0, 150);
  requests = [];
  list.reload();
  expect(requests).toEqual([
    [0, true],
    [1, true],
  ]);
  expect(list.getState().row(0)).toBe('0.0');
});

it('reports a failure, unless the server is unreachable and rows are visible', () => {
  const list = createList();
  list.start();
  followed.get(0)!({ page: undefined, failure: OFFLINE });
  expect(list.getState().refusal).toBe(OFFLINE);
  answer(0);
  expect(list.getState().refusal).toBeNull();
  followed.get(0)!({ page: undefined, failure: OFFLINE });
  expect(list.getState().refusal).toBeNull();
  followed.get(0)!({ page: undefined, failure: { ...OFFLINE, code: 'INTERNAL' } });
  expect(list.getState().refusal).toMatchObject({ code: 'INTERNAL' });
});

it('loads nothing while it is stopped', () => {
  const list = createList();
  list.start();
  answer(0);
  list.look(0, 20);
  list.stop();
  vi.advanceTimersByTime(LOAD_INTERVAL_MS);
  expect(followed.size).toBe(0);
  list.start();
  expect([...followed.keys()]).toEqual([0, 1, 2]);
});
