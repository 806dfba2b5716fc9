import type { ProgramName } from '../../../src/engine/verb/agent.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { META } from '../protocol/revisions.ts';

/**
 * What the program calls itself: in each request of the modern revision and in `initialize` of older ones, else by the
 * header User-Agent; null where it does not say. Anybody can write anything there, so only letters, digits and a few
 * marks are kept. Pure.
 */
export function clientName(params: Record<string, unknown>, userAgent: string | null): ProgramName | null {
  const { _meta: meta, clientInfo } = params;
  const said = nameIn(isObject(meta) ? meta[META.clientInfo] : undefined) ?? nameIn(clientInfo);
  const text = plain(said ?? userAgent ?? '');
  return text === '' ? null : { text, isDeclared: said !== null };
}

/** A title is for people, a name for programs. */
function nameIn(info: unknown): string | null {
  if (!isObject(info)) return null;
  const given = [info.title, info.name].find((each) => typeof each === 'string' && plain(each) !== '');
  return (given as string | undefined) ?? null;
}

const plain = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N} ._/()+-]/gu, '')
    .trim()
    .slice(0, limits.agent.clientName);
