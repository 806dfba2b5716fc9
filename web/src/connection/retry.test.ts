import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { retryUnreachable } from './retry.ts';
import { getConnection } from './server.ts';

const PAGE = '<script type="module" src="/app/assets/index-1.js"></script>';

let results: (string | number | Error)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { querySelector: () => ({ src: 'http://here.test/app/assets/index-1.js' }) });
  vi.stubGlobal('fetch', async () => {
    const result = results.length > 1 ? results.shift()! : results[0]!;
    if (result instanceof Error) throw result;
    return typeof result === 'number' ? new Response('', { status: result }) : new Response(result);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const networkError = new TypeError('Failed to fetch');

it.each([
  ['succeeds at once', [PAGE], 0, 'done', 1],
  ['succeeds after the server was restarted', [networkError, networkError, networkError, PAGE], 1, 'done', 2],
  ['succeeds after a proxy had no server', [502, 503, 504, PAGE], 1, 'done', 2],
  ['keeps trying while the server answers', [PAGE], 9, 'done', 10],
  [
    'keeps trying during repeated outages',
    [networkError, PAGE, networkError, PAGE, networkError, PAGE, networkError, PAGE],
    4,
    'done',
    5,
  ],
])('%s', async (_name, responses, failures, outcome, attempts) => {
  results = [...responses];
  const attempt = vi.fn(async () => {
    if (attempt.mock.calls.length <= failures) throw new Error('refused');
    return 'done';
  });
  const result = retryUnreachable(attempt).catch((error: Error) => error.message);
  await vi.runAllTimersAsync();
  expect(await result).toBe(outcome);
  expect(attempt).toHaveBeenCalledTimes(attempts);
});

it('counts itself as retrying while it fails and the server answers', async () => {
  results = [PAGE];
  let isBroken = true;
  const request = () => retryUnreachable(async () => isBroken && Promise.reject(new Error('refused')));
  const requests = Promise.all([request(), request()]);
  await vi.advanceTimersByTimeAsync(100);
  expect(getConnection()).toMatchObject({ phase: 'connected', retries: 2 });
  isBroken = false;
  await vi.runAllTimersAsync();
  await requests;
  expect(getConnection().retries).toBe(0);
});

it('stops retrying when it is aborted', async () => {
  results = [PAGE];
  const controller = new AbortController();
  const result = retryUnreachable(() => Promise.reject(new Error('refused')), controller.signal);
  const settled = result.catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(100);
  controller.abort(new Error('closed'));
  expect(await settled).toBe('closed');
  expect(getConnection().retries).toBe(0);
});

it('stops waiting for the server when it is aborted', async () => {
  results = [networkError];
  const controller = new AbortController();
  const attempt = vi.fn(async () => {
    throw networkError;
  });
  const result = retryUnreachable(attempt, controller.signal).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(5_000);
  controller.abort(new Error('closed'));
  expect(await result).toBe('closed');
  expect(attempt).toHaveBeenCalledTimes(1);
});
