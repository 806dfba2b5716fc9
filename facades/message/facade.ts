import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { AppError } from '../../src/errors.ts';
import { buildJsonErrorResponse, prefersHtml } from '../../src/http/page.ts';
import { createVisitAdapter } from '../../src/http/visit.ts';
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
  const handleVisit = createVisitAdapter(runtime, buildErrorResponse);
  app.get('/mail/body/:id', handleVisit(serveMailFrame));
  app.get('/email/body/:id', handleVisit(serveEmailFrame));
  app.post('/email/preview', handleVisit(servePreviewFrame));
  app.get('/mail/part/:entry/:number', handleVisit(serveMailPart));
  app.get('/email/part/:id/:place', handleVisit(serveEmailPart));
  app.get('/email/image/:id/:hash', handleVisit(serveEmailImage));
  app.get('/mail/image/:signed', handleVisit(serveMailImage));
  app.get('/mail/editor', handleVisit(serveEditorPage));
  app.get('/mail/file', handleVisit(serveMailFile));
  app.on(['PUT', 'POST'], '/mail/attachments', handleVisit(receiveMailUpload));
  return app;
}

/** Renders the error as a page for a frame, where it replaces the message, or as JSON for other clients. */
function buildErrorResponse(error: AppError, headers: Headers, requestId: string): Response {
  if (!prefersHtml(headers)) return buildJsonErrorResponse(error, requestId);
  const body = `${html`<p>${error.message}</p>`}`;
  return new Response(renderBodyDocument(body, { isText: true, images: 'none' }), {
    status: error.status,
    headers: { ...BODY_HEADERS, 'x-request-id': requestId },
  });
}
