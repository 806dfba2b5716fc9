import type { ProgramName } from '../../../src/engine/operation/agent.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { META_KEYS } from '../protocol/revisions.ts';

/**
 * Returns the client's name. Clients of the modern revision send the name in each request, and older clients in
 * `initialize`. Otherwise, uses the User-Agent header. Null if the client sends none. The name is untrusted, so only
 * letters, digits and some punctuation are kept.
 */
export function findClientName(
  params: Record<string, unknown>,
  userAgent: string | null,
): ProgramName | null {
  const { _meta: meta, clientInfo } = params;
  const declaredName =
    findName(isObject(meta) ? meta[META_KEYS.clientInfo] : undefined) ?? findName(clientInfo);
  const text = sanitizeName(declaredName ?? userAgent ?? '');
  return text === '' ? null : { text, isDeclared: declaredName !== null };
}

/** Prefers the title to the name, because the title is meant for people. */
function findName(info: unknown): string | null {
  if (!isObject(info)) return null;
  const reportedName = [info.title, info.name].find(
    (item) => typeof item === 'string' && sanitizeName(item) !== '',
  );
  return (reportedName as string | undefined) ?? null;
}

const sanitizeName = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N} ._/()+-]/gu, '')
    .trim()
    .slice(0, limits.agent.clientName);
