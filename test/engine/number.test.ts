import { expect, test } from 'vitest';
import { numberOf } from '../../src/engine/value/number.ts';
import { cpuTime } from '../harness/cpu.ts';

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
])('%j says the number %d', (text, number) => {
  expect(numberOf(text)).toBe(number);
});

test('a text of a million digits takes no time', () => {
  const started = cpuTime();
  expect(numberOf(`${'1'.repeat(1_000_000)}x`)).toBeNaN();
  expect(cpuTime() - started).toBeLessThan(5_000);
});
