import { expect, it } from 'vitest';
import { getPagesToLoad, isFarAway } from './use-rows.ts';

it.each([
  [0, 0, null, [0]],
  [0, 20, 100_000, [0, 1, 2]],
  [50_000, 50_020, 100_000, [499, 500, 501, 502]],
  [95, 105, 150, [0, 1]],
  [99_990, 99_999, 100_000, [998, 999]],
  [0, 0, 0, [0]],
])('rows %i to %i of %s require pages %j', (first, last, total, pages) => {
  expect(getPagesToLoad(first, last, total)).toEqual(pages);
});

it('drops a page that is eight pages out of view', () => {
  expect([1, 2, 10, 18, 19].map((page) => isFarAway(page, 1_000, 1_020))).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
});
