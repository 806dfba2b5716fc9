import type { RecordValues } from '../document.ts';
import { isEditable } from '../fields.ts';
import { type Described, type DescribedField, isKept, keyOf } from '../model.ts';
import { type Day, dayOf, daysLater, startOf } from './days.ts';

/** When records of a model are: by which field, until which, and which say that it is for whole days. */
export interface DateFields {
  on: DescribedField;
  until: DescribedField | null;
  whole: { isIt: DescribedField; first: DescribedField; last: DescribedField } | null;
}

/** A record in a calendar. */
export interface CalendarEntry {
  id: string;
  name: string;
  start: Date;
  /** The instant after its last. */
  end: Date;
  /** It has no time of day. */
  isWhole: boolean;
  record: RecordValues;
}

/** Fields that say until when, by those that say from when. */
const UNTIL: Record<string, string> = {
  start: 'stop',
  date_start: 'date_end',
  x_start: 'x_stop',
  planned_date_begin: 'date_deadline',
};

/** Fields that a calendar goes by until the person chooses another, the first that is there. */
const USUAL = ['start', 'date_start', 'date_deadline', 'date_order', 'date_begin', 'date'];

/** Fields that a calendar can go by. Pure. */
export const dateFields = ({ fields }: Described): DescribedField[] =>
  fields
    .filter(
      (field) =>
        (field.type === 'DATE' || field.type === 'DATETIME') &&
        field.searchable &&
        field.stored &&
        keyOf(field) !== null &&
        !/^activity_/.test(field.name),
    )
    .sort((a, b) => rankOf(a) - rankOf(b));

function rankOf(field: DescribedField): number {
  const at = USUAL.indexOf(field.name);
  if (at >= 0) return at;
  return isKept(field) ? USUAL.length + 1 : USUAL.length;
}

/** The fields of a calendar by the one that was chosen; null for a model without dates. Pure. */
export function datesOf(model: Described, chosen: string | undefined): DateFields | null {
  const fields = dateFields(model);
  const on = fields.find((field) => keyOf(field) === chosen) ?? fields[0];
  if (!on) return null;
  const named = (name: string | undefined) => model.fields.find((field) => field.name === name) ?? null;
  const until = named(UNTIL[on.name]);
  const [isIt, first, last] = ['allday', 'start_date', 'stop_date'].map(named);
  return {
    on,
    until: until?.type === on.type && until.searchable ? until : null,
    whole: on.name === 'start' && isIt && first && last ? { isIt, first, last } : null,
  };
}

/** What is asked for: those that are in one of the days. Pure. */
export function inDays({ on, until }: DateFields, days: Day[]): Record<string, unknown>[] {
  const [first, after] = [days[0]!, daysLater(days.at(-1)!, 1)];
  const at = (day: Day) => (on.type === 'DATE' ? day : startOf(day).toISOString());
  const from = { [on.type === 'DATE' || !until ? 'gte' : 'gt']: at(first) };
  return [{ [keyOf(on)!]: { lt: at(after) } }, { [keyOf(until ?? on)!]: from }];
}

const HOUR = 3_600_000;

/** A record as a calendar shows it; null where it has no date. Pure. */
export function entryOf(dates: DateFields, record: RecordValues): CalendarEntry | null {
  const { on, until, whole } = dates;
  const read = (field: DescribedField | null | undefined) =>
    (field ? record[keyOf(field)!] : null) as string | null;
  const about = { id: record.id, name: String(record.displayName ?? record.id), record };
  if (whole && record[keyOf(whole.isIt)!] === true && read(whole.first))
    return { ...about, ...wholeDays(read(whole.first)!, read(whole.last)) };
  const from = read(on);
  if (!from) return null;
  if (on.type === 'DATE') return { ...about, ...wholeDays(from, read(until)) };
  const start = new Date(from);
  const last = read(until);
  const end = last && last > from ? new Date(last) : new Date(start.getTime() + (last ? HOUR / 2 : HOUR));
  return { ...about, start, end, isWhole: false };
}

const wholeDays = (first: Day, last: Day | null) => ({
  start: startOf(first),
  end: startOf(daysLater(last && last > first ? last : first, 1)),
  isWhole: true,
});

/** Entries of a day: for whole days first, then by time. Pure. */
export function entriesOn(entries: CalendarEntry[], day: Day): CalendarEntry[] {
  const [from, to] = [startOf(day), startOf(daysLater(day, 1))];
  return entries
    .filter(({ start, end }) => start < to && end > from)
    .sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || a.start.getTime() - b.start.getTime());
}

/** Whether a form may change when records are. Pure. */
export const canMove = ({ on, until }: DateFields): boolean =>
  isEditable(on) && (until === null || isEditable(until));

/** The values that put an entry at another time; it stays as long as it was. Pure. */
export function movedValues(dates: DateFields, entry: CalendarEntry, start: Date): Record<string, unknown> {
  const { on, until, whole } = dates;
  const days = Math.round(
    (startOf(dayOf(start)).getTime() - startOf(dayOf(entry.start)).getTime()) / (24 * HOUR),
  );
  if (entry.isWhole) {
    const [first, last] = whole && on.type !== 'DATE' ? [whole.first, whole.last] : [on, until];
    const lastDay = daysLater(dayOf(entry.end), days - 1);
    return {
      [keyOf(first)!]: daysLater(dayOf(entry.start), days),
      ...(last && entry.record[keyOf(last)!] ? { [keyOf(last)!]: lastDay } : {}),
    };
  }
  const end = new Date(start.getTime() + entry.end.getTime() - entry.start.getTime());
  const hasEnd = until && entry.record[keyOf(until)!];
  return {
    [keyOf(on)!]: start.toISOString(),
    ...(hasEnd ? { [keyOf(until)!]: end.toISOString() } : {}),
  };
}

/** An entry beside others that are at the same time: the lane it has, of how many. */
export interface Laned {
  entry: CalendarEntry;
  lane: number;
  lanes: number;
}

/** Puts entries that overlap side by side. Pure. */
export function lanesOf(entries: CalendarEntry[]): Laned[] {
  const sorted = [...entries].sort((a, b) => a.start.getTime() - b.start.getTime());
  const laned: Laned[] = [];
  let together: Laned[] = [];
  let ends: number[] = [];
  const close = () => {
    for (const each of together) each.lanes = ends.length;
    together = [];
    ends = [];
  };
  for (const entry of sorted) {
    const start = entry.start.getTime();
    if (ends.every((end) => end <= start)) close();
    const free = ends.findIndex((end) => end <= start);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = entry.end.getTime();
    const each = { entry, lane, lanes: 1 };
    together.push(each);
    laned.push(each);
  }
  close();
  return laned;
}
