import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { buildFileResponse } from '../../src/http/file-response.ts';
import { createLinkCtx } from '../../src/http/guest.ts';

/** Serves an email's image to anyone with its URL: mail clients, and pages that show the email. */
export async function serveEmailImage(
  runtime: Runtime,
  request: Request,
  requestId: string,
  id: string,
  hash: string,
): Promise<Response> {
  const ctx = await createLinkCtx(runtime, 'email-image', { id, hash, expires: null }, requestId);
  const image = await call(ctx, 'emailImage', {});
  if (!image) throw errors.notFound('Image');
  const response = await buildFileResponse(request, requestId, image, false);
  response.headers.set('cache-control', 'public, max-age=31536000, immutable');
  response.headers.set('cross-origin-resource-policy', 'cross-origin');
  return response;
}
