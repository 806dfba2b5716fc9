import type { Ctx } from '../engine/ctx/ctx.ts';
import type { Runtime } from '../engine/ctx/runtime.ts';
import { errors } from '../errors.ts';
import { authenticateCaller, createCallerCtx, isSameOrigin } from './http.ts';

/**
 * Creates the ctx for an API key, or for a session on one of Atrium's pages.
 * @throws ACCESS_ERROR for a session cookie sent from another site, UNAUTHENTICATED without a credential
 */
export async function createPageCtx(runtime: Runtime, { headers }: Request, requestId: string): Promise<Ctx> {
  if (!headers.get('authorization') && !isSameOrigin(runtime, headers))
    throw errors.notAllowed("Session cookies are only accepted from this server's own pages.");
  const caller = await authenticateCaller(runtime, headers, 'web');
  if (!caller) throw errors.noCredential();
  return createCallerCtx(runtime, caller, 'web', requestId, headers);
}
