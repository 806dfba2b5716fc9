// Which staged files belong to a draft. The server keeps the files; this browser keeps which draft they are for.

const PLACE = 'atrium.draft-files';
const MOST = 100;

const all = (): [draft: string, files: string[]][] => {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '[]') as [string, string[]][];
  } catch {
    return [];
  }
};

export const filesOfDraft = (draft: string): string[] => all().find(([id]) => id === draft)?.[1] ?? [];

/** An empty list forgets the draft. */
export function keepFilesOfDraft(draft: string, files: readonly string[]): void {
  const others = all().filter(([id]) => id !== draft);
  const next = files.length > 0 ? [...others, [draft, files]] : others;
  localStorage.setItem(PLACE, JSON.stringify(next.slice(-MOST)));
}
