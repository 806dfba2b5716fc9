import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { AppError } from '../../src/errors.ts';
import { respondOr } from '../../src/http/http.ts';
import { buildJsonResponse, prefersHtml } from '../../src/http/page.ts';
import { serveEmailFrame, serveMailFrame, servePreviewFrame } from './body.ts';
import { BODY_HEADERS, renderBodyDocument } from './document.ts';
import { serveEditorPage } from './editor.ts';
import { serveEmailImage } from './email-image.ts';
import { serveMailFile } from './file.ts';
import { serveMailImage } from './image.ts';
import { serveEmailPart, serveMailPart } from './part.ts';
import { receiveMailUpload } from './upload.ts';

/** Serves message bodies for frames, images, attachments, and the document of the composer. */
export function mailBodyFacade(runtime: Runtime): Hono {
  const app = new Hono();
  const at = (handler: Handler) => (c: Context) => {
    const { raw: request } = c.req;
    return respondOr(
      runtime,
      request.headers,
      (error, requestId) => errorResponse(error, request.headers, requestId),
      (requestId) => handler(request, requestId, (name) => c.req.param(name) ?? ''),
    );
  };
  app.get(
    '/mail/body/:id',
    at((request, requestId, of) => serveMailFrame(runtime, request, requestId, of('id'))),
  );
  app.get(
    '/email/body/:id',
    at((request, requestId, of) => serveEmailFrame(runtime, request, requestId, of('id'))),
  );
  app.post(
    '/email/preview',
    at((request, requestId) => servePreviewFrame(runtime, request, requestId)),
  );
  app.get(
    '/mail/part/:entry/:number',
    at((request, requestId, of) => serveMailPart(runtime, request, requestId, of('entry'), of('number'))),
  );
  app.get(
    '/email/part/:id/:place',
    at((request, requestId, of) => serveEmailPart(runtime, request, requestId, of('id'), of('place'))),
  );
  app.get(
    '/email/image/:id/:hash',
    at((request, requestId, of) => serveEmailImage(runtime, request, requestId, of('id'), of('hash'))),
  );
  app.get(
    '/mail/image/:signed',
    at((request, requestId, of) => serveMailImage(runtime, request, requestId, of('signed'))),
  );
  app.get(
    '/mail/editor',
    at((_request, requestId) => serveEditorPage(requestId)),
  );
  app.get(
    '/mail/file',
    at((request, requestId) => serveMailFile(runtime, request, requestId)),
  );
  app.on(
    ['PUT', 'POST'],
    '/mail/attachments',
    at((request, requestId) => receiveMailUpload(runtime, request, requestId)),
  );
  return app;
}

type Handler = (
  request: Request,
  requestId: string,
  of: (name: string) => string,
) => Response | Promise<Response>;

/** In a frame the error is shown in place of the message. */
function errorResponse({ kind, message, status }: AppError, headers: Headers, requestId: string): Response {
  if (prefersHtml(headers)) {
    const body = `${html`<p>${message}</p>`}`;
    return new Response(renderBodyDocument(body, { isText: true, images: 'none' }), {
      status,
      headers: { ...BODY_HEADERS, 'x-request-id': requestId },
    });
  }
  const answer = buildJsonResponse(JSON.stringify({ error: { code: kind, message } }), requestId, status);
  if (status === 401) answer.headers.set('www-authenticate', 'bearer');
  return answer;
}
