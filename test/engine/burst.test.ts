import { expect, test } from 'vitest';
import { BURST_CALLS, BURST_SPAN_MS, createBurstDetector } from '../../src/engine/ctx/burst-detector.ts';

function rushAt() {
  let time = 0;
  const rush = createBurstDetector(() => time);
  /** Records `count` requests. @returns the result of the last one */
  const note = (count: number): boolean => {
    for (let n = 1; n < count; n++) rush.record();
    return rush.record();
  };
  return {
    note,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

test('starts a burst when the limit is reached within the time span', () => {
  const { note } = rushAt();
  expect(note(BURST_CALLS - 1)).toBe(false);
  expect(note(1)).toBe(true);
});

test('does not start a burst for the same number of events over a longer time', () => {
  const { note, pass } = rushAt();
  expect(note(BURST_CALLS - 1)).toBe(false);
  pass(BURST_SPAN_MS);
  expect(note(BURST_CALLS - 1)).toBe(false);
});

test('continues a burst into the next span, and ends it after a span below the limit', () => {
  const { note, pass } = rushAt();
  note(BURST_CALLS);
  pass(BURST_SPAN_MS);
  expect(note(1)).toBe(true);
  pass(BURST_SPAN_MS);
  expect(note(1)).toBe(false);
});

test('ends a burst after a pause', () => {
  const { note, pass } = rushAt();
  note(BURST_CALLS);
  pass(2 * BURST_SPAN_MS);
  expect(note(1)).toBe(false);
});
