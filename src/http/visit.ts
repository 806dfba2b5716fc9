import type { Context } from 'hono';
import type { Ctx } from '../engine/ctx/ctx.ts';
import type { Caller, Runtime } from '../engine/ctx/runtime.ts';
import { AppError, type ErrorKind, errors } from '../errors.ts';
import { authenticateCaller, createCallerCtx, isSameOrigin, respondOrReject } from './http.ts';

export interface Visit {
  runtime: Runtime;
  request: Request;
  requestId: string;
  /** Parameters in the path of the route. */
  params: Record<string, string | undefined>;
}

export type VisitHandler = (visit: Visit) => Response | Promise<Response>;

/** Adapts handlers to Hono. `reject` builds the response to an error. */
export const createVisitAdapter =
  (runtime: Runtime, reject: (error: AppError, headers: Headers, requestId: string) => Response) =>
  (handle: VisitHandler) =>
  ({ req }: Context): Promise<Response> =>
    respondOrReject(
      runtime,
      req.raw.headers,
      (error, requestId) => reject(error, req.raw.headers, requestId),
      (requestId) => handle({ runtime, request: req.raw, requestId, params: req.param() }),
    );

export const createVisitCtx = ({ runtime, request, requestId }: Visit, caller: Caller): Ctx =>
  createCallerCtx(runtime, caller, 'web', requestId, request.headers);

/**
 * Creates the ctx for an API key, or for a session on one of Atrium's pages.
 * @throws ACCESS_ERROR for a session cookie sent from another site, UNAUTHENTICATED without a credential
 */
export async function createPageCtx(visit: Visit): Promise<Ctx> {
  const { runtime, request } = visit;
  if (!request.headers.get('authorization') && !isSameOrigin(runtime, request.headers))
    throw errors.notAllowed("Session cookies are only accepted from this server's own pages.");
  return createVisitorCtx(visit);
}

/** Creates the ctx for an API key or a session. @throws UNAUTHENTICATED without a credential */
export async function createVisitorCtx(visit: Visit): Promise<Ctx> {
  const caller = await authenticateCaller(visit.runtime, visit.request.headers, 'web');
  if (!caller) throw errors.noCredential();
  return createVisitCtx(visit, caller);
}

/** Converts an access error to a not-found error, which does not reveal whether the record exists. */
export const throwNotFound =
  (label: string, kind: ErrorKind = 'ACCESS_ERROR') =>
  (error: unknown): never => {
    throw error instanceof AppError && error.kind === kind ? errors.notFound(label) : error;
  };
