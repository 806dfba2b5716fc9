import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { findVisitor } from '../../src/http/http.ts';
import { buildJsonErrorResponse, prefersHtml, redirect, renderHtmlPage } from '../../src/http/page.ts';
import { createVisitAdapter, type Visit, type VisitHandler } from '../../src/http/visit.ts';
import { serveCalendarFeed, serveInvitationPage } from './calendar.ts';
import { serveContent } from './content.ts';
import { serveExport } from './export-download.ts';
import { serveFavicon } from './favicon.ts';
import { serveTicketPage } from './helpdesk.ts';
import { renderHomePage } from './home.ts';
import { serveUserInvitation } from './invitation.ts';
import { handleLogin, handleLogout, serveLoginPage } from './login.ts';
import { serveCompanyLogo } from './logo.ts';
import { serveMailExport } from './mail-export.ts';
import { serveMailBody, serveMailPage, serveOutboxFile } from './mail-page.ts';
import { serveOutbox } from './outbox.ts';
import { serveSubscribePage, serveUnsubscribePage, unsubscribeInOneClick } from './unsubscribe.ts';
import { receiveFileUpload } from './upload.ts';

/**
 * Serves the home page, the sign-in page, the local transport's outbox, the pages that emails link to, and files. Also
 * responds to requests for unknown paths.
 */
export function createWebFacade(runtime: Runtime): Hono {
  const app = new Hono();
  const handleVisit = createVisitAdapter(runtime, buildErrorResponse);
  for (const [methods, path, serve] of PAGES) app.on(methods, path, handleVisit(serve));
  for (const [path, serve] of Object.entries(FILES)) app.get(path, handleVisit(serve));
  app.all('*', (c) => handleVisit(() => rejectPath(c.req.path))(c));
  return app;
}

const GET = ['GET'];
const POST = ['POST'];
const GET_AND_POST = ['GET', 'POST'];

const PAGES: [methods: string[], path: string, serve: VisitHandler][] = [
  [GET, '/', serveFirstPage],
  [GET, '/favicon.ico', serveFavicon],
  [GET, '/login', serveLoginPage],
  [POST, '/login', handleLogin],
  [POST, '/logout', handleLogout],
  [GET, '/dev/outbox', serveOutbox],
  [GET, '/dev/outbox/:id', serveMailPage],
  [GET, '/dev/outbox/:id/body', serveMailBody],
  [GET, '/dev/outbox/:id/files/:place', serveOutboxFile],
  [GET_AND_POST, '/unsubscribe', serveUnsubscribePage],
  [GET_AND_POST, '/subscribe', serveSubscribePage],
  // Mail clients without support for RFC 8058 open the URL in a browser.
  [GET, '/api/unsubscribe-oneclick', serveUnsubscribePage],
  [POST, '/api/unsubscribe-oneclick', unsubscribeInOneClick],
  [GET_AND_POST, '/invitation', serveUserInvitation],
  [GET_AND_POST, '/calendar/answer', serveInvitationPage],
  [GET_AND_POST, '/helpdesk/ticket', serveTicketPage],
  [GET, '/calendar/feed/:id/:hash/calendar.ics', serveCalendarFeed],
  [GET, '/svc_mail/export/:folder', serveMailExport],
  [GET, '/workspace/export', serveExport],
  [GET, '/web/binary/company_logo', serveCompanyLogo],
  [['PUT', 'POST'], '/web/uploads', receiveFileUpload],
];

/** Redirects signed-in users to the browser application. Other visitors see the home page. */
async function serveFirstPage({ runtime, request, requestId }: Visit): Promise<Response> {
  const caller = await findVisitor(runtime, request.headers);
  if (caller && runtime.config.web) return redirect('/app', requestId);
  return renderHtmlPage('Atrium', renderHomePage(runtime, caller), requestId, { bar: '/' });
}

const BOX = ':box{\\d{1,5}x\\d{1,5}}';

const buildAttachmentHandler =
  (picture: boolean): VisitHandler =>
  (visit) => {
    const { id = '', box } = visit.params;
    return serveContent(visit, { model: null, id, field: null, picture, box });
  };

const buildFieldHandler =
  (picture: boolean): VisitHandler =>
  (visit) => {
    const { model = '', id = '', field = '', box } = visit.params;
    return serveContent(visit, { model, id, field, picture, box });
  };

/** File paths that legacy clients use. The filename has no effect. */
const FILES: Record<string, VisitHandler> = {
  '/web/content/:id/:filename?': buildAttachmentHandler(false),
  '/web/content/:model/:id/:field/:filename?': buildFieldHandler(false),
  [`/web/image/:id/${BOX}/:filename?`]: buildAttachmentHandler(true),
  [`/web/image/:model/:id/:field/${BOX}/:filename?`]: buildFieldHandler(true),
  '/web/image/:id/:filename?': buildAttachmentHandler(true),
  '/web/image/:model/:id/:field/:filename?': buildFieldHandler(true),
};

function rejectPath(path: string): never {
  throw errors.notFound(path.slice(0, 200));
}

function buildErrorResponse(error: AppError, headers: Headers, requestId: string): Response {
  if (!prefersHtml(headers)) return buildJsonErrorResponse(error, requestId);
  const body = html`<h1>${error.status}</h1><p>${error.message}</p><p><a href="/">Go to the start page</a></p>`;
  return renderHtmlPage(`${error.status} · Atrium`, body, requestId, { status: error.status, bar: '' });
}
