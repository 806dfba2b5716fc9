import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { AppError, errors } from '../../src/errors.ts';
import { callerOf, ctxOf, sameOrigin } from '../../src/http/http.ts';

/**
 * The ctx of who reads mail: a key, or the session of a page of ours.
 * @throws ACCESS_ERROR where another site would ride on a session, UNAUTHENTICATED without a credential
 */
export async function readerCtx(runtime: Runtime, { headers }: Request, requestId: string): Promise<Ctx> {
  if (!headers.get('authorization') && !sameOrigin(runtime, headers))
    throw errors.notAllowed("Session cookies are only accepted from this server's own pages.");
  const caller = await callerOf(runtime, headers, 'web');
  if (!caller) throw errors.noCredential();
  return ctxOf(runtime, caller, 'web', requestId, headers);
}

/** What may not be read is not there. */
export const absent =
  (label: string) =>
  (error: unknown): never => {
    throw error instanceof AppError && error.kind === 'ACCESS_ERROR' ? errors.notFound(label) : error;
  };

/** A number that stands in a path. @throws NOT_FOUND for what is none */
export function pathNumber(text: string | undefined, label: string): number {
  if (!text || !/^\d{1,15}$/.test(text)) throw errors.notFound(label);
  return Number(text);
}
