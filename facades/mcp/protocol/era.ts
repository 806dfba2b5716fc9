import { isObject } from '../../../src/json.ts';
import { isLegacyRevision, LEGACY, META, MODERN, type Revision } from './revisions.ts';
import { type RpcError, rpcErrors } from './rpc-error.ts';

/** How the client opened the conversation: with a revision in each request, or with `initialize`. */
export type Era = 'modern' | 'legacy';

export const REVISION_HEADER = 'mcp-protocol-version';

/** The era of a body. A modern header without the claim in the body is a modern client's mistake. Pure. */
export function eraOf(body: unknown, headers: Headers): Era {
  const messages = Array.isArray(body) ? body : [body];
  if (messages.some(claimsRevision)) return 'modern';
  if (messages.some(opens)) return 'legacy';
  return headers.get(REVISION_HEADER) === MODERN ? 'modern' : 'legacy';
}

function claimsRevision(message: unknown): boolean {
  const params = isObject(message) ? message.params : undefined;
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) && META.revision in meta;
}

const opens = (message: unknown): boolean => isObject(message) && message.method === 'initialize';

/** The revision a client speaks; one that does not say speaks our newest that `initialize` opens. Pure. */
export function revisionOf(era: Era, headers: Headers): Revision {
  if (era === 'modern') return MODERN;
  const revision = headers.get(REVISION_HEADER);
  return isLegacyRevision(revision) ? revision : LEGACY[0];
}

/** Why a legacy body may not come under this revision header; `initialize` brings its own revision along. Pure. */
export function legacyHeaderMistake(body: unknown, headers: Headers): RpcError | null {
  const revision = headers.get(REVISION_HEADER);
  if (revision === null || isLegacyRevision(revision) || opens(body)) return null;
  return rpcErrors.unsupportedRevision(revision);
}
