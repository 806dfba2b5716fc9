import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { type Context, Hono } from 'hono';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { RawJson } from '../../src/engine/value/raw-json.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { sharingHeaders } from '../../src/http/cors.ts';
import {
  anonymousCtx,
  answerOr,
  callerOf,
  ctxOf,
  requestIdOf,
  sameOrigin,
  visitorOf,
} from '../../src/http/http.ts';
import { membersOf } from '../../src/json.ts';
import { extensionsOf } from './errors.ts';
import { COMPLETE, nextFrame } from './frames.ts';
import { asset, graphiqlPage } from './graphiql.ts';
import { ZippedAnswer } from './introspection.ts';
import { paramsOf } from './params.ts';
import { run, wantsEvents } from './run.ts';
import { sdlOf } from './sdl.ts';
import { openStream } from './stream.ts';
import { tabsOf } from './tabs.ts';

/** `/graphql`: the hall itself over HTTP, GraphiQL for browsers, the schema's text for who is recognised. */
export function graphqlDoor(runtime: Runtime): Hono {
  const app = new Hono();
  const operate = (c: Context) =>
    answer(runtime, c.req.raw, (ctx) =>
      wantsEvents(c.req.raw.headers) ? events(runtime, ctx, c) : result(ctx, c.req.raw),
    );
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
  const caller = await visitorOf(runtime, request.headers);
  if (caller)
    return graphiqlPage(await tabsOf(ctxOf(runtime, caller, 'graphql', requestIdOf(request.headers))));
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
  const caller = await callerOf(runtime, headers, 'graphql');
  if (!caller) return anonymousCtx(runtime, 'graphql', requestId);
  if (!headers.get('authorization') && !sameOrigin(runtime, headers)) {
    throw errors.notAllowed(
      "Session cookies are only accepted from this server's own pages. Use an API key.",
    );
  }
  return ctxOf(runtime, caller, 'graphql', requestId, headers);
}

/**
 * GraphQL over HTTP: with the newer media type a document that cannot run is 400, with `application/json` it is 200.
 */
async function result(ctx: Ctx, request: Request): Promise<Response> {
  const outcome = await run(ctx, request, await paramsOf(request, ctx.workspace.id));
  const accepted = request.headers.get('accept') ?? '';
  const modern = accepted.includes('application/graphql-response+json');
  const type = modern ? 'application/graphql-response+json' : 'application/json';
  const headers = headersOf(`${type}; charset=utf-8`, ctx.requestId);
  if (outcome instanceof ZippedAnswer) return zippedResponse(outcome, request, headers);
  return new Response(written(outcome), {
    status: modern && !('data' in outcome) ? 400 : 200,
    headers,
  });
}

/** The result as JSON; its data may be text already. */
function written(outcome: ExecutionResult): string {
  const { data, ...rest } = outcome as { data?: unknown };
  if (!(data instanceof RawJson)) return JSON.stringify(outcome);
  const others = membersOf(rest);
  return `{"data":${data.text}${others && `,${others}`}}`;
}

async function zippedResponse(
  answer: ZippedAnswer,
  request: Request,
  headers: Record<string, string>,
): Promise<Response> {
  const vary = { ...headers, vary: 'Accept-Encoding' };
  if (!(request.headers.get('accept-encoding') ?? '').includes('gzip'))
    return new Response(await answer.plain(), { headers: vary });
  return new Response(answer.zipped, { headers: { ...vary, 'content-encoding': 'gzip' } });
}

/** The same as events: one of a query, which then ends; those of a subscription as they come. */
async function events(runtime: Runtime, ctx: Ctx, c: Context): Promise<Response> {
  const request = c.req.raw;
  const answered = await run(ctx, request, await paramsOf(request, ctx.workspace.id));
  const headers = headersOf('text/event-stream; charset=utf-8', ctx.requestId);
  if (answered instanceof ZippedAnswer)
    return new Response(`event: next\ndata: ${await answered.plain()}\n\n${COMPLETE}`, { headers });
  const { live, ...outcome } = answered;
  if (!live) return new Response(nextFrame(outcome) + COMPLETE, { headers });
  const { outgoing: out } = c.env as { outgoing: ServerResponse };
  const known = credentialOf(request.headers);
  const recognise = () => ctxOfRequest(runtime, known, ctx.requestId);
  const sharing = sharingHeaders(runtime.config.corsOrigins, request.headers);
  return openStream({ runtime, ctx, recognise, out, headers: { ...headers, ...sharing } }, live);
}

/** What a stream keeps of its request, to recognise the caller again. */
function credentialOf(headers: Headers): Headers {
  const names = ['authorization', 'cookie', 'host', 'origin', 'sec-fetch-site'];
  return new Headers(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)!]] : [])));
}

async function schemaText(runtime: Runtime, ctx: Ctx): Promise<Response> {
  if (!ctx.principal) throw errors.noCredential();
  return new Response(sdlOf(runtime.schemaOf(ctx.catalog.registry)), {
    headers: headersOf('text/plain; charset=utf-8', ctx.requestId),
  });
}

function refusal(error: AppError, requestId: string): Response {
  const body = {
    errors: [{ message: error.message, extensions: extensionsOf(error, requestId) }],
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
