import type { RouteConfig } from '@hono/zod-openapi';
import { z } from '@hono/zod-openapi';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { call } from '../../src/engine/operation/call.ts';
import type { Operations } from '../../src/engine/operation/operation.ts';
import type { PageText } from '../../src/engine/value/page-text.ts';
import type { RawJson } from '../../src/engine/value/raw-json.ts';

type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & PathParams<Rest>
  : unknown;

export interface EndpointRequest<Body, Query, Path extends string = string> {
  body: Body;
  query: Query;
  params: PathParams<Path>;
  /** Value of the Idempotency-Key header. Null if absent. */
  idempotencyKey: string | null;
  /** The raw request, for routes that stream a non-JSON body. */
  request: Request;
}

/** A route's OpenAPI description, request schemas and operation. The document also contains the request schemas. */
interface EndpointSpec<Body, Query, Path extends string> {
  /** Method and path, such as `GET /v1/emails/{emailId}`. */
  at: Path;
  operationId: string;
  summary: string;
  /** Describes the effect and edge cases. */
  description: string;
  /** A valid body, except for placeholders for the ids of other resources. */
  example?: unknown[] | object | string | ((region: string) => object);
  headers?: z.ZodObject;
  content?: { 'text/csv': { schema: z.ZodType } };
  responses: RouteConfig['responses'];
  body?: z.ZodType<Body>;
  /**
   * Set for a route with a body. A caller without access gets the operation's policy error instead of errors about the
   * body.
   */
  operation?: keyof Operations;
  /** Schema of the query, which is otherwise ignored. */
  query?: z.ZodObject & z.ZodType<Query>;
  /** @returns the JSON text of a 200 response, or a complete response */
  run(ctx: Ctx, request: EndpointRequest<Body, Query, Path>): Promise<string | Response>;
}

export interface Endpoint extends Omit<EndpointSpec<unknown, unknown, string>, 'at'> {
  tag: string;
  method: string;
  path: string;
  params: z.ZodObject;
}

/**
 * Creates a function that defines endpoints. It infers the types of `run` from the schemas, and erases them for the
 * list of endpoints.
 * @param pathParams schemas of the path parameters
 */
export const createEndpointFactory =
  (tag: string, pathParams: Record<string, z.ZodType> = {}) =>
  <Body, Query, const Path extends string>(spec: EndpointSpec<Body, Query, Path>): Endpoint => {
    const { at, ...parts } = spec as unknown as EndpointSpec<unknown, unknown, string>;
    const [method = '', path = ''] = at.split(' ');
    const named = Object.entries(pathParams).filter(([name]) => path.includes(`{${name}}`));
    return { ...parts, tag, method, path, params: z.object(Object.fromEntries(named)) };
  };

/** Returns the operation's JSON text unchanged. */
export const runTextOperation = async <Name extends TextOperation>(
  ctx: Ctx,
  operation: Name,
  args: Operations[Name]['args'],
): Promise<string> => ((await call(ctx, operation, args)) as RawJson | PageText).text;

type TextOperation = {
  [Name in keyof Operations]: Operations[Name]['value'] extends RawJson | PageText ? Name : never;
}[keyof Operations];
