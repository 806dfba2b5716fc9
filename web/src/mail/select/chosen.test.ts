import { expect, it } from 'vitest';
import { byMailbox, MOST_CHOSEN, toggled, withAll } from './chosen.ts';

const row = (id: number | null, accountId = '7') => ({ entryId: id === null ? null : String(id), accountId });

it('a row is chosen and left again, a draft never', () => {
  const one = toggled(new Map(), row(1));
  expect([...one]).toEqual([['1', '7']]);
  expect([...toggled(one, row(1))]).toEqual([]);
  expect(toggled(one, row(null))).toBe(one);
});

it('no more rows are chosen than one call changes', () => {
  const rows = Array.from({ length: MOST_CHOSEN }, (_, at) => row(at + 1));
  expect(withAll(new Map(), rows)?.size).toBe(MOST_CHOSEN);
  expect(withAll(new Map(), [...rows, row(null), row(1)])?.size).toBe(MOST_CHOSEN);
  expect(withAll(new Map([['0', '7']]), rows)).toBeNull();
});

it('chosen messages are told apart by their mailboxes', () => {
  const chosen = withAll(new Map(), [row(1), row(2, '8'), row(3)])!;
  expect([...byMailbox(chosen)]).toEqual([
    ['7', ['1', '3']],
    ['8', ['2']],
  ]);
});
