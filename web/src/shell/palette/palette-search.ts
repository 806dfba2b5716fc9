/** What the palette leads to. */
export interface Entry {
  to: string;
  name: string;
}

/** A record that was found by its name. */
export interface FoundRecord {
  model: string;
  modelLabel: string;
  recordId: string;
  name: string;
}

/** Entries below a heading. */
export interface Section<Each extends Entry = Entry> {
  label: string;
  entries: Each[];
}

/** A record as an entry, which is remembered when it is chosen. */
export interface RecordEntry extends Entry {
  record: FoundRecord;
}

/** Entries that have each typed word in their name; those where a word of theirs begins so come first. Pure. */
export function filterEntries(entries: Entry[], text: string): Entry[] {
  const typedWords = splitWords(text);
  const matches = ({ name }: Entry) => typedWords.every((word) => name.toLowerCase().includes(word));
  const begins = ({ name }: Entry) =>
    typedWords.every((word) => splitWords(name).some((each) => each.startsWith(word)));
  const hits = entries.filter(matches);
  return [...hits.filter(begins), ...hits.filter((entry) => !begins(entry))];
}

/** Records as entries, a section a model, in the order in which they came. Pure. */
export const groupByModel = (records: FoundRecord[]): Section<RecordEntry>[] =>
  [...Map.groupBy(records, ({ model }) => model).values()].map((ofModel) => ({
    label: ofModel[0]!.modelLabel,
    entries: ofModel.map((record) => ({ to: buildPath(record), name: record.name, record })),
  }));

/** A record with its model in its name, for where those of several models stand together. Pure. */
export const toLabeledEntry = (record: FoundRecord): RecordEntry => ({
  to: buildPath(record),
  name: `${record.modelLabel} › ${record.name}`,
  record,
});

const buildPath = ({ model, recordId }: FoundRecord): string => `/records/${model}/${recordId}`;

const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
