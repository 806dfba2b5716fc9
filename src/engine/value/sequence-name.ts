import { errors } from '../../errors.ts';

export interface SequenceNumbers {
  prefix: string | null;
  suffix: string | null;
  padding: number;
  first: number;
  step: number;
}

const AFFIX_PART = /%\((\w+)\)s/g;

/**
 * Returns the parts of a date by the placeholder names used in prefixes (Odoo 19).
 * @param wallTime the user's wall time as if it were UTC, in milliseconds
 */
export function getDateParts(wallTime: number): Record<string, string> {
  const [year, month, day, h24, min, sec] = new Date(wallTime).toISOString().split(/[-T:.]/) as string[];
  const now = new Date(wallTime);
  const first = Date.UTC(now.getUTCFullYear(), 0, 1);
  const doy = Math.floor((wallTime - first) / 86_400_000) + 1;
  const weekday = (now.getUTCDay() + 6) % 7;
  const padTwo = (number: number): string => String(number).padStart(2, '0');
  const parts: Record<string, string> = {
    year: year!,
    y: year!.slice(-2),
    month: month!,
    day: day!,
    doy: String(doy).padStart(3, '0'),
    // As in strftime's %W, weeks start on Monday, and the days before the first Monday are in week 0.
    woy: padTwo(Math.floor((doy + 6 - weekday) / 7)),
    weekday: String(now.getUTCDay()),
    h24: h24!,
    h12: padTwo(Number(h24) % 12 || 12),
    min: min!,
    sec: sec!,
  };
  const current = Object.entries(parts).flatMap(([name, value]) => [
    [`range_${name}`, value],
    [`current_${name}`, value],
  ]);
  return { ...parts, ...Object.fromEntries(current) };
}

/** @throws USER_ERROR if a prefix or suffix contains an unknown placeholder */
export function assertAffix(text: string): void {
  const dateParts = getDateParts(0);
  for (const [, name] of text.matchAll(AFFIX_PART))
    if (!Object.hasOwn(dateParts, name!))
      throw errors.user(
        `The prefix or suffix of a sequence contains the unknown placeholder %(${name})s. Use one of ` +
          `${Object.keys(dateParts).slice(0, 11).join(', ')}.`,
      );
}

/** Builds `count` consecutive names. Leaves unknown placeholders unchanged. */
export function buildSequenceNames(
  numbers: SequenceNumbers,
  count: number,
  parts: Record<string, string>,
): string[] {
  const [prefix, suffix] = [fillParts(numbers.prefix ?? '', parts), fillParts(numbers.suffix ?? '', parts)];
  return Array.from({ length: count }, (_, index) => {
    const number = numbers.first + index * numbers.step;
    return `${prefix}${String(number).padStart(numbers.padding, '0')}${suffix}`;
  });
}

const fillParts = (text: string, parts: Record<string, string>): string =>
  text.replace(AFFIX_PART, (mark, name: string) => parts[name] ?? mark);
