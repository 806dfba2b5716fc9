import { call } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { readBodyChunks } from '../../src/http/body-timeout.ts';
import { buildJsonResponse } from '../../src/http/page.ts';
import { createPageCtx, type Visit } from '../../src/http/visit.ts';

/**
 * Streams the request body to a staged attachment. Accepts a key, or a session on this server's own pages. The response
 * is the same as that of `compose_attach`.
 */
export async function receiveMailUpload(visit: Visit): Promise<Response> {
  const { request, requestId } = visit;
  const ctx = await createPageCtx(visit);
  const query = new URL(request.url).searchParams;
  const accountId = query.get('account_id') ?? '';
  if (!/^\d{1,9}$/.test(accountId)) throw errors.badRequest('account_id: must be the id of a mailbox.');
  const filename = query.get('filename') ?? '';
  const upload = await call(ctx, 'mailUpload', { accountId: Number(accountId), filename });
  if (!upload.ok) return buildJsonResponse(JSON.stringify(upload), requestId);
  if (Number(request.headers.get('content-length') ?? 0) > upload.max_bytes)
    throw errors.bodyTooLarge(upload.max_bytes);
  return buildJsonResponse(JSON.stringify(await upload.take(readBodyChunks(request))), requestId);
}
