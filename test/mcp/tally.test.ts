import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentCounts } from '../../schema/base/agents/count.ts';
import { type CallTally, createCallTally } from '../../schema/base/agents/tally.ts';
import type { AgentCall } from '../../src/engine/verb/agent.ts';
import { limits } from '../../src/limits.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const READ: AgentCall = {
  tool: 'count',
  client: 'a',
  sends: 0,
  changes: 0,
  perMinute: null,
  isRead: true,
};

const COUNTED: AgentCounts = {
  id: 7,
  calls: 1,
  minute: 1,
  verdict: '',
  most_calls: null,
  most_minute: 1_000_000,
  most_sends: null,
  most_changes: null,
  confirmation: 'agent',
  holds: [],
  minute_left: 30,
  day_left: 3_000,
};

let time = 0;

/** What an agent's last count said, a moment ago. */
function known(counted: Partial<AgentCounts> = {}, isRush = true): CallTally {
  time = 0;
  const tally = createCallTally({ note: () => isRush }, () => time);
  tally.learn({ ...COUNTED, ...counted }, 'a', 0);
  return tally;
}

const count = vi.fn(async () => undefined);
const passes = (tally: CallTally, call: Partial<AgentCall> = {}) =>
  tally.letThrough({ ...READ, ...call }, count) !== null;

test('in a rush a call that only reads is let through before it is counted', () => {
  expect(known().letThrough(READ, count)).toMatchObject({ id: 7 });
  expect(passes(known({}, false))).toBe(false);
});

test.for<[string, Partial<AgentCall>]>([
  ['changes something', { isRead: false }],
  ['counts as a send', { sends: 1 }],
  ['counts as a change', { changes: 1 }],
  ['has a limit of a minute of its own', { perMinute: 10 }],
  ['comes from a program of another name', { client: 'b' }],
])('a call that %s is counted first', ([, call]) => {
  expect(passes(known(), call)).toBe(false);
});

test.for<[string, Partial<AgentCounts>]>([
  ['is revoked', { verdict: 'revoked' }],
  ['is over its budget', { verdict: 'calls' }],
  ['has little left of its day', { most_calls: 1 + limits.agent.rushLeft }],
  ['has little left of its minute', { most_minute: 1 + limits.agent.rushLeft }],
])('an agent that %s is counted call by call', ([, counted]) => {
  expect(passes(known(counted))).toBe(false);
});

test('what has been let through is taken from what is left', () => {
  const tally = known({ most_minute: limits.agent.rushLeft + 4 });
  expect([1, 2, 3, 4].map(() => passes(tally))).toEqual([true, true, true, false]);
});

test('so many are let through and no more until they are counted', () => {
  const tally = known();
  for (let n = 0; n < limits.agent.rushMost; n++) expect(passes(tally)).toBe(true);
  expect(passes(tally)).toBe(false);
  expect(tally.take()).toBe(limits.agent.rushMost);
  expect(passes(tally)).toBe(true);
});

test('what a count said is believed for a moment, and not into the next minute', () => {
  const tally = known();
  time = limits.agent.rushBelieved;
  expect(passes(tally)).toBe(false);
  const late = known({ minute_left: 0.005 });
  time = 5;
  expect(passes(late)).toBe(false);
});

test('what is let through is counted soon, once for all', () => {
  count.mockClear();
  const tally = known();
  for (let n = 0; n < 5; n++) passes(tally);
  vi.advanceTimersByTime(limits.agent.rushDelay);
  expect(count).toHaveBeenCalledTimes(1);
  expect(tally.take()).toBe(5);
  passes(tally);
  tally.take();
  vi.advanceTimersByTime(limits.agent.rushDelay);
  expect(count).toHaveBeenCalledTimes(1);
});

test('what could not be counted is counted with the next call, which waits for it', () => {
  const tally = known();
  passes(tally);
  tally.putBack(tally.take());
  expect(passes(tally)).toBe(false);
  expect(tally.take()).toBe(1);
});
