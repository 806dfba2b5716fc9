import { type Context, Hono } from 'hono';
import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import type { Channel } from '../../src/engine/model/principal.ts';
import { type AppError, errors } from '../../src/errors.ts';
import {
  authenticateBearer,
  authenticateCaller,
  namesNoOtherWorkspace,
  respondOrReject,
} from '../../src/http/http.ts';
import { buildErrorResponse } from '../../src/http/json-api.ts';
import { loadAssets } from './assets.ts';
import { callAsSession } from './call.ts';
import { describeModels } from './description.ts';
import { buildDocHeaders } from './headers.ts';
import { renderDocPage } from './page.ts';

/**
 * Serves `/doc`: the caller's models and methods, as pages and as JSON for clients. The pages are public and contain no
 * data. The data requires a session (`/doc/...json`) or a key (also `/doc-bearer/...json`).
 */
export function createDocFacade(runtime: Runtime): Hono {
  const app = new Hono();
  const handleVisit = (handler: Handler) => (c: Context) =>
    respondOrReject(runtime, c.req.raw.headers, buildDocErrorResponse, (requestId) => handler(c, requestId));
  app.get(
    '/doc-bearer/:file{[^/]+\\.json}',
    handleVisit(createDescriptionHandler(runtime, authenticateBearer, 'json')),
  );
  app.get(
    '/doc/:file{[^/]+\\.json}',
    handleVisit(createDescriptionHandler(runtime, authenticateCaller, 'web')),
  );
  app.get('/doc/assets/:version/:name', async (c) => {
    const { version, name } = c.req.param();
    return (await loadAssets()).respond(c.req.raw, version, name);
  });
  app.post(
    '/doc/call/:model/:method',
    handleVisit((c, requestId) => {
      const { model, method } = c.req.param() as Record<string, string>;
      return callAsSession(runtime, c.req.raw, model!, method!, requestId);
    }),
  );
  for (const path of ['/doc', '/doc/', '/doc/:model']) {
    app.get(path, (c) => renderDocPage(runtime, c.req.raw));
  }
  return app;
}

type Handler = (c: Context, requestId: string) => Promise<Response>;
type Authenticate = (runtime: Runtime, headers: Headers, channel: Channel) => Promise<Caller | null>;

const createDescriptionHandler =
  (runtime: Runtime, recognize: Authenticate, channel: Channel): Handler =>
  async (c, requestId) => {
    const { headers } = c.req.raw;
    const caller = await recognize(runtime, headers, channel);
    if (!caller) throw errors.noCredential();
    if (!namesNoOtherWorkspace(runtime, headers, caller.workspace.slug)) throw errors.invalidKey();
    return describeModels(
      runtime,
      caller,
      c.req.raw,
      c.req.param('file')!.slice(0, -'.json'.length),
      requestId,
    );
  };

const buildDocErrorResponse = (error: AppError, requestId: string): Response =>
  buildErrorResponse(error, buildDocHeaders(requestId));
