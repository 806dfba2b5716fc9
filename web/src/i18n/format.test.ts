import { expect, it } from 'vitest';
import { formatDecimal } from './format.ts';

it.each([
  [1.8, 2, '1.80'],
  [1250, 2, '1,250.00'],
  [59.3293235, 7, '59.3293235'],
  [0.5, 7, '0.50'],
  [3, 0, '3'],
])('formats %d with at most %d decimals as %s', (value, scale, text) => {
  expect(formatDecimal(value, scale)).toBe(text);
});
