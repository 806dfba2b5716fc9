import type { RecordValues } from '../document.ts';
import { isEditable } from '../fields.ts';
import { type FieldDescription, getFieldKey, isSystemField, type ModelDescription } from '../model.ts';
import { addDays, type Day, getStartOfDay, toDayString } from './days.ts';

/** Date fields of a calendar. `whole` contains the fields of all-day entries. */
export interface DateFields {
  on: FieldDescription;
  until: FieldDescription | null;
  whole: { isIt: FieldDescription; first: FieldDescription; last: FieldDescription } | null;
}

export interface CalendarEntry {
  id: string;
  name: string;
  start: Date;
  /** Exclusive end. */
  end: Date;
  isWhole: boolean;
  record: RecordValues;
}

const END_FIELDS: Record<string, string> = {
  start: 'stop',
  date_start: 'date_end',
  x_start: 'x_stop',
  planned_date_begin: 'date_deadline',
};

const DEFAULT_DATE_FIELDS = ['start', 'date_start', 'date_deadline', 'date_order', 'date_begin', 'date'];

export const getDateFields = ({ fields }: ModelDescription): FieldDescription[] =>
  fields
    .filter(
      (field) =>
        (field.type === 'DATE' || field.type === 'DATETIME') &&
        field.searchable &&
        field.stored &&
        getFieldKey(field) !== null &&
        !/^activity_/.test(field.name),
    )
    .sort((a, b) => getFieldRank(a) - getFieldRank(b));

function getFieldRank(field: FieldDescription): number {
  const index = DEFAULT_DATE_FIELDS.indexOf(field.name);
  if (index >= 0) return index;
  return isSystemField(field) ? DEFAULT_DATE_FIELDS.length + 1 : DEFAULT_DATE_FIELDS.length;
}

/** Returns the date fields for a start field, or null if the model has no dates. */
export function findDateFields(model: ModelDescription, fieldName: string | undefined): DateFields | null {
  const fields = getDateFields(model);
  const on = fields.find((field) => getFieldKey(field) === fieldName) ?? fields[0];
  if (!on) return null;
  const findByName = (name: string | undefined) => model.fields.find((field) => field.name === name) ?? null;
  const until = findByName(END_FIELDS[on.name]);
  const [isIt, first, last] = ['allday', 'start_date', 'stop_date'].map(findByName);
  return {
    on,
    until: until?.type === on.type && until.searchable ? until : null,
    whole: on.name === 'start' && isIt && first && last ? { isIt, first, last } : null,
  };
}

export function buildDaysFilter({ on, until }: DateFields, days: Day[]): Record<string, unknown>[] {
  const [first, after] = [days[0]!, addDays(days.at(-1)!, 1)];
  const toBound = (day: Day) => (on.type === 'DATE' ? day : getStartOfDay(day).toISOString());
  const from = { [on.type === 'DATE' || !until ? 'gte' : 'gt']: toBound(first) };
  return [{ [getFieldKey(on)!]: { lt: toBound(after) } }, { [getFieldKey(until ?? on)!]: from }];
}

const HOUR_MS = 3_600_000;

export function toCalendarEntry(dates: DateFields, record: RecordValues): CalendarEntry | null {
  const { on, until, whole } = dates;
  const readTime = (field: FieldDescription | null | undefined) =>
    (field ? record[getFieldKey(field)!] : null) as string | null;
  const about = { id: record.id, name: String(record.displayName ?? record.id), record };
  if (whole && record[getFieldKey(whole.isIt)!] === true && readTime(whole.first))
    return { ...about, ...toWholeDays(readTime(whole.first)!, readTime(whole.last)) };
  const from = readTime(on);
  if (!from) return null;
  if (on.type === 'DATE') return { ...about, ...toWholeDays(from, readTime(until)) };
  const start = new Date(from);
  const last = readTime(until);
  const end =
    last && last > from ? new Date(last) : new Date(start.getTime() + (last ? HOUR_MS / 2 : HOUR_MS));
  return { ...about, start, end, isWhole: false };
}

const toWholeDays = (first: Day, last: Day | null) => ({
  start: getStartOfDay(first),
  end: getStartOfDay(addDays(last && last > first ? last : first, 1)),
  isWhole: true,
});

export function getEntriesOn(entries: CalendarEntry[], day: Day): CalendarEntry[] {
  const [from, to] = [getStartOfDay(day), getStartOfDay(addDays(day, 1))];
  return entries
    .filter(({ start, end }) => start < to && end > from)
    .sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || a.start.getTime() - b.start.getTime());
}

export const canMoveEntries = ({ on, until }: DateFields): boolean =>
  isEditable(on) && (until === null || isEditable(until));

/** Returns the values that move an entry to another time. Its duration stays the same. */
export function computeMovedValues(
  dates: DateFields,
  entry: CalendarEntry,
  start: Date,
): Record<string, unknown> {
  const { on, until, whole } = dates;
  const days = Math.round(
    (getStartOfDay(toDayString(start)).getTime() - getStartOfDay(toDayString(entry.start)).getTime()) /
      (24 * HOUR_MS),
  );
  if (entry.isWhole) {
    const [first, last] = whole && on.type !== 'DATE' ? [whole.first, whole.last] : [on, until];
    const lastDay = addDays(toDayString(entry.end), days - 1);
    return {
      [getFieldKey(first)!]: addDays(toDayString(entry.start), days),
      ...(last && entry.record[getFieldKey(last)!] ? { [getFieldKey(last)!]: lastDay } : {}),
    };
  }
  const end = new Date(start.getTime() + entry.end.getTime() - entry.start.getTime());
  const hasEnd = until && entry.record[getFieldKey(until)!];
  return {
    [getFieldKey(on)!]: start.toISOString(),
    ...(hasEnd ? { [getFieldKey(until)!]: end.toISOString() } : {}),
  };
}

interface EntryLane {
  entry: CalendarEntry;
  lane: number;
  lanes: number;
}

export function assignLanes(entries: CalendarEntry[]): EntryLane[] {
  const sortedEntries = [...entries].sort((a, b) => a.start.getTime() - b.start.getTime());
  const lanes: EntryLane[] = [];
  let overlappingLanes: EntryLane[] = [];
  let ends: number[] = [];
  const close = () => {
    for (const item of overlappingLanes) item.lanes = ends.length;
    overlappingLanes = [];
    ends = [];
  };
  for (const entry of sortedEntries) {
    const start = entry.start.getTime();
    if (ends.every((end) => end <= start)) close();
    const free = ends.findIndex((end) => end <= start);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = entry.end.getTime();
    const placed = { entry, lane, lanes: 1 };
    overlappingLanes.push(placed);
    lanes.push(placed);
  }
  close();
  return lanes;
}
