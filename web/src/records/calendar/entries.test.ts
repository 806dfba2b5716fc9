import { expect, it } from 'vitest';
import type { DescribedField } from '../model.ts';
import { type DateFields, entriesOn, entryOf, inDays, lanesOf, movedValues } from './entries.ts';

const field = (name: string, type: DescribedField['type'] = 'DATETIME') =>
  ({ name, graphqlName: name, relationName: null, type, searchable: true, stored: true }) as DescribedField;

const EVENTS: DateFields = {
  on: field('start'),
  until: field('stop'),
  whole: { isIt: field('allday', 'BOOLEAN'), first: field('first', 'DATE'), last: field('last', 'DATE') },
};
const DEADLINES: DateFields = { on: field('due', 'DATE'), until: null, whole: null };

const at = (time: string) => new Date(`2026-11-24T${time}:00`);
const event = (id: string, from: string, to: string) =>
  entryOf(EVENTS, { id, displayName: id, start: at(from).toISOString(), stop: at(to).toISOString() })!;

it('an entry is as long as its fields say', () => {
  expect(event('1', '09:00', '10:30').end).toEqual(at('10:30'));
  expect(entryOf(DEADLINES, { id: '1', due: null })).toBeNull();
  const due = entryOf(DEADLINES, { id: '1', due: '2026-11-24' })!;
  expect([due.isWhole, due.end.getDate()]).toEqual([true, 25]);
  const whole = entryOf(EVENTS, { id: '1', allday: true, first: '2026-11-24', last: '2026-11-25' })!;
  expect([whole.start.getDate(), whole.end.getDate()]).toEqual([24, 26]);
});

it('only what is in the days is asked for', () => {
  expect(inDays(DEADLINES, ['2026-11-30'])).toEqual([
    { due: { lt: '2026-12-01' } },
    { due: { gte: '2026-11-30' } },
  ]);
  const [before, after] = inDays(EVENTS, ['2026-11-24', '2026-11-25']);
  expect([Object.keys(before!), Object.keys(after!)]).toEqual([['start'], ['stop']]);
});

it('a day holds what touches it, for whole days first', () => {
  const whole = entryOf(EVENTS, { id: 'whole', allday: true, first: '2026-11-23', last: '2026-11-24' })!;
  const entries = [event('late', '18:00', '19:00'), event('early', '08:00', '09:00'), whole];
  expect(entriesOn(entries, '2026-11-24').map(({ id }) => id)).toEqual(['whole', 'early', 'late']);
  expect(entriesOn(entries, '2026-11-25')).toEqual([]);
});

it('what is moved stays as long as it was', () => {
  expect(movedValues(EVENTS, event('1', '09:00', '10:30'), at('14:00'))).toEqual({
    start: at('14:00').toISOString(),
    stop: at('15:30').toISOString(),
  });
  const due = entryOf(DEADLINES, { id: '1', due: '2026-11-24' })!;
  expect(movedValues(DEADLINES, due, new Date(2026, 10, 30, 12))).toEqual({ due: '2026-11-30' });
  const whole = entryOf(EVENTS, { id: '1', allday: true, first: '2026-11-24', last: '2026-11-25' })!;
  expect(movedValues(EVENTS, whole, new Date(2026, 11, 1))).toEqual({
    first: '2026-12-01',
    last: '2026-12-02',
  });
});

it('entries at the same time stand side by side', () => {
  const laned = lanesOf([
    event('c', '12:00', '13:00'),
    event('a', '09:00', '11:00'),
    event('b', '10:00', '11:30'),
    event('d', '11:00', '11:20'),
  ]);
  expect(laned.map(({ entry, lane, lanes }) => [entry.id, lane, lanes])).toEqual([
    ['a', 0, 2],
    ['b', 1, 2],
    ['d', 0, 2],
    ['c', 0, 1],
  ]);
});
