// Maps drafts to their staged files in this browser, because the server stores only the files.

const STORAGE_KEY = 'atrium.draft-files';
const MAX_DRAFTS = 100;

const readEntries = (): [draft: string, files: string[]][] => {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]') as [string, string[]][];
  } catch {
    return [];
  }
};

export const getDraftFiles = (draft: string): string[] =>
  readEntries().find(([id]) => id === draft)?.[1] ?? [];

/** An empty list removes the draft's entry. */
export function setDraftFiles(draft: string, files: readonly string[]): void {
  const others = readEntries().filter(([id]) => id !== draft);
  const next = files.length > 0 ? [...others, [draft, files]] : others;
  localStorage.setItem(STORAGE_KEY, JSON.stringify(next.slice(-MAX_DRAFTS)));
}
