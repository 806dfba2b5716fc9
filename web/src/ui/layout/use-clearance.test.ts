import { expect, it } from 'vitest';
import { computeLift } from './use-clearance.ts';

const toast = { left: 20, right: 500, top: 800, bottom: 860 };

it.each([
  ['stays in place beside a button', [{ left: 600, right: 700, top: 810, bottom: 850 }], 0],
  ['stays in place below a button', [{ left: 20, right: 100, top: 600, bottom: 640 }], 0],
  ['moves above a button', [{ left: 20, right: 100, top: 810, bottom: 850 }], 58],
  [
    'moves above a second button that it would cover then',
    [
      { left: 20, right: 100, top: 700, bottom: 740 },
      { left: 20, right: 100, top: 810, bottom: 850 },
    ],
    168,
  ],
])('%s', (_what, obstacles, distance) => {
  expect(computeLift(toast, obstacles)).toBe(distance);
});
