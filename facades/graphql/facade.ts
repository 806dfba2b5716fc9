import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ExecutionResult } from 'graphql';
import { type Context, Hono } from 'hono';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { RawJson } from '../../src/engine/value/raw-json.ts';
import { AppError, errors } from '../../src/errors.ts';
import { acceptsCoding, selectAcceptedTypes } from '../../src/http/accept.ts';
import { buildCorsHeaders } from '../../src/http/cors.ts';
import {
  authenticateCaller,
  createCallerCtx,
  createUnauthenticatedCtx,
  findVisitor,
  getRequestId,
  isSameOrigin,
  matchesEtag,
  respondOrReject,
} from '../../src/http/http.ts';
import { prefersHtml } from '../../src/http/page.ts';
import { stringifyMembers } from '../../src/json.ts';
import { encodeLongText } from '../../src/loop/json-yielding.ts';
import { buildExtensions } from './errors.ts';
import { buildNextFrame, COMPLETE_FRAME } from './frames.ts';
import { renderGraphiql, serveAsset } from './graphiql.ts';
import { CompressedResponse } from './introspection.ts';
import { type GraphQLParams, parseParams } from './params.ts';
import { acceptsEvents, getOperationType, run } from './run.ts';
import { printSdl } from './sdl.ts';
import { openStream } from './stream.ts';
import { buildTabs } from './tabs.ts';

/** Serves `/graphql`: the GraphQL API over HTTP, GraphiQL for browsers, and the SDL for authenticated callers. */
export function createGraphqlFacade(runtime: Runtime): Hono {
  const app = new Hono();
  const handleOperation = (c: Context) =>
    authenticateAndRespond(runtime, c.req.raw, (ctx) => runOperation(runtime, ctx, c));
  app.get('/graphql', (c) =>
    prefersHtml(c.req.raw.headers) ? servePageOrLogin(runtime, c.req.raw) : handleOperation(c),
  );
  app.post('/graphql', handleOperation);
  app.all('/graphql', () => new Response(null, { status: 405, headers: { allow: 'GET, POST' } }));
  app.get('/graphql/schema.graphql', (c) =>
    authenticateAndRespond(runtime, c.req.raw, (ctx) => renderSchema(runtime, ctx, c.req.raw)),
  );
  app.get('/graphql/assets/:version/:name', (c) =>
    serveAsset(c.req.raw, c.req.param('version'), c.req.param('name')),
  );
  return app;
}

/** Redirects unauthenticated visitors to the sign-in page, because GraphiQL could not read the schema. */
async function servePageOrLogin(runtime: Runtime, request: Request): Promise<Response> {
  const caller = await findVisitor(runtime, request.headers);
  if (caller)
    return renderGraphiql(
      await buildTabs(createCallerCtx(runtime, caller, 'graphql', getRequestId(request.headers))),
    );
  const { pathname, search } = new URL(request.url);
  return new Response(null, {
    status: 303,
    headers: {
      location: `/login?next=${encodeURIComponent(pathname + search)}`,
      'cache-control': 'no-store',
    },
  });
}

/** Authenticates the caller and responds. The HTTP status reflects errors that occur before execution. */
const authenticateAndRespond = (
  runtime: Runtime,
  { headers }: Request,
  respond: (ctx: Ctx) => Promise<Response>,
) =>
  respondOrReject(
    runtime,
    headers,
    (error, requestId) => buildErrorResponse(headers, error, requestId),
    async (requestId) => respond(await createRequestCtx(runtime, headers, requestId)),
  );

async function createRequestCtx(runtime: Runtime, headers: Headers, requestId: string): Promise<Ctx> {
  const caller = await authenticateCaller(runtime, headers, 'graphql');
  if (!caller) return createUnauthenticatedCtx(runtime, 'graphql', requestId);
  if (!headers.get('authorization') && !isSameOrigin(runtime, headers)) {
    throw errors.notAllowed(
      "Session cookies are only accepted from this server's own pages. Use an API key.",
    );
  }
  return createCallerCtx(runtime, caller, 'graphql', requestId, headers);
}

/**
 * Runs an operation. Streams the events of a subscription if the client accepts events. Streams the result of any other
 * operation as a single event if the client accepts nothing else.
 */
async function runOperation(runtime: Runtime, ctx: Ctx, c: Context): Promise<Response> {
  const request = c.req.raw;
  if (request.headers.get('upgrade')?.toLowerCase() === 'websocket') throw createWebSocketError();
  const params = await parseParams(request, ctx.workspace.id);
  const type = getOperationType(params);
  if (params.isSafe && type === 'mutation') return buildPostRequiredResponse(request.headers, ctx);
  const [media] = selectAcceptedTypes(request.headers.get('accept'), JSON_TYPES);
  const streams = request.method !== 'HEAD' && acceptsEvents(request.headers);
  if (streams && (type === 'subscription' || !media)) return streamEvents(runtime, ctx, c, params);
  if (media) return executeRequest(ctx, request, params, media);
  throw new AppError(
    'BAD_REQUEST',
    `Accept must include one of ${JSON_TYPES.join(', ')} or text/event-stream.`,
    406,
  );
}

const PLAIN_JSON = 'application/json';
const GRAPHQL_JSON = 'application/graphql-response+json';
const JSON_TYPES = [PLAIN_JSON, GRAPHQL_JSON] as const;

