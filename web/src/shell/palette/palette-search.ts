import { formatDate, formatInstant } from '../../i18n/format.ts';

export interface Entry {
  /** Unique in the palette. */
  key: string;
  name: string;
  /** Distinguishes entries with equal names. */
  detail?: string | null;
  /** Additional search terms, such as synonyms. */
  keywords?: string;
  to?: string;
  search?: Record<string, unknown>;
  /** Label of the button to press on the page `to`. */
  button?: string;
  run?(): void;
  /** Added to the recent records when selected. */
  record?: FoundRecord;
}

export interface FoundRecord {
  model: string;
  modelLabel: string;
  recordId: string;
  name: string;
  detail?: string | null;
}

interface FoundMeeting extends FoundRecord {
  startsOn: string | null;
  startsAt: string | null;
}

/** Adds the date to the detail, in the reader's language and time zone. */
export function toFoundRecord({ startsOn, startsAt, ...record }: FoundMeeting): FoundRecord {
  const date = startsOn ? formatDate(startsOn) : startsAt && formatInstant(startsAt);
  return date ? { ...record, detail: [date, record.detail].filter(Boolean).join(' · ') } : record;
}

export interface Section {
  label: string;
  entries: Entry[];
}

/**
 * Returns the entries whose names and keywords contain every typed word. Matches at the beginning of words come first,
 * and matches only in keywords come last. Of equal matches, the shortest name comes first, because the typed words are
 * the largest part of it.
 */
export function filterEntries(entries: Entry[], text: string): Entry[] {
  const typedWords = splitWords(text);
  if (typedWords.length === 0) return entries;
  const ranked = entries.flatMap((entry) => {
    const rank = rankEntry(entry, typedWords);
    return rank === undefined ? [] : [{ entry, rank }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank || a.entry.name.length - b.entry.name.length)
    .map(({ entry }) => entry);
}

/** Returns the rank of a match (0 is best), or undefined if a typed word is missing. */
function rankEntry({ name, keywords = '' }: Entry, typedWords: string[]): number | undefined {
  const words = splitWords(name);
  if (typedWords.every((word) => words.some((item) => item.startsWith(word)))) return 0;
  const lower = name.toLowerCase();
  if (typedWords.every((word) => lower.includes(word))) return 1;
  const all = `${lower} ${keywords.toLowerCase()}`;
  return typedWords.every((word) => all.includes(word)) ? 2 : undefined;
}

export const groupByModel = (records: FoundRecord[]): Section[] =>
  [...Map.groupBy(records, ({ model }) => model).values()].map((ofModel) => ({
    label: ofModel[0]!.modelLabel,
    entries: ofModel.map((record) => toRecordEntry(record, record.name)),
  }));

/** Adds the model's name to the entry, for lists with several models. */
export const toLabeledEntry = (record: FoundRecord): Entry =>
  toRecordEntry(record, `${record.modelLabel} › ${record.name}`);

function toRecordEntry(record: FoundRecord, name: string): Entry {
  const to = `/records/${record.model}/${record.recordId}`;
  return { key: to, to, name, detail: record.detail, record };
}

const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
