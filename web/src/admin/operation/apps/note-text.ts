/** Splits a Markdown note into text and code. Replaces links with their text. */
export const parseNoteText = (text: string): ['text' | 'code', string][] =>
  text
    .split(/(`[^`]+`)/)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('`') && part.endsWith('`') && part.length > 2
        ? ['code', part.slice(1, -1)]
        : ['text', part.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\*\*|(?<!\w)_|_(?!\w)/g, '')],
    );
