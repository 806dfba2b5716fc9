import { describe, expect, it } from 'vitest';
import {
  CONNECTED,
  type Connection,
  type ConnectionEvent,
  getRetryDelay,
  mayReload,
  reduceConnection,
} from './connection.ts';

const failed: ConnectionEvent = { kind: 'requestFailed' };
const event: ConnectionEvent = { kind: 'answered', hasNewBuild: false };
const updated: ConnectionEvent = { kind: 'answered', hasNewBuild: true };
const unanswered: ConnectionEvent = { kind: 'unanswered' };
const reloadNeeded: ConnectionEvent = { kind: 'reloadNeeded' };

describe('the connection', () => {
  it.each<[string, ConnectionEvent[], Partial<Connection>]>([
    ['checks after a failed request', [failed], { phase: 'checking' }],
    ['stays connected if the server responds to the check', [failed, event], { phase: 'connected' }],
    ['is lost if a check gets no response', [failed, unanswered], { phase: 'lost', attempts: 1 }],
    ['counts checks without a response', [failed, unanswered, unanswered], { phase: 'lost', attempts: 2 }],
    ['stays lost when more requests fail', [failed, unanswered, failed], { phase: 'lost', attempts: 1 }],
    ['recovers with the first response', [failed, unanswered, event], { phase: 'connected', attempts: 0 }],
    ['starts over after a response', [failed, unanswered, event, failed], { phase: 'checking', attempts: 0 }],
    ['notices a new build', [failed, updated], { phase: 'connected', hasNewBuild: true }],
    ['remembers a new build', [failed, updated, failed, event], { hasNewBuild: true }],
    ['does not reload for a new build alone', [failed, updated], { needsReload: false }],
    ['requests a reload', [failed, updated, reloadNeeded, event], { needsReload: true }],
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
  ])('after %i attempts with a spread of %d, waits %i ms', (attempts, spread, delay) => {
    expect(getRetryDelay(attempts, spread)).toBe(delay);
  });

  it.each([
    [100_000, 0, false, true],
    [100_000, 0, true, false],
    [100_000, 40_001, false, false],
    [100_000, 40_000, false, true],
  ])('mayReload(now %i, last reload %i, unsaved changes %s) is %s', (now, last, isDirty, may) => {
    expect(mayReload(now, last, isDirty)).toBe(may);
  });
});
