import type { RouteConfig, z } from '@hono/zod-openapi';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { RawJson } from '../../src/engine/read/records.ts';
import { call } from '../../src/engine/verb/call.ts';

/** A request that has passed its schemas. */
export interface Asked<Body, Query> {
  body: Body;
  query: Query;
  params: Record<string, string>;
  /** As given; null when the header is absent. */
  idempotencyKey: string | null;
  /** For routes that read a body of another kind as it comes. */
  request: Request;
}

/** One route: what the OpenAPI document says of it, the schemas a request must pass, and the verb behind it. */
export interface Endpoint<Body = unknown, Query = unknown> {
  route: RouteConfig;
  /** null: a body is not read. */
  body: z.ZodType<Body> | null;
  /** null: the query is not looked at. */
  query: z.ZodType<Query> | null;
  /** @returns the JSON text of the answer, which is always a 200; or a response with headers or a body of its own */
  run(ctx: Ctx, asked: Asked<Body, Query>): Promise<string | Response>;
}

/** Lets `run` see the types of its schemas; the list of endpoints does not need them. */
export const endpoint = <Body, Query>(parts: Endpoint<Body, Query>): Endpoint => parts as unknown as Endpoint;

/** The JSON text that a verb answers with, as it is. */
export const verbText = async (ctx: Ctx, verb: string, args: Record<string, unknown>): Promise<string> =>
  (await call<RawJson>(ctx, verb, args)).text;
