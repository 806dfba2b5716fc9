import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/operation/call.ts';
import { createPageCtx } from '../../src/http/page-ctx.ts';
import { buildPartResponse } from './part.ts';

export async function serveMailImage(
  runtime: Runtime,
  request: Request,
  requestId: string,
  signedAddress: string,
): Promise<Response> {
  const ctx = await createPageCtx(runtime, request, requestId);
  const image = await call(ctx, 'mailImage', { signed: signedAddress });
  return buildPartResponse(request, requestId, image, { 'cache-control': 'private, max-age=86400' });
}
