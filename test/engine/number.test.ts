import { expect, test } from 'vitest';
import { parseDecimal, roundToPlaces } from '../../src/engine/value/number.ts';
import { getCpuTime } from '../harness/cpu.ts';

test.each<[string, number]>([
  ['5', 5],
  [' -1.5e3 ', -1500],
  ['+.5', 0.5],
  ['5.', 5],
  ['', Number.NaN],
  ['.', Number.NaN],
  ['0x10', Number.NaN],
  ['1 2', Number.NaN],
  ['Infinity', Number.NaN],
  ['1'.repeat(40), Number('1'.repeat(40))],
  ['1'.repeat(41), Number.NaN],
])('parses %j as the number %d', (text, number) => {
  expect(parseDecimal(text)).toBe(number);
});

test.each([
  [10.555, 2, 10.56],
  [-10.555, 2, -10.56],
  [1.005, 2, 1.01],
  [1.23456, 2, 1.23],
  [0.1 + 0.2, 2, 0.3],
  [1e-7, 2, 0],
  [5e-3, 2, 0.01],
  [1e21, 2, 1e21],
  [123456789012.345, 2, 123456789012.35],
  [-0.001, 2, 0],
])('rounds %d to %d decimals as %d', (value, places, rounded) => {
  expect(roundToPlaces(value, places)).toBe(rounded);
});

test('handles a string of a million digits quickly', () => {
  const startTime = getCpuTime();
  expect(parseDecimal(`${'1'.repeat(1_000_000)}x`)).toBeNaN();
  expect(getCpuTime() - startTime).toBeLessThan(5_000);
});
