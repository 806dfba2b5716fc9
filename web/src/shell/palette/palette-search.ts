/** What the palette leads to. */
export interface Entry {
  to: string;
  name: string;
}

/** Entries that have each typed word in their name; those where a word of theirs begins so come first. Pure. */
export function found(entries: Entry[], text: string): Entry[] {
  const typed = words(text);
  const fits = ({ name }: Entry) => typed.every((word) => name.toLowerCase().includes(word));
  const begins = ({ name }: Entry) =>
    typed.every((word) => words(name).some((each) => each.startsWith(word)));
  const hits = entries.filter(fits);
  return [...hits.filter(begins), ...hits.filter((entry) => !begins(entry))];
}

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
