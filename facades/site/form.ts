import { call } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { createPublicCtx } from '../../src/http/guest.ts';
import { readPublicForm } from '../../src/http/public-form.ts';
import type { Visit } from '../../src/http/visit.ts';
import { limits } from '../../src/limits.ts';
import type { SiteLocation } from './location.ts';

/** Handles a site's form submission and redirects to its confirmation page. */
export async function receiveForm(
  { runtime, request, requestId }: Visit,
  location: SiteLocation,
): Promise<Response> {
  const ctx = await createPublicCtx(runtime, location.slug, requestId);
  if (!ctx) throw errors.notFound('Website');
  const form = await readPublicForm(runtime, request, location.slug, limits.http.formBody);
  const fields = [...form].map(([name, value]) => ({ name, value }));
  await call(ctx, 'websiteFormSubmit', { websiteId: location.websiteId, host: location.host, fields });
  return new Response(null, {
    status: 303,
    headers: {
      location: `${new URL(location.root).pathname.replace(/\/$/, '')}/website/thanks`,
      'x-request-id': requestId,
    },
  });
}
