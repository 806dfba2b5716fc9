import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { findVisitor, respondOrReject } from '../../src/http/http.ts';
import { buildJsonResponse, prefersHtml, redirect, renderHtmlPage } from '../../src/http/page.ts';
import { serveCalendarFeed, serveInvitationPage } from './calendar.ts';
import { type FileRequest, serveContent } from './content.ts';
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
  const handleVisit = (serve: ServePage) => (c: Context) =>
    respondOrReject(
      runtime,
      c.req.raw.headers,
      (error, requestId) => buildErrorResponse(error, c.req.raw.headers, requestId),
      (requestId) => serve(runtime, c.req.raw, requestId, c.req.param()),
    );
  for (const [methods, path, serve] of PAGES) app.on(methods, path, handleVisit(serve));
  for (const [path, parseFileRequest] of Object.entries(FILES))
    app.get(
      path,
      handleVisit((_runtime, request, requestId, params) =>
        serveContent(runtime, request, requestId, parseFileRequest(params)),
      ),
    );
  app.all('*', (c) => handleVisit(() => rejectPath(c.req.path))(c));
  return app;
}

type Params = Record<string, string | undefined>;

type ServePage = (
  runtime: Runtime,
  request: Request,
  requestId: string,
  params: Params,
) => Response | Promise<Response>;

const GET = ['GET'];
const POST = ['POST'];
const GET_AND_POST = ['GET', 'POST'];

const PAGES: [methods: string[], path: string, serve: ServePage][] = [
  [GET, '/', serveFirstPage],
  [GET, '/favicon.ico', (_runtime, _request, requestId) => serveFavicon(requestId)],
  [GET, '/login', serveLoginPage],
  [POST, '/login', handleLogin],
  [POST, '/logout', handleLogout],
  [GET, '/dev/outbox', serveOutbox],
  [
    GET,
    '/dev/outbox/:id',
    (runtime, request, requestId, { id = '' }) => serveMailPage(runtime, request, requestId, id),
  ],
  [
    GET,
    '/dev/outbox/:id/body',
    (runtime, request, requestId, { id = '' }) => serveMailBody(runtime, request, requestId, id),
  ],
  [
    GET,
    '/dev/outbox/:id/files/:place',
    (runtime, request, requestId, { id = '', place = '' }) =>
      serveOutboxFile(runtime, request, requestId, id, place),
  ],
  [GET_AND_POST, '/unsubscribe', serveUnsubscribePage],
  [GET_AND_POST, '/subscribe', serveSubscribePage],
  // Mail clients without support for RFC 8058 open the URL in a browser.
  [GET, '/api/unsubscribe-oneclick', serveUnsubscribePage],
  [POST, '/api/unsubscribe-oneclick', unsubscribeInOneClick],
  [GET_AND_POST, '/invitation', serveUserInvitation],
  [GET_AND_POST, '/calendar/answer', serveInvitationPage],
  [GET_AND_POST, '/helpdesk/ticket', serveTicketPage],
  [
    GET,
    '/calendar/feed/:id/:hash/calendar.ics',
    (runtime, request, requestId, { id = '', hash = '' }) =>
      serveCalendarFeed(runtime, request, requestId, { id, hash }),
  ],
  [
    GET,
    '/svc_mail/export/:folder',
    (runtime, request, requestId, { folder = '' }) => serveMailExport(runtime, request, requestId, folder),
  ],
  [GET, '/workspace/export', serveExport],
  [GET, '/web/binary/company_logo', serveCompanyLogo],
  [['PUT', 'POST'], '/web/uploads', receiveFileUpload],
];

/** Redirects signed-in users to the browser application. Other visitors see the home page. */
async function serveFirstPage(runtime: Runtime, request: Request, requestId: string): Promise<Response> {
  const caller = await findVisitor(runtime, request.headers);
  if (caller && runtime.config.web) return redirect('/app', requestId);
  return renderHtmlPage('Atrium', renderHomePage(runtime, caller), requestId, { bar: '/' });
}

const BOX = ':box{\\d{1,5}x\\d{1,5}}';

const buildAttachmentHandler =
  (picture: boolean) =>
  ({ id = '', box }: Params): FileRequest => ({ model: null, id, field: null, picture, box });

const buildFieldHandler =
  (picture: boolean) =>
  ({ model = '', id = '', field = '', box }: Params): FileRequest => ({
    ...{ model, id, field, picture, box },
  });

/** File paths that legacy clients use. The filename has no effect. */
const FILES: Record<string, (params: Params) => FileRequest> = {
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
  if (prefersHtml(headers)) {
    const body = html`<h1>${error.status}</h1><p>${error.message}</p><p><a href="/">Go to the start page</a></p>`;
    return renderHtmlPage(`${error.status} · Atrium`, body, requestId, { status: error.status, bar: '' });
  }
  const body = { error: { code: error.kind, message: error.message } };
  const response = buildJsonResponse(JSON.stringify(body), requestId, error.status);
  if (error.status === 401) response.headers.set('www-authenticate', 'bearer');
  return response;
}
