/** What stands between double braces when it is a variable: its name as written, and its fallback. */
export interface VariablePlaceholder {
  name: string;
  /** null when none is given. */
  fallback: string | null;
}

/**
 * Reads `name` or `name, fallback=value`, with blanks anywhere between; the value goes to the end, with or without
 * quotes around it. What a name may be is the caller's to say. Pure.
 * @param inside what stands between the braces
 * @returns null for anything else behind the comma
 */
export function parseVariable(inside: string): VariablePlaceholder | null {
  const comma = inside.indexOf(',');
  if (comma < 0) return { name: inside.trim(), fallback: null };
  const rest = inside.slice(comma + 1);
  const equals = rest.indexOf('=');
  if (equals < 0 || rest.slice(0, equals).trim().toLowerCase() !== 'fallback') return null;
  return { name: inside.slice(0, comma).trim(), fallback: unquote(rest.slice(equals + 1).trim()) };
}

const unquote = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;
