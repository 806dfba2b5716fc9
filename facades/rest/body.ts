import { isUtf8 } from 'node:buffer';
import type { z } from '@hono/zod-openapi';
import { type AppError, errors } from '../../src/errors.ts';
import { misspelt } from './spelling.ts';
import { worded } from './words.ts';

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

const MOST_FAULTS = 5;
/** Names are the caller's own in `headers` and `variables`. */
const NAME = 100;

/**
 * What the schema makes of the value: fields it does not know are gone.
 * @throws BAD_REQUEST that names each field at fault
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value, { error: worded });
  if (result.success) return result.data;
  throw refusing(
    result.error.issues.map(({ path, message }) =>
      path.length ? `${path.join('.').slice(0, NAME)}: ${message}` : message,
    ),
  );
}

/** The same of a body. @throws BAD_REQUEST for a field that is misspelt, too */
export function checkedBody<T>(schema: z.ZodType<T>, value: unknown): T {
  const faults = misspelt(schema, value);
  if (faults.length > 0) throw refusing(faults);
  return checked(schema, value);
}

function refusing(faults: string[]): AppError {
  const told = faults.slice(0, MOST_FAULTS);
  if (faults.length > MOST_FAULTS) told.push(`and ${faults.length - MOST_FAULTS} more`);
  return errors.badRequest(`${told.join('; ')}.`);
}
