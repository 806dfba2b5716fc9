import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { findVisitor, respondOr } from '../../src/http/http.ts';
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
import { serveSubscribePage, serveUnsubscribePage, unsubscribeAtOnce } from './unsubscribe.ts';
import { receiveFileUpload } from './upload.ts';

/** Pages for people: the home page, sign-in, the outbox of the local transport, and the response to unknown paths. */
export function webFacade(runtime: Runtime): Hono {
  const app = new Hono();
  const handleVisit = (handler: Handler) => (c: Context) =>
    respondOr(
      runtime,
      c.req.raw.headers,
      (error, requestId) => buildErrorResponse(error, c.req.raw.headers, requestId),
      (requestId) => handler(c, requestId),
    );
  app.get(
    '/',
    handleVisit((c, requestId) => serveFirstPage(runtime, c.req.raw.headers, requestId)),
  );
  app.get(
    '/favicon.ico',
    handleVisit((_c, requestId) => serveFavicon(requestId)),
  );
  app.get(
    '/login',
    handleVisit((c, requestId) => serveLoginPage(runtime, c.req.raw, requestId)),
  );
  app.post(
    '/login',
    handleVisit((c, requestId) => handleLogin(runtime, c.req.raw, requestId)),
  );
  app.post(
    '/logout',
    handleVisit((c, requestId) => handleLogout(runtime, c.req.raw, requestId)),
  );
  app.get(
    '/dev/outbox',
    handleVisit((c, requestId) => serveOutbox(runtime, c.req.raw, requestId)),
  );
  app.get(
    '/dev/outbox/:id',
    handleVisit((c, requestId) => serveMailPage(runtime, c.req.raw, requestId, c.req.param('id') ?? '')),
  );
  app.get(
    '/dev/outbox/:id/body',
    handleVisit((c, requestId) => serveMailBody(runtime, c.req.raw, requestId, c.req.param('id') ?? '')),
  );
  app.get(
    '/dev/outbox/:id/files/:place',
    handleVisit((c, requestId) =>
      serveOutboxFile(runtime, c.req.raw, requestId, c.req.param('id') ?? '', c.req.param('place') ?? ''),
    ),
  );
  app.on(
    ['GET', 'POST'],
    '/unsubscribe',
    handleVisit((c, requestId) => serveUnsubscribePage(runtime, c.req.raw, requestId)),
  );
  app.on(
    ['GET', 'POST'],
    '/subscribe',
    handleVisit((c, requestId) => serveSubscribePage(runtime, c.req.raw, requestId)),
  );
  // Mail clients without RFC 8058 support open the URL in a browser.
  app.get(
    '/api/unsubscribe-oneclick',
    handleVisit((c, requestId) => serveUnsubscribePage(runtime, c.req.raw, requestId)),
  );
  app.post(
    '/api/unsubscribe-oneclick',
    handleVisit((c, requestId) => unsubscribeAtOnce(runtime, c.req.raw, requestId)),
  );
  app.on(
    ['GET', 'POST'],
    '/invitation',
    handleVisit((c, requestId) => serveUserInvitation(runtime, c.req.raw, requestId)),
  );
  app.on(
    ['GET', 'POST'],
    '/calendar/answer',
    handleVisit((c, requestId) => serveInvitationPage(runtime, c.req.raw, requestId)),
  );
  app.on(
    ['GET', 'POST'],
    '/helpdesk/ticket',
    handleVisit((c, requestId) => serveTicketPage(runtime, c.req.raw, requestId)),
  );
  app.get(
    '/calendar/feed/:id/:hash/calendar.ics',
    handleVisit((c, requestId) =>
      serveCalendarFeed(runtime, c.req.raw, requestId, {
        id: c.req.param('id') ?? '',
        hash: c.req.param('hash') ?? '',
      }),
    ),
  );
  app.get(
    '/svc_mail/export/:folder',
    handleVisit((c, requestId) =>
      serveMailExport(runtime, c.req.raw, requestId, c.req.param('folder') ?? ''),
    ),
  );
  app.get(
    '/workspace/export',
    handleVisit((c, requestId) => serveExport(runtime, c.req.raw, requestId)),
  );
  app.get(
    '/web/binary/company_logo',
    handleVisit((c, requestId) => serveCompanyLogo(runtime, c.req.raw, requestId)),
  );
  app.on(
    ['PUT', 'POST'],
    '/web/uploads',
    handleVisit((c, requestId) => receiveFileUpload(runtime, c.req.raw, requestId)),
  );
  for (const [path, pathPattern] of Object.entries(FILES))
    app.get(
      path,
      handleVisit((c, requestId) => serveContent(runtime, c.req.raw, requestId, pathPattern(c.req.param()))),
    );
  app.all(
    '*',
    handleVisit((c) => {
      throw errors.notFound(c.req.path.slice(0, 200));
    }),
  );
  return app;
}

/** Redirects signed-in users to the browser application. Others see the home page. */
async function serveFirstPage(runtime: Runtime, headers: Headers, requestId: string): Promise<Response> {
  const caller = await findVisitor(runtime, headers);
  if (caller && runtime.config.web) return redirect('/app', requestId);
  return renderHtmlPage('Atrium', renderHomePage(runtime, caller), requestId, { bar: '/' });
}

type Params = Record<string, string | undefined>;

/** Image size in a path. */
const BOX = ':box{\\d{1,5}x\\d{1,5}}';

const buildAttachmentHandler =
  (picture: boolean) =>
  ({ id = '', box }: Params): FileRequest => ({ model: null, id, field: null, picture, box });

const buildFieldHandler =
  (picture: boolean) =>
  ({ model = '', id = '', field = '', box }: Params): FileRequest => ({
    ...{ model, id, field, picture, box },
  });

/** File paths that legacy clients use. The trailing name is only for display. */
const FILES: Record<string, (params: Params) => FileRequest> = {
  '/web/content/:id/:filename?': buildAttachmentHandler(false),
  '/web/content/:model/:id/:field/:filename?': buildFieldHandler(false),
  [`/web/image/:id/${BOX}/:filename?`]: buildAttachmentHandler(true),
  [`/web/image/:model/:id/:field/${BOX}/:filename?`]: buildFieldHandler(true),
  '/web/image/:id/:filename?': buildAttachmentHandler(true),
  '/web/image/:model/:id/:field/:filename?': buildFieldHandler(true),
};

type Handler = (c: Context, requestId: string) => Response | Promise<Response>;

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
