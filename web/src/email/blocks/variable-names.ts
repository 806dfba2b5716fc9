/** A variable that is being typed, at the end of a text. */
export const OPEN_VARIABLE = /\{\{\s*(\w*)$/;

/** Names that are shown. */
const MAX_SUGGESTIONS = 8;

/** Variables whose names begin with what stands behind two braces at the end of a text. Pure. */
export function suggestNames(before: string, variables: readonly string[]): string[] {
  const begun = OPEN_VARIABLE.exec(before)?.[1]?.toLowerCase();
  if (begun === undefined) return [];
  return [...new Set(variables)]
    .filter((name) => name.toLowerCase().startsWith(begun))
    .slice(0, MAX_SUGGESTIONS);
}
