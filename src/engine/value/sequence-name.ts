import { errors } from '../../errors.ts';

/** What the next names of a sequence are made of. */
export interface SequenceNumbers {
  prefix: string | null;
  suffix: string | null;
  padding: number;
  first: number;
  step: number;
}

const AFFIX_PART = /%\((\w+)\)s/g;

/**
 * Parts of a date by their names in prefixes (Odoo 19).
 * @param wall what the user's clock shows, as if it were UTC, ms
 */
export function getDateParts(wall: number): Record<string, string> {
  const [year, month, day, h24, min, sec] = new Date(wall).toISOString().split(/[-T:.]/) as string[];
  const now = new Date(wall);
  const first = Date.UTC(now.getUTCFullYear(), 0, 1);
  const doy = Math.floor((wall - first) / 86_400_000) + 1;
  const weekday = (now.getUTCDay() + 6) % 7;
  const two = (number: number): string => String(number).padStart(2, '0');
  const parts: Record<string, string> = {
    year: year!,
    y: year!.slice(-2),
    month: month!,
    day: day!,
    doy: String(doy).padStart(3, '0'),
    // As strftime's %W: weeks begin on Monday, the days before the first are in week 0.
    woy: two(Math.floor((doy + 6 - weekday) / 7)),
    weekday: String(now.getUTCDay()),
    h24: h24!,
    h12: two(Number(h24) % 12 || 12),
    min: min!,
    sec: sec!,
  };
  const current = Object.entries(parts).flatMap(([name, value]) => [
    [`range_${name}`, value],
    [`current_${name}`, value],
  ]);
  return { ...parts, ...Object.fromEntries(current) };
}

/** @throws USER_ERROR for a prefix or suffix with an unknown part */
export function assertAffix(text: string): void {
  const known = getDateParts(0);
  for (const [, name] of text.matchAll(AFFIX_PART))
    if (!Object.hasOwn(known, name!))
      throw errors.user(
        `Invalid prefix or suffix of a sequence: %(${name})s is none of ${Object.keys(known).slice(0, 11).join(', ')}.`,
      );
}

/** `count` names in a row; an unknown part stays unchanged. Pure. */
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
