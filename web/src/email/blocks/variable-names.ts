export const OPEN_VARIABLE = /\{\{\s*(\w*)$/;

const MAX_SUGGESTIONS = 8;

/** Variables that every contact has, offered in addition to the document's variables. */
const CONTACT_VARIABLES = ['firstName', 'lastName', 'email'];

/** Suggests completions for a variable's name at the end of a string. A name that does not exist yet comes last. */
export function suggestNames(before: string, variables: readonly string[]): string[] {
  const typed = OPEN_VARIABLE.exec(before)?.[1];
  if (typed === undefined) return [];
  const names = [...new Set([...variables, ...CONTACT_VARIABLES])]
    .filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
    .slice(0, MAX_SUGGESTIONS);
  return typed === '' || names.includes(typed) ? names : [...names, typed];
}
