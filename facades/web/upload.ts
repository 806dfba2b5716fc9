import { call } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { readBodyChunks } from '../../src/http/body-timeout.ts';
import { buildJsonResponse } from '../../src/http/page.ts';
import { createPageCtx, type Visit } from '../../src/http/visit.ts';

/**
 * Streams the request body to a file for a record that will be written later. Requires a key, or a session on this
 * server's own pages. Responds with the upload's id.
 */
export async function receiveFileUpload(visit: Visit): Promise<Response> {
  const { request, requestId } = visit;
  const ctx = await createPageCtx(visit);
  if (/^multipart\//i.test(request.headers.get('content-type') ?? ''))
    throw errors.badRequest('Send the file itself as the body: curl -X PUT --data-binary @file …');
  const filename = new URL(request.url).searchParams.get('filename') ?? '';
  const upload = await call(ctx, 'fileUpload', { filename });
  const length = request.headers.get('content-length');
  const announcedBytes = length === null ? null : Number(length);
  if (announcedBytes !== null && announcedBytes > upload.maxBytes) throw errors.bodyTooLarge(upload.maxBytes);
  const { id, name, size } = await upload.take(readBodyChunks(request), announcedBytes);
  return buildJsonResponse(JSON.stringify({ id: String(id), name, size }), requestId);
}
