import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/verb/call.ts';
import { buildFileResponse, type WebFile } from '../../src/http/file-response.ts';
import { createPageCtx } from '../../src/http/page-ctx.ts';
import { parsePathNumber, throwNotFound } from './caller.ts';

/** What messages show in their place. Anything else, and SVG, is saved and not shown. */
export const INLINE_IMAGE_TYPES = /^image\/(png|jpeg|gif|webp|bmp)$/;

const SANDBOX_HEADERS = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
};

/** A file as a part of a message: a picture in its place, any other as a download, and nothing of it runs. */
export async function partResponse(
  request: Request,
  requestId: string,
  file: WebFile,
  more: Record<string, string> = {},
): Promise<Response> {
  const answer = await buildFileResponse(request, requestId, file, !INLINE_IMAGE_TYPES.test(file.mimetype));
  for (const [name, value] of Object.entries({ ...SANDBOX_HEADERS, ...more }))
    answer.headers.set(name, value);
  return answer;
}

/** A file of a message by its number, for the session that sees the message. */
export async function serveMailPart(
  runtime: Runtime,
  request: Request,
  requestId: string,
  entry: string,
  number: string,
): Promise<Response> {
  const ctx = await createPageCtx(runtime, request, requestId);
  const which = { entryId: parsePathNumber(entry, 'Message'), number: parsePathNumber(number, 'Attachment') };
  return partResponse(request, requestId, await call(ctx, 'mailFile', which).catch(throwNotFound('Message')));
}

/** A file of a sent email by its place among them. */
export async function serveEmailPart(
  runtime: Runtime,
  request: Request,
  requestId: string,
  id: string,
  place: string,
): Promise<Response> {
  const ctx: Ctx = await createPageCtx(runtime, request, requestId);
  const file = await call(ctx, 'emailAttachment', { id, place: parsePathNumber(place, 'Attachment') });
  return partResponse(request, requestId, file);
}
