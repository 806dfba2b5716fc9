import { isObject } from '../../../src/json.ts';
import {
  isLegacyRevision,
  LEGACY_REVISIONS,
  META_KEYS,
  MODERN_REVISION,
  type Revision,
} from './revisions.ts';
import { type RpcError, rpcErrors } from './rpc-error.ts';

/** How the client opened the conversation: with a revision in each request, or with `initialize`. */
export type Era = 'modern' | 'legacy';

export const REVISION_HEADER = 'mcp-protocol-version';

/** The era of a body. A modern header without the claim in the body is a modern client's mistake. Pure. */
export function detectEra(body: unknown, headers: Headers): Era {
  const messages = Array.isArray(body) ? body : [body];
  if (messages.some(claimsRevision)) return 'modern';
  if (messages.some(isInitialize)) return 'legacy';
  return headers.get(REVISION_HEADER) === MODERN_REVISION ? 'modern' : 'legacy';
}

function claimsRevision(message: unknown): boolean {
  const params = isObject(message) ? message.params : undefined;
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) && META_KEYS.revision in meta;
}

const isInitialize = (message: unknown): boolean => isObject(message) && message.method === 'initialize';

/** The revision a client speaks; one that does not say speaks our newest that `initialize` opens. Pure. */
export function getRevision(era: Era, headers: Headers): Revision {
  if (era === 'modern') return MODERN_REVISION;
  const revision = headers.get(REVISION_HEADER);
  return isLegacyRevision(revision) ? revision : LEGACY_REVISIONS[0];
}

/** Why a legacy body may not come under this revision header; `initialize` brings its own revision along. Pure. */
export function findLegacyHeaderError(body: unknown, headers: Headers): RpcError | null {
  const revision = headers.get(REVISION_HEADER);
  if (revision === null || isLegacyRevision(revision) || isInitialize(body)) return null;
  return rpcErrors.unsupportedRevision(revision);
}
