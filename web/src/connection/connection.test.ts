import { describe, expect, it } from 'vitest';
import {
  CONNECTED,
  type Connection,
  type ConnectionEvent,
  canReload,
  getRetryDelay,
  reduceConnection,
} from './connection.ts';

const failedEvent: ConnectionEvent = { kind: 'requestFailed' };
const event: ConnectionEvent = { kind: 'answered', hasNewBuild: false };
const updatedEvent: ConnectionEvent = { kind: 'answered', hasNewBuild: true };
const unansweredEvent: ConnectionEvent = { kind: 'unanswered' };
const reloadNeeded: ConnectionEvent = { kind: 'reloadNeeded' };

describe('server connection', () => {
  it.each<[string, ConnectionEvent[], Partial<Connection>]>([
    ['checks after a failed request', [failedEvent], { phase: 'checking' }],
    ['stays connected if the server responds to the check', [failedEvent, event], { phase: 'connected' }],
    ['is lost if a check gets no response', [failedEvent, unansweredEvent], { phase: 'lost', attempts: 1 }],
    [
      'counts checks without a response',
      [failedEvent, unansweredEvent, unansweredEvent],
      { phase: 'lost', attempts: 2 },
    ],
    [
      'stays lost when more requests fail',
      [failedEvent, unansweredEvent, failedEvent],
      { phase: 'lost', attempts: 1 },
    ],
    [
      'recovers with the first response',
      [failedEvent, unansweredEvent, event],
      { phase: 'connected', attempts: 0 },
    ],
    [
      'starts over after a response',
      [failedEvent, unansweredEvent, event, failedEvent],
      { phase: 'checking', attempts: 0 },
    ],
    ['notices a new build', [failedEvent, updatedEvent], { phase: 'connected', hasNewBuild: true }],
    ['remembers a new build', [failedEvent, updatedEvent, failedEvent, event], { hasNewBuild: true }],
    ['does not reload for a new build alone', [failedEvent, updatedEvent], { needsReload: false }],
    ['requests a reload', [failedEvent, updatedEvent, reloadNeeded, event], { needsReload: true }],
  ])('%s', (_name, events, expected) => {
    expect(events.reduce(reduceConnection, CONNECTED)).toMatchObject(expected);
  });

  it.each([
    [1, 0, 750],
    [1, 1, 1_000],
    [2, 1, 2_000],
    [5, 1, 16_000],
    [6, 1, 30_000],
    [1_000, 1, 30_000],
    [1_000, 0, 22_500],
  ])('after %i attempts with jitter %d, retries in %i ms', (attempts, spread, delay) => {
    expect(getRetryDelay(attempts, spread)).toBe(delay);
  });

  it.each([
    [100_000, 0, false, true],
    [100_000, 0, true, false],
    [100_000, 40_001, false, false],
    [100_000, 40_000, false, true],
  ])('canReload at %i with last reload %i and unsaved changes %s returns %s', (now, last, isDirty, may) => {
    expect(canReload(now, last, isDirty)).toBe(may);
  });
});
