/** A header's preference for a value. `place` is the position among values of the same weight. */
interface Preference {
  weight: number;
  place: number;
}

/**
 * Returns the offered media types that an `Accept` header accepts, best first (RFC 9110 12.5.1): by weight, then in the
 * order of the header. Types that only match a wildcard come last, in the order of `offered`. Without a header, all are
 * accepted.
 */
export function selectAcceptedTypes<T extends string>(header: string | null, offered: readonly T[]): T[] {
  if (!header?.trim()) return [...offered];
  const ranges = parseRanges(header);
  return offered
    .map((type) => ({ type, ...getPreference(ranges, type) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
    .map(({ type }) => type);
}

/** Returns true if an `Accept` header names the type. Wildcards do not count. */
export const namesMediaType = (header: string | null, type: string): boolean =>
  parseRanges(header ?? '').some((range) => range.name === type && range.weight > 0);

/**
 * Returns the offered language that an `Accept-Language` header prefers (RFC 9110 12.5.4), or the first one. Ignores
 * regions and scripts.
 */
export function selectLanguage<T extends string>(header: string | null, offered: readonly [T, ...T[]]): T {
  const ranges = parseRanges(header ?? '').map((range) => ({ ...range, name: range.name.split('-')[0]! }));
  const accepted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  const names: readonly string[] = accepted.map(({ name }) => name);
  const best = names.find((name) => offered.some((language) => language === name));
  return (best as T | undefined) ?? offered[0];
}

export const acceptsCoding = ({ headers }: Request, coding: string): boolean =>
  getPreference(parseRanges(headers.get('accept-encoding') ?? ''), coding).weight > 0;

interface MediaRange {
  name: string;
  weight: number;
}

const parseRanges = (header: string): MediaRange[] =>
  header.split(',').map((range) => {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return { name: name!, weight: parseWeight(parameters) };
  });

/** A missing or invalid weight is 1. */
function parseWeight(parameters: string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return weight !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1;
}

/** The most specific range applies. */
function getPreference(ranges: MediaRange[], value: string): Preference {
  for (const name of [value, `${value.split('/')[0]}/*`, '*/*', '*']) {
    const index = ranges.findIndex((range) => range.name === name);
    if (index >= 0) return { weight: ranges[index]!.weight, place: name === value ? index : ranges.length };
  }
  return { weight: 0, place: 0 };
}
