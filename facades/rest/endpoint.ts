import type { RouteConfig, z } from '@hono/zod-openapi';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { RawJson } from '../../src/engine/read/records.ts';
import { call } from '../../src/engine/verb/call.ts';

/** A validated request. */
export interface Asked<Body, Query> {
  body: Body;
  query: Query;
  params: Record<string, string>;
  /** Value of the header; null if it is absent. */
  idempotencyKey: string | null;
  /** For routes that stream a body that is not JSON. */
  request: Request;
}

/** One route: its OpenAPI description, its request schemas, and the verb behind it. */
export interface Endpoint<Body = unknown, Query = unknown> {
  route: RouteConfig;
  /** null: no body is read. */
  body: z.ZodType<Body> | null;
  /** null: the query is ignored. */
  query: z.ZodType<Query> | null;
  /** @returns the JSON text of a 200, or a whole response */
  run(ctx: Ctx, asked: Asked<Body, Query>): Promise<string | Response>;
}

/** Types `run` by its schemas; the list of endpoints does not need these types. */
export const endpoint = <Body, Query>(parts: Endpoint<Body, Query>): Endpoint => parts as unknown as Endpoint;

/** The JSON text that a verb returns, unchanged. */
export const verbText = async (ctx: Ctx, verb: string, args: Record<string, unknown>): Promise<string> =>
  (await call<RawJson>(ctx, verb, args)).text;
