import { call } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { buildFileResponse } from '../../src/http/file-response.ts';
import { createLinkCtx } from '../../src/http/guest.ts';
import type { Visit } from '../../src/http/visit.ts';

/** Serves an email's image to anyone with its URL: mail clients, and pages that show the email. */
export async function serveEmailImage({ runtime, request, requestId, params }: Visit): Promise<Response> {
  const link = { id: params.id ?? '', hash: params.hash ?? '', expires: null };
  const ctx = await createLinkCtx(runtime, 'email-image', link, requestId);
  const image = await call(ctx, 'emailImage', {});
  if (!image) throw errors.notFound('Image');
  const response = await buildFileResponse(request, requestId, image, false);
  response.headers.set('cache-control', 'public, max-age=31536000, immutable');
  response.headers.set('cross-origin-resource-policy', 'cross-origin');
  return response;
}
