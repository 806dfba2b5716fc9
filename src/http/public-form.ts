import { createCache } from '../cache.ts';
import type { Runtime } from '../engine/ctx/runtime.ts';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { readBody, UNAUTHENTICATED_OWNER } from './body.ts';
import { getClientAddress } from './client-address.ts';

const MAX_SENDS_PER_WINDOW = 10;
const WINDOW_MS = 600_000;
const MAX_COUNTED_ADDRESSES = 10_000;

const sentForms = createCache<string, { count: number }>({
  entries: MAX_COUNTED_ADDRESSES,
  age: WINDOW_MS,
});

/**
 * Reads the fields of a form that anyone may send.
 * @param place name of the form, which has a separate rate limit per address
 * @throws BUSY if the address sends too many forms, BAD_REQUEST for an invalid form
 */
export async function readPublicForm(
  runtime: Runtime,
  request: Request,
  place: string,
  maxBytes: number,
): Promise<URLSearchParams> {
  const sentCount = sentForms.getOrCreate(`${place} ${getClientAddress(runtime, request.headers)}`, () => ({
    count: 0,
  }));
  if (++sentCount.count > MAX_SENDS_PER_WINDOW)
    throw errors.busy('Too many forms were sent from your IP address. Try again later.');
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
    throw errors.badRequest('The body must be a form.');
  return readFormFields(request, maxBytes);
}

export async function readFormFields(
  request: Request,
  maxBytes: number = limits.http.formBody,
): Promise<URLSearchParams> {
  const { bytes } = await readBody(request, { maxBytes, owner: UNAUTHENTICATED_OWNER });
  return new URLSearchParams(bytes.toString('utf8'));
}
