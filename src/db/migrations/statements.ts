/** Comments, texts, names and bodies of functions, in which a semicolon ends nothing. */
const SQL_TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^-/'"$;]+|[\s\S]/g;

/** The statements of a script of SQL, each with the comments before it. Pure. */
export function splitStatements(script: string): string[] {
  const statements = [''];
  for (const [piece] of script.matchAll(SQL_TOKEN)) {
    statements[statements.length - 1] += piece;
    if (piece === ';') statements.push('');
  }
  return statements.map((each) => each.trim()).filter((each) => each.replace(/^(?:--.*\n?|\s)+/, '') !== '');
}
