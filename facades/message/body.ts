import { call } from '../../src/engine/operation/call.ts';
import type { Operations } from '../../src/engine/operation/operation.ts';
import { errors } from '../../src/errors.ts';
import { readBody } from '../../src/http/body.ts';
import { createPageCtx, throwNotFound, type Visit } from '../../src/http/visit.ts';
import { limits } from '../../src/limits.ts';
import { BODY_HEADERS, renderBodyDocument } from './document.ts';
import { parsePathNumber } from './part.ts';

/** Renders a mailbox message for a frame. `?images=show` or `hide` overrides the reader's preference. */
export async function serveMailFrame(visit: Visit): Promise<Response> {
  const ctx = await createPageCtx(visit);
  const entryId = parsePathNumber(visit.params.id, 'Message');
  const remoteImages = parseImagesOption(visit.request);
  const body = await call(ctx, 'mailBody', { entryId, remoteImages }).catch(throwNotFound('Message'));
  return buildBodyResponse(body, visit.requestId);
}

export async function serveEmailFrame(visit: Visit): Promise<Response> {
  const ctx = await createPageCtx(visit);
  const {
    request,
    requestId,
    params: { id = '' },
  } = visit;
  const body = await call(ctx, 'emailBody', { id, remoteImages: parseImagesOption(request) });
  return buildBodyResponse(body, requestId);
}

const FIELD = 'html=';

/**
 * Renders unsent HTML. A form posts it to a frame as `html=` followed by the HTML, with the type `text/plain`. Remote
 * images are shown, because the sender chose them. `?look=dark` uses a dark background.
 */
export async function servePreviewFrame(visit: Visit): Promise<Response> {
  const { request, requestId } = visit;
  const ctx = await createPageCtx(visit);
  const { bytes } = await readBody(request, { maxBytes: limits.email.bytes, owner: ctx.workspace.id });
  const text = bytes.toString();
  if (!text.startsWith(FIELD))
    throw errors.badRequest("html: must be the form's only field, and the form must be sent as text/plain.");
  const body = await call(ctx, 'previewBody', { html: text.slice(FIELD.length), remoteImages: true });
  return buildBodyResponse(body, requestId, new URL(request.url).searchParams.get('look') === 'dark');
}

function parseImagesOption({ url }: Request): boolean | null {
  const option = new URL(url).searchParams.get('images');
  if (option !== null && option !== 'show' && option !== 'hide')
    throw errors.badRequest('images: must be show or hide.');
  return option && option === 'show';
}

function buildBodyResponse(
  { html, is_text: isText, ...shown }: Operations['mailBody']['value'],
  requestId: string,
  isDark = false,
): Response {
  const images = !shown.has_remote_images ? 'none' : shown.shows_remote_images ? 'shown' : 'hidden';
  return new Response(renderBodyDocument(html, { isText, images, isDark }), {
    headers: { ...BODY_HEADERS, 'x-request-id': requestId },
  });
}
