/** What the line in front of a message says of its way here. */
export interface FromLine {
  /** Envelope sender; null for a bounce or where no address stands. */
  sender: string | null;
  /** When it was filed; null where the line has no date that can be read. */
  date: Date | null;
}

const MONTH_NAMES = 'janfebmaraprmayjunjulaugsepoctnovdec';

/**
 * Reads a line that begins with `From `, as mbox files of many programs have it. Null for a line of text: one without a
 * time and a year, or, behind an empty line, without an address alone.
 * @param isApart whether the line before is empty, or there is none
 */
export function readFromLine(line: string, isApart: boolean): FromLine | null {
  const words = line.trim().split(/\s+/).slice(1);
  const time = words.findIndex((word) => /^\d{1,2}:\d{2}(?::\d{2})?$/.test(word));
  const year = words.findIndex((word, at) => at > 0 && /^(?:19|20)\d{2}$/.test(word));
  const isAddressAlone = words.length === 1 && words[0]!.includes('@');
  if ((time < 1 || year < 0) && !(isApart && isAddressAlone)) return null;
  return {
    sender: words[0]!.includes('@') ? words[0]!.replace(/^<|>$/g, '') : null,
    date: parseDate(words, time, year),
  };
}

/** The date in the words around the time: `Mon Jan 2 03:04:05 2026`, perhaps with a zone such as `+0100` behind it. */
function parseDate(words: string[], time: number, year: number): Date | null {
  const month = words.findIndex(
    (word) => /^[a-z]{3}$/i.test(word) && MONTH_NAMES.indexOf(word.toLowerCase()) % 3 === 0,
  );
  const day = words.findIndex((word, at) => Math.abs(at - month) === 1 && /^\d{1,2},?$/.test(word));
  if (time < 0 || year < 0 || month < 0 || day < 0) return null;
  const [hours = 0, minutes = 0, seconds = 0] = words[time]!.split(':').map(Number);
  const number = MONTH_NAMES.indexOf(words[month]!.toLowerCase()) / 3;
  const dayOfMonth = Number.parseInt(words[day]!, 10);
  const midnight = Date.UTC(Number(words[year]), number, dayOfMonth);
  // The 99th of January is a day in April to JavaScript.
  if (new Date(midnight).getUTCDate() !== dayOfMonth) return null;
  if (hours > 23 || minutes > 59 || seconds > 60) return null;
  const wall = midnight + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  return new Date(wall - parseOffset(words) * 60_000);
}

/** Minutes east of Greenwich. */
function parseOffset(words: string[]): number {
  const zone = words.map((word) => /^([+-])(\d{2})(\d{2})$/.exec(word)).find((match) => match !== null);
  if (!zone) return 0;
  return (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3]));
}
