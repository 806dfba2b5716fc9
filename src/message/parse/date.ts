const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Offsets of named time zones in minutes (RFC 5322 4.3). */
const ZONES: Record<string, number> = {
  edt: -240,
  est: -300,
  cdt: -300,
  cst: -360,
  mdt: -360,
  mst: -420,
  pdt: -420,
  pst: -480,
};

const TIME_PATTERN = String.raw`(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2})(?:\.\d+)?)?(?: ?([ap])\.?m\b\.?)?`;

/** An optional offset or name, such as `+0100`, `+01:00`, `GMT+0100` or `PST`. */
const ZONE_PATTERN = String.raw`(?: *(?:gmt|utc)?([+-] ?\d{1,2}:?\d{2}|[a-z]{1,5}))?`;

/** Matches `1 Apr 2026 09:30:00 +0200`. Also accepts dots instead of colons, and a missing zone. */
const RFC_DATE = new RegExp(
  String.raw`^(\d{1,2})[ -]+([a-z]{3})[a-z]*[ -]+(\d{2,4})[ ,]+${TIME_PATTERN}${ZONE_PATTERN}`,
);

/** `Apr 1 09:30:00 2026`, as written by asctime. */
const ASCTIME_DATE = new RegExp(
  String.raw`^([a-z]{3})[a-z]* +(\d{1,2}) +${TIME_PATTERN}` +
    String.raw`(?: +([a-z]{1,5}|[+-]\d{4}))? +(\d{4})(?: *([+-]\d{4}))?`,
);

/** `May 09 2017 16:54:30 -0800`, with or without commas, as written by JavaScript. */
const MONTH_FIRST_DATE = new RegExp(
  String.raw`^([a-z]{3})[a-z]* +(\d{1,2}),? +(\d{4}),? +${TIME_PATTERN}${ZONE_PATTERN}`,
);

const ISO_DATE =
  /^\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)? ?(?:z|utc|gmt|[+-]\d{2}:?\d{2})?$/;

/** Parses a date field. Returns null if it contains no valid time. Unknown zones are treated as UTC. */
export function parseMailDate(value: string): Date | null {
  const text = value
    .slice(0, 200)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ?: ?/g, ':')
    .trim()
    .toLowerCase()
    .replace(/^[a-z]{2,9}\.?(?:, ?| (?=\d|[a-z]{3} ))/, '')
    .trim();
  const rfc = RFC_DATE.exec(text);
  if (rfc) {
    const [, day, month, year, hour, minute, second, half, zone] = rfc;
    return buildDate([year!, month!, day!, to24Hours(hour!, half), minute!, second ?? '0'], zone);
  }
  const asctime = ASCTIME_DATE.exec(text);
  if (asctime) {
    const [, month, day, hour, minute, second, half, zone, year, late] = asctime;
    return buildDate([year!, month!, day!, to24Hours(hour!, half), minute!, second ?? '0'], zone ?? late);
  }
  const monthFirst = MONTH_FIRST_DATE.exec(text);
  if (monthFirst) {
    const [, month, day, year, hour, minute, second, half, zone] = monthFirst;
    return buildDate([year!, month!, day!, to24Hours(hour!, half), minute!, second ?? '0'], zone);
  }
  return ISO_DATE.test(text) ? parseIsoDate(text) : null;
}

export const parseReceivedDate = (value: string): Date | null =>
  parseMailDate(value.slice(value.lastIndexOf(';') + 1));

function parseIsoDate(text: string): Date | null {
  const joined = text
    .replace(' ', 't')
    .replace(/ ?(?:utc|gmt)$/, 'z')
    .replace(' ', '');
  const zoned = /(?:z|[+-]\d{2}:?\d{2})$/.test(joined.slice(11)) ? joined : `${joined}z`;
  const date = new Date(zoned.toUpperCase());
  return Number.isNaN(date.getTime()) ? null : omitImpossibleYear(date);
}

function buildDate([year, monthName, ...rest]: string[], zone: string | undefined): Date | null {
  const month = MONTHS.indexOf(monthName!);
  const [day, hour, minute, second] = rest.map(Number) as [number, number, number, number];
  const daysOfMonth = new Date(Date.UTC(toFullYear(year!), month + 1, 0)).getUTCDate();
  if (month < 0 || day < 1 || day > daysOfMonth || hour > 23 || minute > 59 || second > 60) return null;
  const local = Date.UTC(toFullYear(year!), month, day, hour, minute, second);
  const date = new Date(local - parseOffset(zone) * 60_000);
  return omitImpossibleYear(date);
}

/** Returns null for years outside 1900 to 9999, which are usually mistakes and which databases would reject. */
const omitImpossibleYear = (date: Date): Date | null =>
  date.getUTCFullYear() < 1900 || date.getUTCFullYear() > 9999 ? null : date;

/** Two digits mean 1950 to 2049, and three digits count from 1900 (RFC 5322 4.3). */
function toFullYear(text: string): number {
  const year = Number(text);
  if (text.length === 2) return year + (year < 50 ? 2000 : 1900);
  return text.length === 3 ? year + 1900 : year;
}

/** `12 am` is midnight and `12 pm` is noon. */
const to24Hours = (hour: string, half: string | undefined): string =>
  half ? String((Number(hour) % 12) + (half === 'p' ? 12 : 0)) : hour;

function parseOffset(zone: string | undefined): number {
  if (!zone) return 0;
  const [, sign, digits] = /^([+-]) ?(\d{3,4})$/.exec(zone.replace(':', '')) ?? [];
  if (!digits) return ZONES[zone] ?? 0;
  const minutes = Number(digits.slice(0, -2)) * 60 + Number(digits.slice(-2));
  return minutes > 24 * 60 ? 0 : sign === '-' ? -minutes : minutes;
}
