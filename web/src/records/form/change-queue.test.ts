import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createChangeQueue } from './change-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function createQueue() {
  const requests: { names: string[]; respond(result: string | null): void }[] = [];
  const applied: string[] = [];
  const queue = createChangeQueue<string>(
    (names) => new Promise((respond) => requests.push({ names, respond })),
    (result) => applied.push(result),
  );
  return { queue, requests, applied };
}

it('joins changes in quick succession', async () => {
  const { queue, requests } = createQueue();
  queue.add('start');
  queue.add('stop');
  await vi.runAllTimersAsync();
  expect(requests.map(({ names }) => names)).toEqual([['start', 'stop']]);
});

it('ignores the response to an earlier state, and repeats its changes', async () => {
  const { queue, requests, applied } = createQueue();
  queue.add('partner_id');
  await vi.runAllTimersAsync();
  queue.add('pricelist_id');
  await vi.runAllTimersAsync();
  expect(requests[1]!.names).toEqual(['partner_id', 'pricelist_id']);
  requests[1]!.respond('new');
  requests[0]!.respond('old');
  await queue.flush();
  expect(applied).toEqual(['new']);
  queue.add('note');
  await vi.runAllTimersAsync();
  expect(requests[2]!.names).toEqual(['note']);
});

it('loads at once before the form is saved', async () => {
  const { queue, requests, applied } = createQueue();
  await queue.flush();
  expect(requests).toEqual([]);
  queue.add('start');
  const flushed = queue.flush();
  requests[0]!.respond('value');
  await flushed;
  expect(applied).toEqual(['value']);
});

it('discards changes', async () => {
  const { queue, requests, applied } = createQueue();
  queue.add('start');
  await vi.runAllTimersAsync();
  queue.clear();
  requests[0]!.respond('value');
  await queue.flush();
  expect(applied).toEqual([]);
});
