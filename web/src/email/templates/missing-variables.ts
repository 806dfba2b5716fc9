/** A part of a string. `isMissing` is true for a variable without a value. */
interface TextPiece {
  text: string;
  isMissing: boolean;
}

/** Splits a string at variables without a value, such as `{{name}}`. */
export function splitText(text: string, missing: readonly string[]): TextPiece[] {
  const placeholders = new Set(missing.map((name) => `{{${name}}}`));
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .filter((part) => part !== '')
    .map((part) => ({ text: part, isMissing: placeholders.has(part) }));
}

/** HTML that must not be highlighted: tags, comments, style sheets and titles. */
const NON_TEXT = /(<!--[\s\S]*?-->|<(style|title)\b[\s\S]*?<\/\2\s*>|<[^>]*>)/gi;

/** Highlights variables without a value in visible text. */
export function markMissingVariables(html: string, missing: readonly string[]): string {
  if (missing.length === 0) return html;
  let position = 0;
  let marked = '';
  for (const { 0: tag, index } of html.matchAll(NON_TEXT)) {
    marked += markText(html.slice(position, index), missing) + tag;
    position = index + tag.length;
  }
  return marked + markText(html.slice(position), missing);
}

const markText = (text: string, missing: readonly string[]): string =>
  splitText(text, missing)
    .map(({ text: part, isMissing }) => (isMissing ? `<mark>${part}</mark>` : part))
    .join('');
