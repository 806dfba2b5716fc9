/** A piece of a compiled text: as it is, or a variable. */
type Piece = string | { name: string; fallback: string; written: string };

export type Compiled = Piece[];

const PLACE = /\{\{([^{}]*)\}\}/g;
const NAME = /^(?:contact\s*\.\s*)?(\w+)$/i;

/**
 * Cuts a text at its variables: `{{ name }}`, `{{contact.name}}`, `{{ contact.name, fallback=friend }}`, in any case.
 * Anything else between double braces is text.
 */
export function compileText(text: string): Compiled {
  const pieces: Compiled = [];
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    const variable = variableOf(match[1]!);
    if (!variable) continue;
    pieces.push(text.slice(end, match.index), { ...variable, written: match[0] });
    end = match.index + match[0].length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

function variableOf(inside: string): { name: string; fallback: string } | null {
  const comma = inside.indexOf(',');
  const name = NAME.exec((comma < 0 ? inside : inside.slice(0, comma)).trim())?.[1];
  if (!name) return null;
  if (comma < 0) return { name: name.toLowerCase(), fallback: '' };
  const [word, ...rest] = inside.slice(comma + 1).split('=');
  if (word!.trim().toLowerCase() !== 'fallback' || rest.length === 0) return null;
  return { name: name.toLowerCase(), fallback: rest.join('=').trim() };
}

/** Values by lower-case name; a name that is absent is no variable of this text, an empty value gives the fallback. */
export type Values = ReadonlyMap<string, string>;

/** The text with its variables replaced. A fallback is the author's own, so `escaped` is asked of values only. */
export function fillText(pieces: Compiled, values: Values, escaped: (value: string) => string): string {
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else {
      const value = values.get(piece.name);
      text += value === undefined ? piece.written : value === '' ? piece.fallback : escaped(value);
    }
  }
  return text;
}

/** Both spellings of the place where the link to unsubscribe goes. */
export const UNSUBSCRIBE_NAMES = ['usesend_unsubscribe_url', 'unsend_unsubscribe_url'];

export const namesUnsubscribe = (text: string): boolean =>
  compileText(text).some((piece) => typeof piece !== 'string' && UNSUBSCRIBE_NAMES.includes(piece.name));
