import { Hono } from 'hono';
import { callMethod } from '../../src/engine/call.ts';
import type { Caller } from '../../src/engine/identity.ts';
import { RawJson } from '../../src/engine/records.ts';
import type { Runtime } from '../../src/engine/runtime.ts';
import { errors } from '../../src/errors.ts';
import { answerable, callerOfBearer, ctxOf, readBody, requestIdOf, slugOfHost } from '../../src/http.ts';
import { limits } from '../../src/limits.ts';
import { HEADERS, refusal, unknownDatabase, wrongAddress, wrongType } from './refusals.ts';

/** `POST /json/2/<model>/<method>`: named arguments in, the method's raw return value out. */
export function json2Door(runtime: Runtime): Hono {
  const app = new Hono();
  app.post('/json/2/:model/:method', async (c) => {
    const requestId = requestIdOf(c.req.raw.headers);
    try {
      const text = await answer(runtime, c.req.raw, c.req.param('model'), c.req.param('method'), requestId);
      return new Response(text, { headers: { ...HEADERS, 'x-request-id': requestId } });
    } catch (error) {
      return refusal(answerable(runtime, error, requestId), requestId);
    }
  });
  app.all('/json/2', (c) => refusal(wrongAddress(), requestIdOf(c.req.raw.headers)));
  app.all('/json/2/*', (c) => refusal(wrongAddress(), requestIdOf(c.req.raw.headers)));
  return app;
}

/** The order of the checks is the one clients know: database, content type, key, body, then the call's own. */
async function answer(
  runtime: Runtime,
  request: Request,
  model: string,
  method: string,
  requestId: string,
): Promise<string> {
  const { headers } = request;
  const database = headers.get('x-odoo-database');
  if (database) await checkDatabase(runtime, database, headers);
  checkType(headers);
  const caller = await callerOfBearer(runtime, headers);
  if (database && !isOf(caller, database)) throw errors.invalidKey();
  const body = await readBody(request, limits.json2Body);
  const result = await callMethod(
    ctxOf(runtime, caller, 'json', requestId),
    model,
    method,
    namedArguments(body),
  );
  return result instanceof RawJson ? result.text : JSON.stringify(result ?? null);
}

/** A database is a workspace by its slug; on a workspace's own address there is no other. */
async function checkDatabase(runtime: Runtime, database: string, headers: Headers): Promise<void> {
  const here = slugOfHost(runtime, headers.get('host'));
  const elsewhere = here !== null && here !== database;
  if (elsewhere || !(await runtime.identity.workspace(database))) throw unknownDatabase();
}

const isOf = (caller: Caller, database: string): boolean => caller.workspace.slug === database;

/** Without a body the type does not matter. */
function checkType(headers: Headers): void {
  const isEmpty = !headers.has('transfer-encoding') && Number(headers.get('content-length') ?? 0) === 0;
  if (!isEmpty && !/^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')) throw wrongType();
}

/** A body that is JSON but no object counts as no arguments. */
function namedArguments(body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw errors.badRequest(`could not parse the body as json: ${(error as Error).message}`);
  }
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
