import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { META } from '../protocol/revisions.ts';

/**
 * What the program calls itself: in each request of the modern revision, else in the header User-Agent; null where it
 * does not say. Anybody can write anything there, so only letters, digits and a few marks are kept. Pure.
 */
export function clientName(meta: unknown, userAgent: string | null): string | null {
  const info = isObject(meta) ? meta[META.clientInfo] : undefined;
  const given = isObject(info) && typeof info.name === 'string' ? info.name : userAgent;
  return given?.replace(/[^\p{L}\p{N} ._/()+-]/gu, '').slice(0, limits.agent.clientName) || null;
}
