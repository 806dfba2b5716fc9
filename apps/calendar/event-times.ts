import { isInstant } from '../../src/engine/value/instant.ts';
import { errors, formatInstant, isSet, parseTimestamp, type Values } from '../kit/surface.ts';

/** An event's start and end, formatted like datetime fields. The time of day is meaningless for all-day events. */
export interface EventTimes {
  start: string;
  stop: string;
  allday: boolean;
}

export const TIME_FIELDS = ['start', 'stop', 'start_date', 'stop_date', 'duration', 'allday'] as const;

/** Years outside this range are probably mistakes, and their time zone rules are unknown. */
export const MIN_YEAR = 1900;
export const MAX_YEAR = 2200;

const HOUR_MS = 3_600_000;
const MAX_HOURS = 100_000;
/** Clients expect all-day events to have these hours. In time zones near UTC, both hours are on the same date. */
const [MORNING, EVENING] = ['08:00:00', '18:00:00'];

/**
 * Computes an event's times from the written values and its current times. A moved event keeps its duration.
 * @param now the current times, null for a new event
 * @returns null if the values change no time of an existing event
 * @throws BAD_VALUE, VALIDATION
 */
export function computeTimes(values: Values, now: EventTimes | null): EventTimes | null {
  if (now && TIME_FIELDS.every((name) => values[name] === undefined)) return null;
  const allday = values.allday === undefined ? (now?.allday ?? false) : values.allday === true;
  const times = allday ? computeWholeDays(values, now) : { ...computeHours(values, now), allday };
  if (parseTimestamp(times.stop) < parseTimestamp(times.start))
    throw errors.validation('The ending date and time cannot be earlier than the starting date and time.');
  if (getYear(times.start) < MIN_YEAR || !(getYear(times.stop) <= MAX_YEAR))
    throw errors.validation(`The year of an event must be from ${MIN_YEAR} to ${MAX_YEAR}.`);
  return times;
}

const getYear = (text: string): number => Number(text.slice(0, 4));

/** Returns the end and the duration that a changed time sets in a form, also before the event can be stored. */
export function computeFormTimes(values: Values, changed: string[]): Values {
  const start = parseFormTime(values.start);
  if (start === null || values.allday === true) return {};
  if (changed.includes('stop')) {
    const stop = parseFormTime(values.stop);
    return stop !== null && stop >= start ? { duration: roundHours((stop - start) / HOUR_MS) } : {};
  }
  const hours = Number(values.duration);
  const isValid = hours >= 0 && hours <= MAX_HOURS;
  if (changed.includes('start')) {
    const duration = isValid && hours > 0 ? hours : 1;
    return { stop: formatInstant(start + duration * HOUR_MS), duration };
  }
  return changed.includes('duration') && isValid ? { stop: formatInstant(start + hours * HOUR_MS) } : {};
}

const parseFormTime = (value: unknown): number | null =>
  typeof value === 'string' && isInstant(value) ? parseTimestamp(value) : null;

const roundHours = (hours: number): number => Math.round(hours * 100) / 100;

function computeWholeDays(values: Values, now: EventTimes | null): EventTimes {
  const first = parseTimeText(values, 'start_date') ?? parseTimeText(values, 'start') ?? now?.start;
  if (!first) throw createMissingStartError();
  const length = now ? parseTimestamp(now.stop.slice(0, 10)) - parseTimestamp(now.start.slice(0, 10)) : 0;
  const begin = parseTimestamp(first.slice(0, 10));
  const last =
    parseTimeText(values, 'stop_date') ?? parseTimeText(values, 'stop') ?? formatInstant(begin + length);
  return { start: `${first.slice(0, 10)} ${MORNING}`, stop: `${last.slice(0, 10)} ${EVENING}`, allday: true };
}

function computeHours(values: Values, now: EventTimes | null): Omit<EventTimes, 'allday'> {
  const start = parseTimeText(values, 'start') ?? parseTimeText(values, 'start_date') ?? now?.start;
  if (!start) throw createMissingStartError();
  const stop = parseTimeText(values, 'stop');
  if (stop) return { start: toFullTime(start), stop: toFullTime(stop) };
  const length =
    parseDuration(values) ??
    (now && !now.allday ? parseTimestamp(now.stop) - parseTimestamp(now.start) : HOUR_MS);
  return { start: toFullTime(start), stop: formatInstant(parseTimestamp(toFullTime(start)) + length) };
}

const toFullTime = (text: string): string => (text.length === 10 ? `${text} 00:00:00` : text.slice(0, 19));

const createMissingStartError = () =>
  errors.validation('An event requires a start time or a start date (start, start_date).');

/** Converts the duration from hours to milliseconds. */
function parseDuration({ duration }: Values): number | null {
  if (duration === undefined || duration === null || duration === false) return null;
  const hour = Number(duration);
  if (!Number.isFinite(hour) || hour < 0 || hour > MAX_HOURS)
    throw errors.wrongValue('calendar.event', 'duration', duration);
  return Math.round(hour * 3600) * 1000;
}

function parseTimeText(values: Values, name: (typeof TIME_FIELDS)[number]): string | null {
  const value = values[name];
  if (!isSet(value)) return null;
  const text = typeof value === 'string' ? value.replace('T', ' ').slice(0, 19) : '';
  const full = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/.test(text) ? `${text}:00` : text;
  if (!/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/.test(full) || !isInstant(full))
    throw errors.wrongValue('calendar.event', name, value);
  return full;
}
