import { expect, it } from 'vitest';
import { buildField } from '../field-fixture.ts';
import {
  assignLanes,
  buildDaysFilter,
  computeMovedValues,
  type DateFields,
  getEntriesOn,
  toCalendarEntry,
} from './entries.ts';

const EVENTS: DateFields = {
  on: buildField('start', 'DATETIME'),
  until: buildField('stop', 'DATETIME'),
  whole: {
    isIt: buildField('allday', 'BOOLEAN'),
    first: buildField('first', 'DATE'),
    last: buildField('last', 'DATE'),
  },
};
const DEADLINES: DateFields = { on: buildField('due', 'DATE'), until: null, whole: null };

const toDate = (time: string) => new Date(`2026-11-24T${time}:00`);
const buildEvent = (id: string, from: string, to: string) =>
  toCalendarEntry(EVENTS, {
    id,
    displayName: id,
    start: toDate(from).toISOString(),
    stop: toDate(to).toISOString(),
  })!;
const buildWholeEntry = (id: string, first: string, last: string) =>
  toCalendarEntry(EVENTS, { id, allday: true, first, last })!;

it('computes the start and end of an entry from its fields', () => {
  expect(buildEvent('1', '09:00', '10:30').end).toEqual(toDate('10:30'));
  expect(toCalendarEntry(DEADLINES, { id: '1', due: null })).toBeNull();
  const due = toCalendarEntry(DEADLINES, { id: '1', due: '2026-11-24' })!;
  expect([due.isWhole, due.end.getDate()]).toEqual([true, 25]);
  const wholeEntry = buildWholeEntry('1', '2026-11-24', '2026-11-25');
  expect([wholeEntry.start.getDate(), wholeEntry.end.getDate()]).toEqual([24, 26]);
});

it('builds a filter for entries within the visible days', () => {
  expect(buildDaysFilter(DEADLINES, ['2026-11-30'])).toEqual([
    { due: { lt: '2026-12-01' } },
    { due: { gte: '2026-11-30' } },
  ]);
  const [before, after] = buildDaysFilter(EVENTS, ['2026-11-24', '2026-11-25']);
  expect([Object.keys(before!), Object.keys(after!)]).toEqual([['start'], ['stop']]);
});

it('lists the entries of a day, all-day entries first', () => {
  const wholeEntry = buildWholeEntry('whole', '2026-11-23', '2026-11-24');
  const entries = [buildEvent('late', '18:00', '19:00'), buildEvent('early', '08:00', '09:00'), wholeEntry];
  expect(getEntriesOn(entries, '2026-11-24').map(({ id }) => id)).toEqual(['whole', 'early', 'late']);
  expect(getEntriesOn(entries, '2026-11-25')).toEqual([]);
});

it('keeps the duration of a moved entry', () => {
  expect(computeMovedValues(EVENTS, buildEvent('1', '09:00', '10:30'), toDate('14:00'))).toEqual({
    start: toDate('14:00').toISOString(),
    stop: toDate('15:30').toISOString(),
  });
  const due = toCalendarEntry(DEADLINES, { id: '1', due: '2026-11-24' })!;
  expect(computeMovedValues(DEADLINES, due, new Date(2026, 10, 30, 12))).toEqual({ due: '2026-11-30' });
  const wholeEntry = buildWholeEntry('1', '2026-11-24', '2026-11-25');
  expect(computeMovedValues(EVENTS, wholeEntry, new Date(2026, 11, 1))).toEqual({
    first: '2026-12-01',
    last: '2026-12-02',
  });
});

it('assigns overlapping entries to separate lanes', () => {
  const lanedLanes = assignLanes([
    buildEvent('c', '12:00', '13:00'),
    buildEvent('a', '09:00', '11:00'),
    buildEvent('b', '10:00', '11:30'),
    buildEvent('d', '11:00', '11:20'),
  ]);
  expect(lanedLanes.map(({ entry, lane, lanes }) => [entry.id, lane, lanes])).toEqual([
    ['a', 0, 2],
    ['b', 1, 2],
    ['d', 0, 2],
    ['c', 0, 1],
  ]);
});
