interface VariablePlaceholder {
  name: string;
  fallback: string | null;
}

/**
 * Parses `name` or `name, fallback=value`, with optional whitespace and quotes. The value extends to the end of the
 * expression. Does not validate the name.
 * @param expression text between the braces
 * @returns null if anything else follows the comma
 */
export function parseVariable(expression: string): VariablePlaceholder | null {
  const comma = expression.indexOf(',');
  if (comma < 0) return { name: expression.trim(), fallback: null };
  const rest = expression.slice(comma + 1);
  const equals = rest.indexOf('=');
  if (equals < 0 || rest.slice(0, equals).trim().toLowerCase() !== 'fallback') return null;
  return { name: expression.slice(0, comma).trim(), fallback: unquote(rest.slice(equals + 1).trim()) };
}

const unquote = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;
