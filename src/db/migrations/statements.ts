/** Matches comments, literals, identifiers and function bodies, in which a semicolon does not end a statement. */
const SQL_TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^-/'"$;]+|[\s\S]/g;

/** Splits an SQL script into statements, each with its preceding comments. */
export function splitStatements(script: string): string[] {
  const statements = [''];
  for (const [part] of script.matchAll(SQL_TOKEN)) {
    statements[statements.length - 1] += part;
    if (part === ';') statements.push('');
  }
  return statements
    .map((statement) => statement.trim())
    .filter((item) => item.replace(/^(?:--.*\n?|\s)+/, '') !== '');
}
