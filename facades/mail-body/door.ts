import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { AppError } from '../../src/errors.ts';
import { respondOr } from '../../src/http/http.ts';
import { buildJsonResponse, prefersHtml } from '../../src/http/page.ts';
import { emailFrame, mailFrame, previewFrame } from './body.ts';
import { BODY_HEADERS, bodyDocument } from './document.ts';
import { editorPage } from './editor.ts';
import { emailImage } from './email-image.ts';
import { mailFile } from './file.ts';
import { mailImage } from './image.ts';
import { emailPart, mailPart } from './part.ts';
import { mailUpload } from './upload.ts';

/** What a browser shows of messages: their bodies in frames, pictures and files, and where they are written. */
export function mailBodyDoor(runtime: Runtime): Hono {
  const app = new Hono();
  const at = (handler: Handler) => (c: Context) => {
    const { raw: request } = c.req;
    return respondOr(
      runtime,
      request.headers,
      (error, requestId) => refusal(error, request.headers, requestId),
      (requestId) => handler(request, requestId, (name) => c.req.param(name) ?? ''),
    );
  };
  app.get(
    '/mail/body/:id',
    at((request, requestId, of) => mailFrame(runtime, request, requestId, of('id'))),
  );
  app.get(
    '/email/body/:id',
    at((request, requestId, of) => emailFrame(runtime, request, requestId, of('id'))),
  );
  app.post(
    '/email/preview',
    at((request, requestId) => previewFrame(runtime, request, requestId)),
  );
  app.get(
    '/mail/part/:entry/:number',
    at((request, requestId, of) => mailPart(runtime, request, requestId, of('entry'), of('number'))),
  );
  app.get(
    '/email/part/:id/:place',
    at((request, requestId, of) => emailPart(runtime, request, requestId, of('id'), of('place'))),
  );
  app.get(
    '/email/image/:id/:hash',
    at((request, requestId, of) => emailImage(runtime, request, requestId, of('id'), of('hash'))),
  );
  app.get(
    '/mail/image/:signed',
    at((request, requestId, of) => mailImage(runtime, request, requestId, of('signed'))),
  );
  app.get(
    '/mail/editor',
    at((_request, requestId) => editorPage(requestId)),
  );
  app.get(
    '/mail/file',
    at((request, requestId) => mailFile(runtime, request, requestId)),
  );
  app.on(
    ['PUT', 'POST'],
    '/mail/attachments',
    at((request, requestId) => mailUpload(runtime, request, requestId)),
  );
  return app;
}

type Handler = (
  request: Request,
  requestId: string,
  of: (name: string) => string,
) => Response | Promise<Response>;

/** In a frame the refusal stands where the message would. */
function refusal({ kind, message, status }: AppError, headers: Headers, requestId: string): Response {
  if (prefersHtml(headers)) {
    const body = `${html`<p>${message}</p>`}`;
    return new Response(bodyDocument(body, { isText: true, images: 'none' }), {
      status,
      headers: { ...BODY_HEADERS, 'x-request-id': requestId },
    });
  }
  const answer = buildJsonResponse(JSON.stringify({ error: { code: kind, message } }), requestId, status);
  if (status === 401) answer.headers.set('www-authenticate', 'bearer');
  return answer;
}
