import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { findVisitor, respondOr } from '../../src/http/http.ts';
import { buildJsonResponse, prefersHtml, redirect, renderHtmlPage } from '../../src/http/page.ts';
import { calendarFeed, invitationPage } from './calendar.ts';
import { content, type WantedFile } from './content.ts';
import { exportDownload } from './export-download.ts';
import { favicon } from './favicon.ts';
import { ticketPage } from './helpdesk.ts';
import { homePage } from './home.ts';
import { userInvitationPage } from './invitation.ts';
import { loginPage, takeLogin, takeLogout } from './login.ts';
import { companyLogo } from './logo.ts';
import { mailExport } from './mail-export.ts';
import { mailBody, mailPage, outboxFile } from './mail-page.ts';
import { outbox } from './outbox.ts';
import { subscribePage, unsubscribeAtOnce, unsubscribePage } from './unsubscribe.ts';
import { fileUpload } from './upload.ts';

/** Pages for people: the first one, sign-in, the outbox of the local transport, and what answers unknown paths. */
export function webDoor(runtime: Runtime): Hono {
  const app = new Hono();
  const at = (handler: Handler) => (c: Context) =>
    respondOr(
      runtime,
      c.req.raw.headers,
      (error, requestId) => refusal(error, c.req.raw.headers, requestId),
      (requestId) => handler(c, requestId),
    );
  app.get(
    '/',
    at((c, requestId) => firstPage(runtime, c.req.raw.headers, requestId)),
  );
  app.get(
    '/favicon.ico',
    at((_c, requestId) => favicon(requestId)),
  );
  app.get(
    '/login',
    at((c, requestId) => loginPage(runtime, c.req.raw, requestId)),
  );
  app.post(
    '/login',
    at((c, requestId) => takeLogin(runtime, c.req.raw, requestId)),
  );
  app.post(
    '/logout',
    at((c, requestId) => takeLogout(runtime, c.req.raw, requestId)),
  );
  app.get(
    '/dev/outbox',
    at((c, requestId) => outbox(runtime, c.req.raw, requestId)),
  );
  app.get(
    '/dev/outbox/:id',
    at((c, requestId) => mailPage(runtime, c.req.raw, requestId, c.req.param('id') ?? '')),
  );
  app.get(
    '/dev/outbox/:id/body',
    at((c, requestId) => mailBody(runtime, c.req.raw, requestId, c.req.param('id') ?? '')),
  );
  app.get(
    '/dev/outbox/:id/files/:place',
    at((c, requestId) =>
      outboxFile(runtime, c.req.raw, requestId, c.req.param('id') ?? '', c.req.param('place') ?? ''),
    ),
  );
  app.on(
    ['GET', 'POST'],
    '/unsubscribe',
    at((c, requestId) => unsubscribePage(runtime, c.req.raw, requestId)),
  );
  app.on(
    ['GET', 'POST'],
    '/subscribe',
    at((c, requestId) => subscribePage(runtime, c.req.raw, requestId)),
  );
  // Mail programs that do not know RFC 8058 open the address in a browser.
  app.get(
    '/api/unsubscribe-oneclick',
    at((c, requestId) => unsubscribePage(runtime, c.req.raw, requestId)),
  );
  app.post(
    '/api/unsubscribe-oneclick',
    at((c, requestId) => unsubscribeAtOnce(runtime, c.req.raw, requestId)),
  );
  app.on(
    ['GET', 'POST'],
    '/invitation',
    at((c, requestId) => userInvitationPage(runtime, c.req.raw, requestId)),
  );
  app.on(
    ['GET', 'POST'],
    '/calendar/answer',
    at((c, requestId) => invitationPage(runtime, c.req.raw, requestId)),
  );
  app.on(
    ['GET', 'POST'],
    '/helpdesk/ticket',
    at((c, requestId) => ticketPage(runtime, c.req.raw, requestId)),
  );
  app.get(
    '/calendar/feed/:id/:hash/calendar.ics',
    at((c, requestId) =>
      calendarFeed(runtime, c.req.raw, requestId, {
        id: c.req.param('id') ?? '',
        hash: c.req.param('hash') ?? '',
      }),
    ),
  );
  app.get(
    '/svc_mail/export/:folder',
    at((c, requestId) => mailExport(runtime, c.req.raw, requestId, c.req.param('folder') ?? '')),
  );
  app.get(
    '/workspace/export',
    at((c, requestId) => exportDownload(runtime, c.req.raw, requestId)),
  );
  app.get(
    '/web/binary/company_logo',
    at((c, requestId) => companyLogo(runtime, c.req.raw, requestId)),
  );
  app.on(
    ['PUT', 'POST'],
    '/web/uploads',
    at((c, requestId) => fileUpload(runtime, c.req.raw, requestId)),
  );
  for (const [path, wanted] of Object.entries(FILES))
    app.get(
      path,
      at((c, requestId) => content(runtime, c.req.raw, requestId, wanted(c.req.param()))),
    );
  app.all(
    '*',
    at((c) => {
      throw errors.notFound(c.req.path.slice(0, 200));
    }),
  );
  return app;
}

/** The browser application, for who is signed in; what runs here, for strangers. */
async function firstPage(runtime: Runtime, headers: Headers, requestId: string): Promise<Response> {
  const caller = await findVisitor(runtime, headers);
  if (caller && runtime.config.web) return redirect('/app', requestId);
  return renderHtmlPage('Atrium', homePage(runtime, caller), requestId, { bar: '/' });
}

type Params = Record<string, string | undefined>;

/** The size of a picture in a path. */
const BOX = ':box{\\d{1,5}x\\d{1,5}}';

const attachment =
  (picture: boolean) =>
  ({ id = '', box }: Params): WantedFile => ({ model: null, id, field: null, picture, box });

const ofField =
  (picture: boolean) =>
  ({ model = '', id = '', field = '', box }: Params): WantedFile => ({
    ...{ model, id, field, picture, box },
  });

/** Files, under the addresses that classic clients know; a name at the end is for people. */
const FILES: Record<string, (params: Params) => WantedFile> = {
  '/web/content/:id/:filename?': attachment(false),
  '/web/content/:model/:id/:field/:filename?': ofField(false),
  [`/web/image/:id/${BOX}/:filename?`]: attachment(true),
  [`/web/image/:model/:id/:field/${BOX}/:filename?`]: ofField(true),
  '/web/image/:id/:filename?': attachment(true),
  '/web/image/:model/:id/:field/:filename?': ofField(true),
};

type Handler = (c: Context, requestId: string) => Response | Promise<Response>;

function refusal(error: AppError, headers: Headers, requestId: string): Response {
  if (prefersHtml(headers)) {
    const body = html`<h1>${error.status}</h1><p>${error.message}</p><p><a href="/">To the first page</a></p>`;
    return renderHtmlPage(`${error.status} · Atrium`, body, requestId, { status: error.status, bar: '' });
  }
  const body = { error: { code: error.kind, message: error.message } };
  const response = buildJsonResponse(JSON.stringify(body), requestId, error.status);
  if (error.status === 401) response.headers.set('www-authenticate', 'bearer');
  return response;
}
