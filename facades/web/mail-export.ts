import { call } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { formatFileName } from '../../src/http/file-response.ts';
import { authenticateSession, createAbortLogger } from '../../src/http/http.ts';
import { streamBody } from '../../src/http/stream-body.ts';
import { createVisitCtx, throwNotFound, type Visit } from '../../src/http/visit.ts';

/**
 * Serves a folder as an mbox file to a signed-in browser. Keys are not accepted.
 * @throws NOT_FOUND without a session, for another user's folder, or if the feature is off
 */
export async function serveMailExport(visit: Visit): Promise<Response> {
  const { runtime, request, requestId, params } = visit;
  const { folder = '' } = params;
  const caller = await authenticateSession(runtime, request.headers);
  const offset = new URL(request.url).searchParams.get('offset') ?? '0';
  if (!caller || !/^\d{1,9}$/.test(folder)) throw errors.notFound('Folder');
  if (!/^\d{1,9}$/.test(offset)) throw errors.badRequest('offset: must be a whole number.');
  const ctx = createVisitCtx(visit, caller);
  const { name, count, file } = await call(ctx, 'mailExport', {
    folderId: Number(folder),
    offset: Number(offset),
  }).catch(throwNotFound('Folder'));
  return new Response(await streamBody(file, createAbortLogger(runtime, requestId)), {
    headers: {
      'content-type': 'application/mbox',
      'content-disposition': `attachment; ${formatFileName(name)}`,
      'x-message-count': String(count),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    },
  });
}
