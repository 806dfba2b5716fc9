import { createCache } from '../cache.ts';
import type { Runtime } from '../engine/ctx/runtime.ts';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { readBody, STRANGER } from './body.ts';
import { sourceOf } from './source.ts';

/** How many forms an address has sent to a page in the window that runs. */
const sent = createCache<string, { count: number }>({
  entries: limits.site.formSources,
  age: limits.site.formWindow,
});

/**
 * The fields of a form that a page takes from anyone.
 * @param place what an address may send so many forms to
 * @param most bytes
 * @throws BUSY for an address that sends too many, BAD_REQUEST for what is no form
 */
export async function strangersForm(
  runtime: Runtime,
  request: Request,
  place: string,
  most: number,
): Promise<URLSearchParams> {
  const own = sent.remember(`${place} ${sourceOf(runtime, request.headers)}`, () => ({ count: 0 }));
  if (++own.count > limits.site.formSends)
    throw errors.busy('Too many forms came from your address. Please try again later.');
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
    throw errors.badRequest('A form is expected.');
  const { bytes } = await readBody(request, { most, holder: STRANGER });
  return new URLSearchParams(bytes.toString('utf8'));
}
