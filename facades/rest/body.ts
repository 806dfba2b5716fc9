import { isUtf8 } from 'node:buffer';
import type { z } from '@hono/zod-openapi';
import { errors } from '../../src/errors.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * The value of a JSON body.
 * @throws BAD_REQUEST for another media type, an empty body, bytes that are no UTF-8, text that is no JSON
 */
export function jsonOf(body: Buffer, contentType: string | null): unknown {
  if (!contentType || !JSON_TYPE.test(contentType))
    throw errors.badRequest('The body must be JSON, sent with Content-Type: application/json.');
  if (body.length === 0) throw errors.badRequest('The body is empty where JSON is needed.');
  if (!isUtf8(body)) throw errors.badRequest('The body is not UTF-8.');
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    throw errors.badRequest(`Malformed JSON in the body: ${(error as Error).message}`);
  }
}

const MOST_ISSUES = 5;
/** Names are the caller's own in `headers` and `variables`. */
const NAME = 100;

/**
 * What the schema makes of the value: fields it does not know are gone.
 * @throws BAD_REQUEST that names each field at fault
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues;
  const told = issues
    .slice(0, MOST_ISSUES)
    .map(({ path, message }) => (path.length ? `${path.join('.').slice(0, NAME)}: ${message}` : message));
  if (issues.length > MOST_ISSUES) told.push(`and ${issues.length - MOST_ISSUES} more`);
  throw errors.badRequest(told.join('; '));
}
