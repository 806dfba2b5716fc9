import { Hono } from 'hono';
import { execute, parse, validate } from 'graphql';
import type { Runtime } from '../../src/engine/runtime.ts';
import { callerOf, ctxOf, requestIdOf, readBody } from '../../src/http.ts';

export function graphqlDoor(runtime: Runtime): Hono {
  const app = new Hono();
  const docs = new Map<string, any>();
  app.all('/graphql', async (c) => {
    const requestId = requestIdOf(c.req.raw.headers);
    const caller = await callerOf(runtime, c.req.raw.headers);
    const ctx = ctxOf(runtime, caller!, 'graphql', requestId);
    const params = JSON.parse((await readBody(c.req.raw, 4e6)).toString());
    let document = docs.get(params.query);
    if (!document) { document = parse(params.query); validate(runtime.schema, document); docs.set(params.query, document); }
    const result = await execute({ schema: runtime.schema, document, contextValue: ctx, variableValues: params.variables });
    return new Response(JSON.stringify(result), { headers: { 'content-type': 'application/json; charset=utf-8' } });
  });
  return app;
}
