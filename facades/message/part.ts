import { call } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { buildFileResponse, type WebFile } from '../../src/http/file-response.ts';
import { createPageCtx, throwNotFound, type Visit } from '../../src/http/visit.ts';

/** Image types shown inline. Other types, including SVG, are downloaded. */
export const INLINE_IMAGE_TYPES = /^image\/(png|jpeg|gif|webp|bmp)$/;

const SANDBOX_HEADERS = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
};

/** Serves a part of a message: images inline, other types as a download. Scripts never run. */
export async function buildPartResponse(
  { request, requestId }: Visit,
  file: WebFile,
  extra: Record<string, string> = {},
): Promise<Response> {
  const response = await buildFileResponse(request, requestId, file, !INLINE_IMAGE_TYPES.test(file.mimetype));
  for (const [name, value] of Object.entries({ ...SANDBOX_HEADERS, ...extra }))
    response.headers.set(name, value);
  return response;
}

/** Serves a message's file by its number to a session that may read the message. */
export async function serveMailPart(visit: Visit): Promise<Response> {
  const ctx = await createPageCtx(visit);
  const { entry, number } = visit.params;
  const partId = {
    entryId: parsePathNumber(entry, 'Message'),
    number: parsePathNumber(number, 'Attachment'),
  };
  return buildPartResponse(visit, await call(ctx, 'mailFile', partId).catch(throwNotFound('Message')));
}

export async function serveEmailPart(visit: Visit): Promise<Response> {
  const ctx = await createPageCtx(visit);
  const { id = '', place } = visit.params;
  const file = await call(ctx, 'emailAttachment', { id, place: parsePathNumber(place, 'Attachment') });
  return buildPartResponse(visit, file);
}

/** Parses a number in a path. @throws NOT_FOUND if it is not a number */
export function parsePathNumber(text: string | undefined, label: string): number {
  if (!text || !/^\d{1,15}$/.test(text)) throw errors.notFound(label);
  return Number(text);
}
