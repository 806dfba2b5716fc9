export interface Entry {
  to: string;
  name: string;
}

export interface FoundRecord {
  model: string;
  modelLabel: string;
  recordId: string;
  name: string;
}

export interface Section<Each extends Entry = Entry> {
  label: string;
  entries: Each[];
}

/** A record entry, which is added to the recent records when selected. */
export interface RecordEntry extends Entry {
  record: FoundRecord;
}

/**
 * Returns the entries whose names contain every typed word. Entries with words that start with the typed text come
 * first.
 */
export function filterEntries(entries: Entry[], text: string): Entry[] {
  const typedWords = splitWords(text);
  const matches = ({ name }: Entry) => typedWords.every((word) => name.toLowerCase().includes(word));
  const begins = ({ name }: Entry) =>
    typedWords.every((word) => splitWords(name).some((each) => each.startsWith(word)));
  const hits = entries.filter(matches);
  return [...hits.filter(begins), ...hits.filter((entry) => !begins(entry))];
}

/** Groups records by model, in the order of the results. */
export const groupByModel = (records: FoundRecord[]): Section<RecordEntry>[] =>
  [...Map.groupBy(records, ({ model }) => model).values()].map((ofModel) => ({
    label: ofModel[0]!.modelLabel,
    entries: ofModel.map((record) => ({ to: buildPath(record), name: record.name, record })),
  }));

/** Converts a record to an entry that includes the name of its model, for lists of several models. */
export const toLabeledEntry = (record: FoundRecord): RecordEntry => ({
  to: buildPath(record),
  name: `${record.modelLabel} › ${record.name}`,
  record,
});

const buildPath = ({ model, recordId }: FoundRecord): string => `/records/${model}/${recordId}`;

const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
