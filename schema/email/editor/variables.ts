import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { parseVariable } from './variable-placeholder.ts';

interface Variable {
  /** In lower case. */
  name: string;
  fallback: string;
  written: string;
}

type TextPiece = string | Variable;

export type CompiledText = TextPiece[];

const PLACEHOLDER_PATTERN = /\{\{([^{}]*)\}\}/g;
const VARIABLE_NAME_PATTERN = /^(?:contact\s*\.\s*)?(\w+)$/i;

/**
 * Splits text at its variables: `{{ name }}`, `{{contact.name}}` or `{{ contact.name, fallback=friend }}`, ignoring
 * case. Other text in double braces is literal.
 * @throws BAD_REQUEST for too many variables, which would block the event loop
 */
export function compileText(text: string): CompiledText {
  const pieces: CompiledText = [];
  let end = 0;
  let count = 0;
  for (const match of text.matchAll(PLACEHOLDER_PATTERN)) {
    if (++count > limits.template.tags)
      throw errors.badRequest(`A text may have at most ${limits.template.tags} variables.`);
    const variable = parseVariableExpression(match[1]!);
    if (!variable) continue;
    pieces.push(text.slice(end, match.index), { ...variable, written: match[0] });
    end = match.index + match[0].length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

function parseVariableExpression(expression: string): { name: string; fallback: string } | null {
  const placeholder = parseVariable(expression);
  const name = placeholder && VARIABLE_NAME_PATTERN.exec(placeholder.name)?.[1];
  return name ? { name: name.toLowerCase(), fallback: placeholder.fallback ?? '' } : null;
}

/**
 * Values by lower-case name. A placeholder without an entry stays literal; an empty value is replaced by the fallback.
 */
type VariableValues = ReadonlyMap<string, string>;

/**
 * Replaces the variables. Escapes only values, because the author wrote the fallbacks.
 * @throws BAD_REQUEST if the result is too large for an email, because a value may occur many times
 */
export function fillText(
  pieces: CompiledText,
  values: VariableValues,
  escapeValue: (value: string) => string,
): string {
  let text = '';
  for (const part of pieces) {
    if (typeof part === 'string') text += part;
    else {
      const value = values.get(part.name);
      text += value === undefined ? part.written : value === '' ? part.fallback : escapeValue(value);
    }
    if (text.length > limits.email.bytes)
      throw errors.badRequest("A contact's values make the email too large.");
  }
  return text;
}

/** Accepted variable names for the unsubscribe link. */
export const UNSUBSCRIBE_VARIABLES = ['usesend_unsubscribe_url', 'unsend_unsubscribe_url'];

/** @param knownNames in lower case */
export const getUnknownVariables = (text: string, knownNames: ReadonlySet<string>): Variable[] =>
  compileText(text).filter(
    (part): part is Variable => typeof part !== 'string' && !knownNames.has(part.name),
  );

export const hasUnsubscribeVariable = (text: string): boolean =>
  compileText(text).some((part) => typeof part !== 'string' && UNSUBSCRIBE_VARIABLES.includes(part.name));
