import type { CellFormat } from '../model/principal.ts';
import { formatInstant, isInstant, parseTimestamp } from '../value/instant.ts';

/** Names of months in the languages of the application. Prefixes of at least three letters match, such as `Sept.`. */
const MONTH_NAMES = [
  ['january', 'januar', 'jänner'],
  ['february', 'februar', 'feber'],
  ['march', 'märz', 'maerz', 'mrz'],
  ['april'],
  ['may', 'mai'],
  ['june', 'juni'],
  ['july', 'juli'],
  ['august'],
  ['september'],
  ['october', 'oktober'],
  ['november'],
  ['december', 'dezember'],
];

const NAME = '(\\p{L}{3,9})\\.?';
const DAY_FORMS = [
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})/u,
  /^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})/u,
  new RegExp(`^(?<day>\\d{1,2})(?:\\.|st|nd|rd|th)?[ -]?(?<name>${NAME}),?[ -]?(?<year>\\d{4})`, 'iu'),
  new RegExp(`^(?<name>${NAME}) (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})`, 'iu'),
];

/** Dates such as `01/02/2026`, which are ambiguous unless the order is known. */
const ORDERED_DAY_FORMS = {
  DMY: /^(?<day>\d{1,2})[/-](?<month>\d{1,2})[/-](?<year>\d{4})/u,
  MDY: /^(?<month>\d{1,2})[/-](?<day>\d{1,2})[/-](?<year>\d{4})/u,
};

const TIME = /^(?:T|,? (?:at |um )?)(\d{1,2}):(\d{2})(?::(\d{2}))?(?: Uhr)?$/i;

interface CellDate {
  /** `YYYY-MM-DD` */
  day: string;
  /** `YYYY-MM-DD HH:MM:SS`. The time `24:00` is the start of the next day. */
  wallTime: string;
}

/** Parses a date with an optional time, such as `31. Januar 2026 24:00`. Null if the text is not one. */
export function parseCellDate(cell: string, order?: CellFormat['dateOrder']): CellDate | null {
  const text = cell.trim().normalize('NFC').replace(/\s+/g, ' ');
  for (const form of order ? [...DAY_FORMS, ORDERED_DAY_FORMS[order]] : DAY_FORMS) {
    const match = form.exec(text);
    const day = match && toDay(match.groups!);
    const wallTime = day && toWallTime(day, text.slice(match[0].length));
    if (wallTime) return { day, wallTime };
  }
  return null;
}

function toDay({ year, month, name, day }: Record<string, string | undefined>): string | null {
  const number = name === undefined ? Number(month) : findMonth(name);
  const text = `${year}-${String(number).padStart(2, '0')}-${day!.padStart(2, '0')}`;
  return isInstant(text) ? text : null;
}

function findMonth(name: string): number {
  const word = name.replace('.', '').toLowerCase();
  return MONTH_NAMES.findIndex((names) => names.some((full) => full.startsWith(word))) + 1;
}

function toWallTime(day: string, rest: string): string | null {
  if (rest === '') return `${day} 00:00:00`;
  const [, hour, minute, second = '00'] = TIME.exec(rest) ?? [];
  if (hour === undefined) return null;
  const isEndOfDay = hour === '24' && minute === '00' && second === '00';
  const time = `${day} ${isEndOfDay ? '23' : hour.padStart(2, '0')}:${isEndOfDay ? '59:59' : `${minute}:${second}`}`;
  if (!isInstant(time)) return null;
  return isEndOfDay ? formatInstant(parseTimestamp(time) + 1_000) : time;
}