const createWebSocketError = (): AppError =>
  errors.badRequest(
    'Subscriptions are sent as server-sent events, not over a WebSocket: send a POST request with ' +
      'Accept: text/event-stream.',
  );

function buildPostRequiredResponse(headers: Headers, { requestId }: Ctx): Response {
  const response = buildErrorResponse(
    headers,
    new AppError('BAD_REQUEST', 'A mutation requires a POST request.', 405),
    requestId,
  );
  response.headers.set('allow', 'POST');
  return response;
}

/**
 * Executes a request according to GraphQL over HTTP: if the document cannot run, the status is 400 with the newer media
 * type, and 200 with `application/json`.
 */
async function executeRequest(
  ctx: Ctx,
  request: Request,
  params: GraphQLParams,
  type: (typeof JSON_TYPES)[number],
): Promise<Response> {
  const outcome = await run(ctx, request, params);
  const modern = type === GRAPHQL_JSON;
  const headers = buildHeaders(`${type}; charset=utf-8`, ctx.requestId);
  if (outcome instanceof CompressedResponse) return buildCompressedResponse(outcome, request, headers);
  return new Response(await serializeResult(outcome), {
    status: modern && !('data' in outcome) ? 400 : 200,
    headers,
  });
}

async function serializeResult(outcome: ExecutionResult): Promise<string | Buffer<ArrayBuffer>> {
  const { data, ...rest } = outcome as { data?: unknown };
  if (!(data instanceof RawJson)) return JSON.stringify(outcome);
  const otherMembers = stringifyMembers(rest);
  const pieces = ['{"data":', ...data.pieces, `${otherMembers && `,${otherMembers}`}}`];
  return (await encodeLongText(pieces)) ?? pieces.join('');
}

async function buildCompressedResponse(
  response: CompressedResponse,
  request: Request,
  headers: Record<string, string>,
): Promise<Response> {
  const vary = { vary: 'Accept-Encoding', ...headers };
  if (!acceptsCoding(request, 'gzip')) return new Response(await response.plain(), { headers: vary });
  return new Response(response.zipped, { headers: { ...vary, 'content-encoding': 'gzip' } });
}

async function streamEvents(
  runtime: Runtime,
  ctx: Ctx,
  c: Context,
  params: GraphQLParams,
): Promise<Response> {
  const request = c.req.raw;
  const execution = await run(ctx, request, params);
  const isCompressed = acceptsCoding(request, 'gzip');
  const headers = {
    ...buildHeaders('text/event-stream; charset=utf-8', ctx.requestId),
    vary: 'Accept-Encoding',
    ...(isCompressed && { 'content-encoding': 'gzip' }),
  };
  const respond = async (frames: string) =>
    new Response(isCompressed ? await promisify(gzip)(frames) : frames, { headers });
  if (execution instanceof CompressedResponse)
    return respond(`event: next\ndata: ${await execution.plain()}\n\n${COMPLETE_FRAME}`);
  const { live, ...outcome } = execution;
  if (!live) return respond(buildNextFrame(outcome) + COMPLETE_FRAME);
  const { outgoing: out } = c.env as { outgoing: ServerResponse };
  const credentials = pickCredentials(request.headers);
  const recognize = () => createRequestCtx(runtime, credentials, ctx.requestId);
  const sharing = buildCorsHeaders(runtime.config.corsOrigins, request.headers);
  const vary = [headers.vary, sharing.vary].filter(Boolean).join(', ');
  return openStream({ runtime, ctx, recognize, out, headers: { ...headers, ...sharing, vary } }, live);
}

/** Picks the headers that a stream needs to authenticate the caller again. */
function pickCredentials(headers: Headers): Headers {
  const names = ['authorization', 'cookie', 'host', 'origin', 'sec-fetch-site'];
  return new Headers(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)!]] : [])));
}

async function renderSchema(runtime: Runtime, ctx: Ctx, request: Request): Promise<Response> {
  if (!ctx.principal) throw errors.noCredential();
  const { text, etag } = await printSdl(runtime.getSchema(ctx.catalog.registry));
  const headers = {
    ...buildHeaders('text/plain; charset=utf-8', ctx.requestId),
    // Clients revalidate on each use and download the SDL only if it has changed.
    'cache-control': 'private, no-cache',
    vary: 'Accept-Encoding, Authorization, Cookie',
    // Weak, because it also identifies the compressed SDL.
    etag: `W/${etag}`,
  };
  return matchesEtag(request.headers.get('if-none-match'), etag)
    ? new Response(null, { status: 304, headers })
    : buildCompressedResponse(text, request, headers);
}

function buildErrorResponse(requestedHeaders: Headers, error: AppError, requestId: string): Response {
  const body = {
    errors: [{ message: error.message, extensions: buildExtensions(error, requestId) }],
  };
  const [type = PLAIN_JSON] = selectAcceptedTypes(requestedHeaders.get('accept'), JSON_TYPES);
  const headers = buildHeaders(`${type}; charset=utf-8`, requestId);
  if (error.status === 401) headers['www-authenticate'] = 'bearer';
  return new Response(JSON.stringify(body), { status: error.status, headers });
}

const buildHeaders = (type: string, requestId: string): Record<string, string> => ({
  'content-type': type,
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});
