import { type Context, Hono } from 'hono';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { anonymousCtx, answerOr, callerOf, ctxOf, sameOrigin, visitorOf } from '../../src/http/http.ts';
import { asset, graphiqlPage } from './graphiql.ts';
import { paramsOf } from './params.ts';
import { createRun, type Run } from './run.ts';
import { sdlOf } from './sdl.ts';

/** `/graphql`: the hall itself over HTTP, GraphiQL for browsers, the schema's text for who is recognised. */
export function graphqlDoor(runtime: Runtime): Hono {
  const app = new Hono();
  const run = createRun(runtime);
  const operate = (c: Context) => answer(runtime, c.req.raw, (ctx) => result(run, ctx, c.req.raw));
  app.get('/graphql', (c) => (wantsPage(c.req.raw) ? pageOrLogin(runtime, c.req.raw) : operate(c)));
  app.post('/graphql', operate);
  app.all('/graphql', () => new Response(null, { status: 405, headers: { allow: 'GET, POST' } }));
  app.get('/graphql/schema.graphql', (c) => answer(runtime, c.req.raw, (ctx) => schemaText(runtime, ctx)));
  app.get('/graphql/assets/:version/:name', (c) =>
    asset(c.req.raw, c.req.param('version'), c.req.param('name')),
  );
  return app;
}

/** Also with a query in the address: GraphiQL keeps its own there. */
const wantsPage = (request: Request): boolean => (request.headers.get('accept') ?? '').includes('text/html');

/** GraphiQL is of no use to a stranger: it could not even read the schema. */
async function pageOrLogin(runtime: Runtime, request: Request): Promise<Response> {
  if (await visitorOf(runtime, request.headers)) return graphiqlPage();
  const { pathname, search } = new URL(request.url);
  return new Response(null, {
    status: 303,
    headers: {
      location: `/login?next=${encodeURIComponent(pathname + search)}`,
      'cache-control': 'no-store',
    },
  });
}

/** Recognises the caller and answers; what fails before there is a result gets its own HTTP status. */
const answer = (runtime: Runtime, { headers }: Request, then: (ctx: Ctx) => Promise<Response>) =>
  answerOr(runtime, headers, refusal, async (requestId) =>
    then(await ctxOfRequest(runtime, headers, requestId)),
  );

async function ctxOfRequest(runtime: Runtime, headers: Headers, requestId: string): Promise<Ctx> {
  const caller = await callerOf(runtime, headers);
  if (!caller) return anonymousCtx(runtime, 'graphql', requestId);
  if (!headers.get('authorization') && !sameOrigin(runtime, headers)) {
    throw errors.notAllowed(
      "Session cookies are only accepted from this server's own pages. Use an API key.",
    );
  }
  return ctxOf(runtime, caller, 'graphql', requestId);
}

/**
 * GraphQL over HTTP: with the newer media type a document that cannot run is 400, with `application/json` it is 200.
 */
async function result(run: Run, ctx: Ctx, request: Request): Promise<Response> {
  const outcome = await run(ctx, request, await paramsOf(request));
  const modern = (request.headers.get('accept') ?? '').includes('application/graphql-response+json');
  const type = modern ? 'application/graphql-response+json' : 'application/json';
  const status = modern && !('data' in outcome) ? 400 : 200;
  return new Response(JSON.stringify(outcome), {
    status,
    headers: headersOf(`${type}; charset=utf-8`, ctx.requestId),
  });
}

async function schemaText(runtime: Runtime, ctx: Ctx): Promise<Response> {
  if (!ctx.principal) throw errors.noCredential();
  return new Response(sdlOf(runtime.schemaOf(ctx.catalog.registry)), {
    headers: headersOf('text/plain; charset=utf-8', ctx.requestId),
  });
}

function refusal(error: AppError, requestId: string): Response {
  const body = {
    errors: [{ message: error.message, extensions: { code: error.kind, status: error.status } }],
  };
  const headers = headersOf('application/json; charset=utf-8', requestId);
  if (error.status === 401) headers['www-authenticate'] = 'bearer';
  return new Response(JSON.stringify(body), { status: error.status, headers });
}

const headersOf = (type: string, requestId: string): Record<string, string> => ({
  'content-type': type,
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});
