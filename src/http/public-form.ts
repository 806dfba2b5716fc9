import { createCache } from '../cache.ts';
import type { Runtime } from '../engine/ctx/runtime.ts';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { readBody, UNAUTHENTICATED_OWNER } from './body.ts';
import { getClientAddress } from './client-address.ts';

/** Number of forms that an address has sent to a page in the current window. */
const sentForms = createCache<string, { count: number }>({
  entries: limits.site.formSources,
  age: limits.site.formWindow,
});

/**
 * Reads the fields of a form that anyone may send.
 * @param place name to which the rate limit per address applies
 * @param maxBytes maximum bytes
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
  if (++sentCount.count > limits.site.formSends)
    throw errors.busy('Too many forms were sent from your IP address. Try again later.');
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
    throw errors.badRequest('The body must be a form.');
  const { bytes } = await readBody(request, { maxBytes, owner: UNAUTHENTICATED_OWNER });
  return new URLSearchParams(bytes.toString('utf8'));
}
