import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { AppError } from '../../src/errors.ts';
import { respondOrReject } from '../../src/http/http.ts';
import { buildJsonResponse, prefersHtml } from '../../src/http/page.ts';
import { serveEmailFrame, serveMailFrame, servePreviewFrame } from './body.ts';
import { BODY_HEADERS, renderBodyDocument } from './document.ts';
import { serveEditorPage } from './editor.ts';
import { serveEmailImage } from './email-image.ts';
import { serveMailFile } from './file.ts';
import { serveMailImage } from './image.ts';
import { serveEmailPart, serveMailPart } from './part.ts';
import { receiveMailUpload } from './upload.ts';

export function createMailBodyFacade(runtime: Runtime): Hono {
  const app = new Hono();
  const handleRoute = (handler: Handler) => (c: Context) => {
    const { raw: request } = c.req;
    return respondOrReject(
      runtime,
      request.headers,
      (error, requestId) => buildErrorResponse(error, request.headers, requestId),
      (requestId) => handler(request, requestId, (name) => c.req.param(name) ?? ''),
    );
  };
  app.get(
    '/mail/body/:id',
    handleRoute((request, requestId, getParam) =>
      serveMailFrame(runtime, request, requestId, getParam('id')),
    ),
  );
  app.get(
    '/email/body/:id',
    handleRoute((request, requestId, getParam) =>
      serveEmailFrame(runtime, request, requestId, getParam('id')),
    ),
  );
  app.post(
    '/email/preview',
    handleRoute((request, requestId) => servePreviewFrame(runtime, request, requestId)),
  );
  app.get(
    '/mail/part/:entry/:number',
    handleRoute((request, requestId, getParam) =>
      serveMailPart(runtime, request, requestId, getParam('entry'), getParam('number')),
    ),
  );
  app.get(
    '/email/part/:id/:place',
    handleRoute((request, requestId, getParam) =>
      serveEmailPart(runtime, request, requestId, getParam('id'), getParam('place')),
    ),
  );
  app.get(
    '/email/image/:id/:hash',
    handleRoute((request, requestId, getParam) =>
      serveEmailImage(runtime, request, requestId, getParam('id'), getParam('hash')),
    ),
  );
  app.get(
    '/mail/image/:signed',
    handleRoute((request, requestId, getParam) =>
      serveMailImage(runtime, request, requestId, getParam('signed')),
    ),
  );
  app.get(
    '/mail/editor',
    handleRoute((_request, requestId) => serveEditorPage(requestId)),
  );
  app.get(
    '/mail/file',
    handleRoute((request, requestId) => serveMailFile(runtime, request, requestId)),
  );
  app.on(
    ['PUT', 'POST'],
    '/mail/attachments',
    handleRoute((request, requestId) => receiveMailUpload(runtime, request, requestId)),
  );
  return app;
}

type Handler = (
  request: Request,
  requestId: string,
  getParam: (name: string) => string,
) => Response | Promise<Response>;

/** Renders the error as a page for a frame, where it replaces the message, or as JSON for other clients. */
function buildErrorResponse(
  { kind, message, status }: AppError,
  headers: Headers,
  requestId: string,
): Response {
  if (prefersHtml(headers)) {
    const body = `${html`<p>${message}</p>`}`;
    return new Response(renderBodyDocument(body, { isText: true, images: 'none' }), {
      status,
      headers: { ...BODY_HEADERS, 'x-request-id': requestId },
    });
  }
  const response = buildJsonResponse(JSON.stringify({ error: { code: kind, message } }), requestId, status);
  if (status === 401) response.headers.set('www-authenticate', 'bearer');
  return response;
}
