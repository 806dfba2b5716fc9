export interface FromLine {
  /** Envelope sender. Null for a bounce, or if the line contains no address. */
  sender: string | null;
  /** Delivery time. Null if the line contains no readable date. */
  date: Date | null;
}

const MONTH_NAMES = 'janfebmaraprmayjunjulaugsepoctnovdec';

/**
 * Parses a line that starts with `From `, in the formats of various programs. Returns null for ordinary text: a line
 * without a time and a year, unless it follows an empty line and contains only an address.
 * @param isApart true if the previous line is empty or missing
 */
export function parseFromLine(line: string, isApart: boolean): FromLine | null {
  const words = line.trim().split(/\s+/).slice(1);
  const time = words.findIndex((word) => /^\d{1,2}:\d{2}(?::\d{2})?$/.test(word));
  const year = words.findIndex((word, index) => index > 0 && /^(?:19|20)\d{2}$/.test(word));
  const isAddressAlone = words.length === 1 && words[0]!.includes('@');
  if ((time < 1 || year < 0) && !(isApart && isAddressAlone)) return null;
  return {
    sender: words[0]!.includes('@') ? words[0]!.replace(/^<|>$/g, '') : null,
    date: parseDate(words, time, year),
  };
}

/** Parses a date such as `Mon Jan 2 03:04:05 2026`, optionally with a zone such as `+0100`. */
function parseDate(words: string[], time: number, year: number): Date | null {
  const month = words.findIndex(
    (word) => /^[a-z]{3}$/i.test(word) && MONTH_NAMES.indexOf(word.toLowerCase()) % 3 === 0,
  );
  const day = words.findIndex((word, index) => Math.abs(index - month) === 1 && /^\d{1,2},?$/.test(word));
  if (time < 0 || year < 0 || month < 0 || day < 0) return null;
  const [hours = 0, minutes = 0, seconds = 0] = words[time]!.split(':').map(Number);
  const number = MONTH_NAMES.indexOf(words[month]!.toLowerCase()) / 3;
  const dayOfMonth = Number.parseInt(words[day]!, 10);
  const midnight = Date.UTC(Number(words[year]), number, dayOfMonth);
  // `Date.UTC` would turn January 99 into a day in April.
  if (new Date(midnight).getUTCDate() !== dayOfMonth) return null;
  if (hours > 23 || minutes > 59 || seconds > 60) return null;
  const wallTime = midnight + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  return new Date(wallTime - parseOffset(words) * 60_000);
}

/** Returns minutes east of UTC. */
function parseOffset(words: string[]): number {
  const zone = words.map((word) => /^([+-])(\d{2})(\d{2})$/.exec(word)).find((match) => match !== null);
  if (!zone) return 0;
  return (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3]));
}
