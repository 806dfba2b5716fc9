import type { ProgramName } from '../../../src/engine/verb/agent.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { META_KEYS } from '../protocol/revisions.ts';

/**
 * What the program calls itself: in each request of the modern revision and in `initialize` of older ones, else by the
 * header User-Agent; null where it does not say. Anybody can write anything there, so only letters, digits and a few
 * marks are kept. Pure.
 */
export function findClientName(
  params: Record<string, unknown>,
  userAgent: string | null,
): ProgramName | null {
  const { _meta: meta, clientInfo } = params;
  const said = findName(isObject(meta) ? meta[META_KEYS.clientInfo] : undefined) ?? findName(clientInfo);
  const text = sanitizeName(said ?? userAgent ?? '');
  return text === '' ? null : { text, isDeclared: said !== null };
}

/** A title is for people, a name for programs. */
function findName(info: unknown): string | null {
  if (!isObject(info)) return null;
  const given = [info.title, info.name].find((each) => typeof each === 'string' && sanitizeName(each) !== '');
  return (given as string | undefined) ?? null;
}

const sanitizeName = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N} ._/()+-]/gu, '')
    .trim()
    .slice(0, limits.agent.clientName);
