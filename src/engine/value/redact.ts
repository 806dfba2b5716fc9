import { isSecretName } from '../../secrecy.ts';

const CONTENT = /^(body|body_html|html|text|arch|messages|data_b64|attachments|raw|content)$/i;
const LONGEST = 200;
const DEEPEST = 6;

/**
 * Arguments as an audit line may keep them: values under secret names are replaced, contents keep only their length,
 * long text is cut. Pure.
 * @param isSecret further names that are secret, such as those of a model's masked fields
 */
export function redact(value: unknown, isSecret = isSecretName, key = '', depth = 0): unknown {
  if (isSecretName(key) || isSecret(key)) return '***';
  if (CONTENT.test(key) && value !== null && value !== undefined) return `[${lengthOf(value)} characters]`;
  if (typeof value === 'string')
    return value.length > LONGEST ? `${value.slice(0, LONGEST)}… [${value.length} characters]` : value;
  if (value === null || typeof value !== 'object') return value;
  if (depth >= DEEPEST) return '…';
  if (isSecretCondition(value, isSecret)) return [...value.slice(0, 2), '***'];
  if (Array.isArray(value)) {
    const kept = value.slice(0, 20).map((item) => redact(item, isSecret, '', depth + 1));
    return value.length > 20 ? [...kept, `… ${value.length} items`] : kept;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, redact(inner, isSecret, name, depth + 1)]),
  );
}

/** A domain's condition on a secret field: the operand would reveal the secret. */
const isSecretCondition = (value: unknown, isSecret: (name: string) => boolean): value is unknown[] =>
  Array.isArray(value) &&
  value.length === 3 &&
  typeof value[0] === 'string' &&
  typeof value[1] === 'string' &&
  (isSecretName(value[0]) || value[0].split('.').some(isSecret));

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);
