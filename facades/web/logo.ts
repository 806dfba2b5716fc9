import { AppError } from '../../src/errors.ts';
import { authenticateCaller } from '../../src/http/http.ts';
import type { Visit } from '../../src/http/visit.ts';
import { serveContent } from './content.ts';

const EMPTY_LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Serves the logo of the caller's company, or an empty image if there is none. */
export async function serveCompanyLogo(visit: Visit): Promise<Response> {
  const { runtime, request, requestId } = visit;
  try {
    const caller = await authenticateCaller(runtime, request.headers, 'web');
    const id = String(caller?.principal.companyId ?? '');
    const logo = { model: 'res.company', id, field: 'logo', picture: true };
    return await serveContent(visit, logo);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'BUSY') throw error;
    const headers = { 'content-type': 'image/png', 'cache-control': 'no-cache', 'x-request-id': requestId };
    return new Response(new Uint8Array(EMPTY_LOGO), { headers });
  }
}
