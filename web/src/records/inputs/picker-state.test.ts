import { expect, it } from 'vitest';
import { CLOSED_PICKER, getHighlighted, reducePicker, resolveText } from './picker-state.ts';

type Transition = Parameters<typeof reducePicker>[1];

const anna = { id: '1', displayName: 'Anna' };
const annabel = { id: '2', displayName: 'Annabel' };
const otherAnna = { id: '3', displayName: 'ANNA' };

const run = (...transitions: Transition[]) => transitions.reduce(reducePicker, CLOSED_PICKER);
const find = (text: string, records = [anna, annabel]): Transition[] => [
  { type: 'search', text },
  { type: 'find', text, records },
];

it('highlights the first suggestion of each search, and moves the highlight', () => {
  const found = run(...find('ann'));
  expect(getHighlighted(found)).toBe(anna);
  const moved = reducePicker(found, { type: 'highlight', index: 1 });
  expect(getHighlighted(moved)).toBe(annabel);
  expect(getHighlighted(find('anna').reduce(reducePicker, moved))).toBe(anna);
});

it('keeps the previous suggestions during a search, without highlighting one', () => {
  const searching = run(...find('ann'), { type: 'search', text: 'annab' });
  expect(searching.records).toEqual([anna, annabel]);
  expect(getHighlighted(searching)).toBeUndefined();
});

it('reports a missing record until the user searches for one, and keeps the discarded text', () => {
  const missing = run({ type: 'close', rejectedText: 'zzz' }, { type: 'miss' });
  expect(missing).toMatchObject({ rejectedText: 'zzz', isMissing: true });
  expect(reducePicker(missing, { type: 'search', text: 'a' }).isMissing).toBe(false);
});

it('clears the text and suggestions when it closes', () => {
  expect(run(...find('ann'), { type: 'close' })).toEqual(CLOSED_PICKER);
  expect(run(...find('ann'), { type: 'close', rejectedText: 'ann' })).toEqual({
    ...CLOSED_PICKER,
    rejectedText: 'ann',
  });
});

it.each([
  ['a complete name in any case selects the record', 'anna ', [anna, annabel], null, { chosen: anna }],
  ['a partial name is rejected', 'ann', [anna, annabel], null, { rejectedText: 'ann' }],
  ['a name of several records is rejected', 'anna', [anna, otherAnna], null, { rejectedText: 'anna' }],
  ['the name of the current record changes nothing', 'ANNA', [anna], anna, {}],
  ['a name that was not found in time is rejected', 'annabel', null, anna, { rejectedText: 'annabel' }],
  ['empty text removes the record', '', [anna], anna, { chosen: null }],
  ['empty text without a record changes nothing', '', [anna], null, {}],
])('%s', (_behavior, text, records, value, outcome) => {
  expect(resolveText({ ...CLOSED_PICKER, text, records }, value)).toEqual(outcome);
});
