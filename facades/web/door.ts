import { type Context, Hono } from 'hono';
import type { Caller } from '../../src/engine/identity.ts';
import type { Runtime } from '../../src/engine/runtime.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { answerable, callerOf, requestIdOf } from '../../src/http.ts';
import { homePage } from './home.ts';
import { html } from './html.ts';
import { json, likesHtml, page } from './layout.ts';
import { login, loginPage, logout } from './login.ts';
import { outbox } from './outbox.ts';

/** Pages for people: the first one, sign-in, the outbox of the local transport, and what answers unknown paths. */
export function webDoor(runtime: Runtime): Hono {
  const app = new Hono();
  const at = (handler: Handler) => (c: Context) =>
    answer(runtime, c.req.raw, (requestId) => handler(c, requestId));
  app.get(
    '/',
    at(async (c, requestId) =>
      page('Atrium', homePage(runtime, await visitor(runtime, c.req.raw.headers)), requestId),
    ),
  );
  app.get(
    '/login',
    at((c, requestId) => loginPage(runtime, c.req.raw, requestId)),
  );
  app.post(
    '/login',
    at((c, requestId) => login(runtime, c.req.raw, requestId, sourceOf(c))),
  );
  app.post(
    '/logout',
    at((c, requestId) => logout(runtime, c.req.raw, requestId)),
  );
  app.get(
    '/dev/outbox',
    at((c, requestId) => outbox(runtime, c.req.raw, requestId)),
  );
  app.all(
    '*',
    at((c) => {
      throw errors.notFound(c.req.path.slice(0, 200));
    }),
  );
  return app;
}

type Handler = (c: Context, requestId: string) => Response | Promise<Response>;

async function answer(
  runtime: Runtime,
  request: Request,
  handle: (requestId: string) => Response | Promise<Response>,
): Promise<Response> {
  const requestId = requestIdOf(request.headers);
  try {
    return await handle(requestId);
  } catch (error) {
    return refusal(answerable(runtime, error, requestId), request.headers, requestId);
  }
}

function refusal(error: AppError, headers: Headers, requestId: string): Response {
  if (likesHtml(headers)) {
    const body = html`<h1>${error.status}</h1><p>${error.message}</p><p><a href="/">To the first page</a></p>`;
    return page(`${error.status}`, body, requestId, error.status);
  }
  const body = { error: { code: error.kind, message: error.message } };
  const response = json(JSON.stringify(body), requestId, error.status);
  if (error.status === 401) response.headers.set('www-authenticate', 'bearer');
  return response;
}

/** Who reads the first page; a bad credential makes a stranger there, not an error. */
const visitor = (runtime: Runtime, headers: Headers): Promise<Caller | null> =>
  callerOf(runtime, headers).catch(() => null);

/** The address of the connection: what failed sign-ins are counted by. */
function sourceOf(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress ?? 'unknown';
}
