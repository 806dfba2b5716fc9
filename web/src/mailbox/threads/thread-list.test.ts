import { beforeEach, expect, it } from 'vitest';
import { createThreadList, type ThreadPageResult } from './thread-list.ts';

const PAGE = 50;
const OFFLINE = { code: 'OFFLINE', message: '', argument: null, requestId: null };

let requests: (string | null)[];
let answers: ((result: ThreadPageResult<string>) => void)[];

beforeEach(() => {
  requests = [];
  answers = [];
});

const createList = () =>
  createThreadList<string>(
    (after) => {
      requests.push(after);
      return new Promise((resolve) => answers.push(resolve));
    },
    () => {},
  );

/** Responds to the oldest request. */
async function answer(name: string, hasMore: boolean): Promise<void> {
  const rows = Array.from({ length: PAGE }, (_, index) => `${name}.${index}`);
  await answerWith({ page: { rows, end: name, hasMore }, failure: null });
}

async function answerWith(result: ThreadPageResult<string>): Promise<void> {
  answers.shift()!(result);
  await new Promise(setImmediate);
}

it('loads pages until enough rows follow the visible ones', async () => {
  const list = createList();
  list.start();
  expect(list.getState().total).toBeNull();
  await answer('a', true);
  await answer('b', true);
  expect(requests).toEqual([null, 'a']);
  expect(list.getState()).toMatchObject({ total: 100, isAtLeast: true });
  list.look(40, 60);
  await answer('c', false);
  list.look(140, 149);
  expect(requests).toEqual([null, 'a', 'b']);
  const { total, isAtLeast, row } = list.getState();
  expect([total, isAtLeast, row(149)]).toEqual([150, false, 'c.49']);
});

it('keeps the rows during a reload until as many are loaded again', async () => {
  const list = createList();
  list.start();
  await answer('a', true);
  await answer('b', true);
  list.reload();
  await answer('c', true);
  expect(list.getState().row(0)).toBe('a.0');
  await answer('d', true);
  expect(list.getState().row(0)).toBe('c.0');
  expect(requests).toEqual([null, 'a', null, 'c']);
});

it('reloads once after the current load if several reloads were requested', async () => {
  const list = createList();
  list.start();
  list.reload();
  list.reload();
  expect(requests).toEqual([null]);
  await answer('a', false);
  expect(requests).toEqual([null, null]);
  await answer('b', false);
  expect(list.getState().row(0)).toBe('b.0');
  expect(requests).toHaveLength(2);
});

it('shows a failure, unless the server is unreachable and rows are visible', async () => {
  const list = createList();
  list.start();
  await answerWith({ page: undefined, failure: OFFLINE });
  expect(list.getState()).toMatchObject({ total: null, refusal: OFFLINE });
  list.reload();
  await answer('a', false);
  list.reload();
  await answerWith({ page: undefined, failure: OFFLINE });
  expect(list.getState()).toMatchObject({ total: PAGE, refusal: null });
});

it('ignores a response that was requested before a restart', async () => {
  const list = createList();
  list.start();
  list.stop();
  list.start();
  await answer('old', false);
  expect(list.getState().total).toBeNull();
  await answer('new', false);
  expect(list.getState().row(0)).toBe('new.0');
});
