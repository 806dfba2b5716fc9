/** The text of a note in Markdown, as words and code; of links the words are left. Pure. */
export const parseNoteText = (text: string): ['text' | 'code', string][] =>
  text
    .split(/(`[^`]+`)/)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('`') && part.endsWith('`') && part.length > 2
        ? ['code', part.slice(1, -1)]
        : ['text', part.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\*\*|(?<!\w)_|_(?!\w)/g, '')],
    );
