import { call } from '../../src/engine/operation/call.ts';
import { createPageCtx, type Visit } from '../../src/http/visit.ts';
import { buildPartResponse } from './part.ts';

export async function serveMailImage(visit: Visit): Promise<Response> {
  const image = await call(await createPageCtx(visit), 'mailImage', { signed: visit.params.signed ?? '' });
  return buildPartResponse(visit, image, { 'cache-control': 'private, max-age=86400' });
}
