import { Hono } from 'hono';
import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import type { Channel } from '../../src/engine/model/principal.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { authenticateBearer, authenticateCaller, namesNoOtherWorkspace } from '../../src/http/http.ts';
import { buildErrorResponse } from '../../src/http/json-api.ts';
import { createVisitAdapter, type Visit } from '../../src/http/visit.ts';
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
  const handleVisit = createVisitAdapter(runtime, buildDocErrorResponse);
  app.get(
    '/doc-bearer/:file{[^/]+\\.json}',
    handleVisit((visit) => serveDescription(visit, authenticateBearer, 'json')),
  );
  app.get(
    '/doc/:file{[^/]+\\.json}',
    handleVisit((visit) => serveDescription(visit, authenticateCaller, 'web')),
  );
  app.get('/doc/assets/:version/:name', async (c) => {
    const { version, name } = c.req.param();
    return (await loadAssets()).respond(c.req.raw, version, name);
  });
  app.post('/doc/call/:model/:method', handleVisit(callAsSession));
  for (const path of ['/doc', '/doc/', '/doc/:model']) {
    app.get(path, (c) => renderDocPage(runtime, c.req.raw));
  }
  return app;
}

type Authenticate = (runtime: Runtime, headers: Headers, channel: Channel) => Promise<Caller | null>;

async function serveDescription(
  visit: Visit,
  authenticate: Authenticate,
  channel: Channel,
): Promise<Response> {
  const { runtime, request, params } = visit;
  const { headers } = request;
  const caller = await authenticate(runtime, headers, channel);
  if (!caller) throw errors.noCredential();
  if (!namesNoOtherWorkspace(runtime, headers, caller.workspace.slug)) throw errors.invalidKey();
  return describeModels(visit, caller, params.file!.slice(0, -'.json'.length));
}

const buildDocErrorResponse = (error: AppError, _headers: Headers, requestId: string): Response =>
  buildErrorResponse(error, buildDocHeaders(requestId));
