import { expect, it } from 'vitest';
import { addAll, groupByMailbox, MAX_SELECTED, toggleSelected } from './selection.ts';

const buildRow = (id: number | null, accountId = '7') => ({
  entryId: id === null ? null : String(id),
  accountId,
});

it('toggles a row, but never a draft', () => {
  const one = toggleSelected(new Map(), buildRow(1));
  expect([...one]).toEqual([['1', '7']]);
  expect([...toggleSelected(one, buildRow(1))]).toEqual([]);
  expect(toggleSelected(one, buildRow(null))).toBe(one);
});

it('limits the selection to the number of messages that one call can change', () => {
  const rows = Array.from({ length: MAX_SELECTED }, (_, index) => buildRow(index + 1));
  expect(addAll(new Map(), rows)?.size).toBe(MAX_SELECTED);
  expect(addAll(new Map(), [...rows, buildRow(null), buildRow(1)])?.size).toBe(MAX_SELECTED);
  expect(addAll(new Map([['0', '7']]), rows)).toBeNull();
});

it('groups selected messages by mailbox', () => {
  const selection = addAll(new Map(), [buildRow(1), buildRow(2, '8'), buildRow(3)])!;
  expect([...groupByMailbox(selection)]).toEqual([
    ['7', ['1', '3']],
    ['8', ['2']],
  ]);
});
