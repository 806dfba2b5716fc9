import { isUtf8 } from 'node:buffer';
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { errors } from '../../src/errors.ts';
import { readBody } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';
import type { Asked, Endpoint } from './endpoint.ts';
import { misspelt } from './spelling.ts';
import { worded } from './words.ts';

/**
 * What a request asks of an endpoint: its body is read, parsed, looked through for misspelt fields and held against the
 * schema, then its query is. Fields that a schema does not know are gone.
 * @throws BAD_REQUEST that names each invalid field
 */
export async function askedOf(endpoint: Endpoint, c: Context): Promise<Asked<unknown, unknown>> {
  const request = c.req.raw;
  let body: unknown = null;
  if (endpoint.body) {
    const bytes = await readBody(request, limits.rest.body);
    const given = parsedJson(bytes, request.headers.get('content-type'));
    refuseFaults(misspelt(endpoint.body, given));
    body = checked(endpoint.body, given);
  }
  return {
    body,
    query: endpoint.query && checked(endpoint.query, queryOf(request.url)),
    params: c.req.param(),
    idempotencyKey: request.headers.get('idempotency-key'),
    request,
  };
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** @throws BAD_REQUEST for another media type, an empty body, bytes that are no UTF-8, text that is no JSON */
function parsedJson(body: Buffer, contentType: string | null): unknown {
  if (!contentType || !JSON_TYPE.test(contentType))
    throw errors.badRequest('The body must be JSON, sent with Content-Type: application/json.');
  if (body.length === 0) throw errors.badRequest('The body is empty; JSON is required.');
  if (!isUtf8(body)) throw errors.badRequest('The body is not UTF-8.');
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    throw errors.badRequest(`Malformed JSON in the body: ${(error as Error).message}`);
  }
}

/** Query parameters by name; a repeated one is an array. */
function queryOf(url: string): Record<string, string | string[]> {
  const params = new URL(url).searchParams;
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(params.keys())) {
    const all = params.getAll(name);
    query[name] = all.length === 1 ? all[0]! : all;
  }
  return query;
}

/** The keys of `headers` and `variables` are the caller's, and can be any length. */
const NAME = 100;

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value, { error: worded });
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    path.length ? `${path.join('.').slice(0, NAME)}: ${message}` : message,
  );
  throw refusing(faults);
}

function refuseFaults(faults: string[]): void {
  if (faults.length > 0) throw refusing(faults);
}

const MOST_FAULTS = 5;

function refusing(faults: string[]): Error {
  const shown = faults.slice(0, MOST_FAULTS);
  if (faults.length > MOST_FAULTS) shown.push(`and ${faults.length - MOST_FAULTS} more`);
  return errors.badRequest(`${shown.join('; ')}.`);
}
