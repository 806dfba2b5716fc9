import { isObject } from '../../../src/json.ts';
import {
  isLegacyRevision,
  LEGACY_REVISIONS,
  META_KEYS,
  MODERN_REVISION,
  type Revision,
} from './revisions.ts';
import { type RpcError, rpcErrors } from './rpc-error.ts';

/** How the client negotiates the revision: in each request, or with `initialize`. */
export type Era = 'modern' | 'legacy';

export const REVISION_HEADER = 'mcp-protocol-version';

/**
 * Returns the era of a body. A modern header without a revision in the body also means modern, so that validation
 * reports the mismatch.
 */
export function detectEra(body: unknown, headers: Headers): Era {
  const messages = Array.isArray(body) ? body : [body];
  if (messages.some(claimsRevision)) return 'modern';
  if (messages.some(isInitializeRequest)) return 'legacy';
  return headers.get(REVISION_HEADER) === MODERN_REVISION ? 'modern' : 'legacy';
}

function claimsRevision(message: unknown): boolean {
  const params = isObject(message) ? message.params : undefined;
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) && META_KEYS.revision in meta;
}

const isInitializeRequest = (message: unknown): boolean =>
  isObject(message) && message.method === 'initialize';

/** Returns the client's revision. Defaults to the newest one that supports `initialize`. */
export function getRevision(era: Era, headers: Headers): Revision {
  if (era === 'modern') return MODERN_REVISION;
  const revision = headers.get(REVISION_HEADER);
  return isLegacyRevision(revision) ? revision : LEGACY_REVISIONS[0];
}

/** Rejects a legacy body with an unsupported revision header. `initialize` carries its own revision. */
export function findLegacyHeaderError(body: unknown, headers: Headers): RpcError | null {
  const revision = headers.get(REVISION_HEADER);
  if (revision === null || isLegacyRevision(revision) || isInitializeRequest(body)) return null;
  return rpcErrors.unsupportedRevision(revision);
}
