import { type Context, Hono } from 'hono';
import type { Caller } from '../../src/engine/identity.ts';
import type { Runtime } from '../../src/engine/runtime.ts';
import { errors } from '../../src/errors.ts';
import { answerable, callerOf, callerOfBearer, requestIdOf } from '../../src/http.ts';
import { asset } from './assets.ts';
import { callAsSession } from './call.ts';
import { description } from './description.ts';
import { page } from './page.ts';
import { refusal } from './refusal.ts';

/**
 * `/doc`: what the caller can reach, as JSON that clients learn signatures from and as a page for people. The pages
 * are there for everybody and hold no facts; those come with a session (`/doc/...json`) or a key (also `/doc-bearer/...json`).
 */
export function docDoor(runtime: Runtime): Hono {
  const app = new Hono();
  const at = (handler: Handler) => (c: Context) =>
    answer(runtime, c.req.raw, (requestId) => handler(c, requestId));
  app.get('/doc-bearer/:file{[^/]+\\.json}', at(describedFor(runtime, callerOfBearer)));
  app.get('/doc/:file{[^/]+\\.json}', at(describedFor(runtime, callerOf)));
  app.get('/doc/assets/:version/:name', (c) => asset(c.req.param('version'), c.req.param('name')));
  app.post(
    '/doc/call/:model/:method',
    at((c, requestId) => {
      const { model, method } = c.req.param() as Record<string, string>;
      return callAsSession(runtime, c.req.raw, model!, method!, requestId);
    }),
  );
  for (const path of ['/doc', '/doc/', '/doc/:model']) {
    app.get(path, (c) => page(runtime, c.req.raw));
  }
  return app;
}

type Handler = (c: Context, requestId: string) => Promise<Response>;
type Recognise = (runtime: Runtime, headers: Headers) => Promise<Caller | null>;

const describedFor =
  (runtime: Runtime, recognise: Recognise): Handler =>
  async (c, requestId) => {
    const { headers } = c.req.raw;
    const caller = await recognise(runtime, headers);
    if (!caller) throw errors.noCredential();
    const database = headers.get('x-odoo-database');
    if (database && database !== caller.workspace.slug) throw errors.invalidKey();
    return description(runtime, caller, c.req.raw, c.req.param('file')!.slice(0, -'.json'.length), requestId);
  };

async function answer(
  runtime: Runtime,
  request: Request,
  handle: (requestId: string) => Promise<Response>,
): Promise<Response> {
  const requestId = requestIdOf(request.headers);
  try {
    return await handle(requestId);
  } catch (error) {
    return refusal(answerable(runtime, error, requestId), requestId);
  }
}
