import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { isSecretName } from '../../../src/secret-names.ts';

/** Copies a preview without the values of secret names. */
export const maskSecrets = (preview: object): object =>
  JSON.parse(JSON.stringify(preview, (name, value) => (isSecretName(name) ? '***' : value)));

/**
 * Formats a preview for people, one line per value, such as `to: ann@example.org`.
 * @throws USER_ERROR if the text is too long to review
 */
export function renderPreview(preview: object): string {
  const text = renderLines(preview, '').join('\n').replaceAll('\0', '\uFFFD');
  const maxCharacters = limits.agent.pendingActionChars;
  if (text.length > maxCharacters)
    throw errors.user(
      `The preview of an action that requires a person's approval is limited to ${maxCharacters} characters.`,
    );
  return text;
}

function renderLines(value: unknown, indent: string): string[] {
  if (isNumberArray(value)) return [`${indent}${value.join(', ')}`];
  if (Array.isArray(value)) return value.flatMap((item) => renderPart('-', item, indent));
  if (value === null || typeof value !== 'object') return [`${indent}${toPlainLine(value, indent)}`];
  return Object.entries(value).flatMap(([name, value]) =>
    renderPart(`${toPlainLine(name, indent)}:`, value, indent),
  );
}

function renderPart(label: string, value: unknown, indent: string): string[] {
  if (value !== null && typeof value === 'object')
    return [`${indent}${label}`, ...renderLines(value, `${indent}  `)];
  return [`${indent}${label} ${toPlainLine(value, indent)}`];
}

const isNumberArray = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');

/** Indents continuation lines further than any other line at this place, so that a value cannot fake another one. */
const toPlainLine = (value: unknown, indent: string): string =>
  toPlainText(value).replaceAll(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, `\n${indent}    `);

/** Writes out characters that hide or reorder text, so that a value reads as it is. */
export const toPlainText = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : String(value).replaceAll(DECEPTIVE_CHARACTER, (character) => `<U+${toCodePoint(character)}>`);

/** Invisible and directional format characters, except the joiners of emoji and of non-Latin scripts. */
const DECEPTIVE_CHARACTER = /(?![\u200c\u200d])\p{Cf}|[\u115f\u1160\u3164\uffa0]/gu;

const toCodePoint = (character: string): string =>
  character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
