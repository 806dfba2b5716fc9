/** Start of a variable at the end of a text. */
export const OPEN_VARIABLE = /\{\{\s*(\w*)$/;

/** Maximum number of completions. */
const MAX_SUGGESTIONS = 8;

/** Returns the variables that complete the name typed after two opening braces at the end of a text. */
export function suggestNames(before: string, variables: readonly string[]): string[] {
  const begun = OPEN_VARIABLE.exec(before)?.[1]?.toLowerCase();
  if (begun === undefined) return [];
  return [...new Set(variables)]
    .filter((name) => name.toLowerCase().startsWith(begun))
    .slice(0, MAX_SUGGESTIONS);
}
