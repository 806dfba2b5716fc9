/** A piece of a text, and whether it names a variable without a value. */
export interface TextPiece {
  text: string;
  isMissing: boolean;
}

/** The text in pieces: variables without a value stand in it by their names, such as `{{name}}`. Pure. */
export function splitPieces(text: string, missing: readonly string[]): TextPiece[] {
  const wanted = new Set(missing.map((name) => `{{${name}}}`));
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, isMissing: wanted.has(piece) }));
}

/** What of HTML no mark can stand in: tags with their attributes, comments, style sheets and titles. */
const NON_TEXT = /(<!--[\s\S]*?-->|<(style|title)\b[\s\S]*?<\/\2\s*>|<[^>]*>)/gi;

/** HTML with a mark around each variable without a value that its readers would see. Pure. */
export function markMissing(html: string, missing: readonly string[]): string {
  if (missing.length === 0) return html;
  let at = 0;
  let marked = '';
  for (const { 0: tag, index } of html.matchAll(NON_TEXT)) {
    marked += markText(html.slice(at, index), missing) + tag;
    at = index + tag.length;
  }
  return marked + markText(html.slice(at), missing);
}

const markText = (text: string, missing: readonly string[]): string =>
  splitPieces(text, missing)
    .map(({ text: piece, isMissing }) => (isMissing ? `<mark>${piece}</mark>` : piece))
    .join('');
