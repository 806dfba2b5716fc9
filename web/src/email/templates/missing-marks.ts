/** A piece of a text, and whether it names a variable without a value. */
export interface Piece {
  text: string;
  isMissing: boolean;
}

/** The text in pieces: variables without a value stand in it by their names, such as `{{name}}`. Pure. */
export function piecesOf(text: string, missing: readonly string[]): Piece[] {
  const wanted = new Set(missing.map((name) => `{{${name}}}`));
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, isMissing: wanted.has(piece) }));
}

/** What of HTML no mark can stand in: tags with their attributes, comments, style sheets and titles. */
const NO_TEXT = /(<!--[\s\S]*?-->|<(style|title)\b[\s\S]*?<\/\2\s*>|<[^>]*>)/gi;

/** HTML with a mark around each variable without a value that its readers would see. Pure. */
export function markMissing(html: string, missing: readonly string[]): string {
  if (missing.length === 0) return html;
  let at = 0;
  let marked = '';
  for (const { 0: tag, index } of html.matchAll(NO_TEXT)) {
    marked += markedText(html.slice(at, index), missing) + tag;
    at = index + tag.length;
  }
  return marked + markedText(html.slice(at), missing);
}

const markedText = (text: string, missing: readonly string[]): string =>
  piecesOf(text, missing)
    .map(({ text: piece, isMissing }) => (isMissing ? `<mark>${piece}</mark>` : piece))
    .join('');
