import type { RouteConfig, z } from '@hono/zod-openapi';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { PageText } from '../../src/engine/value/page-text.ts';
import type { RawJson } from '../../src/engine/value/raw-json.ts';
import { call } from '../../src/engine/verb/call.ts';
import type { Verbs } from '../../src/engine/verb/verb.ts';

/** The parameters in a path such as `/v1/emails/{emailId}`. */
type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & PathParams<Rest>
  : unknown;

/** A validated request. */
export interface EndpointRequest<Body, Query, Path extends string = string> {
  body: Body;
  query: Query;
  params: PathParams<Path>;
  /** Value of the header; null if it is absent. */
  idempotencyKey: string | null;
  /** For routes that stream a body that is not JSON. */
  request: Request;
}

/** One route: its OpenAPI description, its request schemas, and the verb behind it. */
export interface Endpoint<Body = unknown, Query = unknown, Path extends string = string> {
  route: RouteConfig & { path: Path };
  /** null: no body is read. */
  body: z.ZodType<Body> | null;
  /** Behind a route with a body: who may not call it hears that, and not what is wrong with the body. */
  verb?: keyof Verbs;
  /** null: the query is ignored. */
  query: z.ZodType<Query> | null;
  /** @returns the JSON text of a 200, or a whole response */
  run(ctx: Ctx, asked: EndpointRequest<Body, Query, Path>): Promise<string | Response>;
}

/** Types `run` by its schemas; the list of endpoints does not need these types. */
export const defineEndpoint = <Body, Query, const Path extends string>(
  parts: Endpoint<Body, Query, Path>,
): Endpoint => parts as unknown as Endpoint;

/** The JSON text that a verb returns, unchanged. */
export const verbText = async <Name extends TextVerb>(
  ctx: Ctx,
  verb: Name,
  args: Verbs[Name]['args'],
): Promise<string> => ((await call(ctx, verb, args)) as RawJson | PageText).text;

/** Verbs whose value is JSON text. */
type TextVerb = {
  [Name in keyof Verbs]: Verbs[Name]['value'] extends RawJson | PageText ? Name : never;
}[keyof Verbs];
