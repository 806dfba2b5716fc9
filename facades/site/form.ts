import { createCache } from '../../src/cache.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/verb/call.ts';
import { errors } from '../../src/errors.ts';
import { readBody, STRANGER } from '../../src/http/body.ts';
import { publicCtx } from '../../src/http/guest.ts';
import { sourceOf } from '../../src/http/source.ts';
import { limits } from '../../src/limits.ts';
import type { SitePlace } from './place.ts';

/** How many forms an address has sent in the window that runs. */
const sent = createCache<string, { count: number }>({
  entries: limits.site.formSources,
  age: limits.site.formWindow,
});

/** @throws BUSY for an address that sends too many */
function countForm(source: string): void {
  const own = sent.remember(source, () => ({ count: 0 }));
  if (++own.count > limits.site.formSends)
    throw errors.busy('Too many forms came from your address. Please try again later.');
}

/** Takes a form of a site and leads to its thanks. */
export async function takeForm(
  runtime: Runtime,
  request: Request,
  place: SitePlace,
  requestId: string,
): Promise<Response> {
  const ctx = await publicCtx(runtime, place.slug, requestId);
  if (!ctx) throw errors.notFound('Website');
  countForm(`${place.slug} ${sourceOf(runtime, request.headers)}`);
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
    throw errors.badRequest('A form is expected.');
  const { bytes } = await readBody(request, { most: limits.http.formBody, holder: STRANGER });
  const fields = [...new URLSearchParams(bytes.toString('utf8'))].map(([name, value]) => ({ name, value }));
  await call(ctx, 'websiteFormSubmit', { websiteId: place.websiteId, host: place.host, fields });
  return new Response(null, {
    status: 303,
    headers: {
      location: `${new URL(place.root).pathname.replace(/\/$/, '')}/website/thanks`,
      'x-request-id': requestId,
    },
  });
}
