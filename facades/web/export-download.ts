import { verifyLink } from '../../src/engine/identity/signed-link.ts';
import { call } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { formatFileName } from '../../src/http/file-response.ts';
import { authenticateSession, createAbortLogger } from '../../src/http/http.ts';
import { streamBody } from '../../src/http/stream-body.ts';
import { createVisitCtx, throwNotFound, type Visit } from '../../src/http/visit.ts';

/**
 * Serves a workspace archive to an administrator's session if the signed link is still valid.
 * @throws NOT_FOUND for everyone else
 */
export async function serveExport(visit: Visit): Promise<Response> {
  const { runtime, request, requestId } = visit;
  const caller = await authenticateSession(runtime, request.headers);
  const searchParams = new URL(request.url).searchParams;
  const { workspace, guest } = await verifyLink(runtime, 'workspace-export', {
    id: searchParams.get('id') ?? '',
    hash: searchParams.get('hash') ?? '',
    expires: Number(searchParams.get('expires') ?? Number.NaN),
  });
  if (caller?.workspace.id !== workspace.id) throw errors.notFound('Export');
  const ctx = createVisitCtx(visit, caller);
  const { name, size, file } = await call(ctx, 'workspaceExportFile', { id: Number(guest.subject) }).catch(
    throwNotFound('Export', 'FORBIDDEN'),
  );
  return new Response(await streamBody(file, createAbortLogger(runtime, requestId)), {
    headers: {
      'content-type': 'application/gzip',
      'content-length': String(size),
      'content-disposition': `attachment; ${formatFileName(name)}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    },
  });
}
