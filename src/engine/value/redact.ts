import { isSecretName } from '../../secret-names.ts';

const CONTENT_NAME = /^(body|body_html|html|text|arch|messages|data_b64|attachments|raw|content)$/i;
const MAX_TEXT_LENGTH = 200;
const MAX_DEPTH = 6;
const API_KEY_PATTERN = /\b(u[sk]_[0-9a-z]{10})_[0-9a-f]{32}\b/g;

interface RedactionOptions {
  isSecret: (name: string) => boolean;
  textless: boolean;
}

/**
 * Redacts arguments for the audit trail: masks values with secret names, replaces content with its length, and
 * truncates long strings.
 * @param isSecret returns true for a secret name, such as a model's masked field
 * @param textless if true, strings in `args` and `kwargs` are replaced with their length
 */
export const redact = (value: unknown, isSecret = isSecretName, textless = false): unknown =>
  redactValue(value, { isSecret, textless: false }, '', 0, textless);

function redactValue(
  value: unknown,
  options: RedactionOptions,
  key: string,
  depth: number,
  isCall = false,
): unknown {
  if (isSecretName(key) || options.isSecret(key)) return '***';
  if (CONTENT_NAME.test(key) && value !== null && value !== undefined)
    return `[${getLength(value)} characters]`;
  if (typeof value === 'string')
    return options.textless ? `[text, ${value.length} characters]` : truncateText(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) return '…';
  if (isSecretCondition(value, options.isSecret)) return [...value.slice(0, 2), '***'];
  if (Array.isArray(value)) {
    const items = value.slice(0, 20).map((item) => redactValue(item, options, '', depth + 1));
    return value.length > 20 ? [...items, `… ${value.length} items`] : items;
  }
  const textless = (name: string) => options.textless || (isCall && TEXTLESS_ARGUMENTS.has(name));
  return Object.fromEntries(
    Object.entries(value).map(([name, value]) => [
      truncateText(name),
      redactValue(value, { ...options, textless: textless(name) }, name, depth + 1),
    ]),
  );
}

/** Arguments of a method called by name. No metadata describes the strings in them. */
const TEXTLESS_ARGUMENTS = new Set(['args', 'kwargs']);

/** A field name, as in `fields` and conditions, is not secret even if it mentions a secret. */
const NAME_PATTERN = /^[\w.-]{1,64}$/;

function truncateText(text: string): string {
  // Text that mentions a secret may contain it.
  if (isSecretName(text) && !NAME_PATTERN.test(text)) return `[text, ${text.length} characters]`;
  const plainText = text.replaceAll(API_KEY_PATTERN, '$1_***');
  return plainText.length > MAX_TEXT_LENGTH
    ? `${plainText.slice(0, MAX_TEXT_LENGTH)}… [${text.length} characters]`
    : plainText;
}

/** Matches domain conditions on secret fields, because their operands would reveal the secret. */
const isSecretCondition = (value: unknown, isSecret: (name: string) => boolean): value is unknown[] =>
  Array.isArray(value) &&
  value.length === 3 &&
  typeof value[0] === 'string' &&
  typeof value[1] === 'string' &&
  (isSecretName(value[0]) || value[0].split('.').some(isSecret));

const getLength = (value: unknown): number =>
  typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);
