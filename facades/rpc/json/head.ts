const TOKEN = /"(?:[^"\\]|\\.)*"|"|[[\]{},:]|[^\s[\]{},:"]+/gs;

interface NestingLevel {
  list: boolean;
  key: unknown;
  index: number;
}

/**
 * Parses the first three arguments of a partially received call to the `object` service. Empty if they are incomplete
 * or the call is to another service. The parser reports invalid JSON.
 */
export function parseFirstArguments(head: string): unknown[] {
  const levels: NestingLevel[] = [];
  const firstArguments: unknown[] = [];
  for (const [token] of head.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') levels.push({ list: token === '[', key: undefined, index: 0 });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === '"' || !level) return [];
    else if (token === ',') {
      level.key = undefined;
      level.index++;
    } else if (token !== ':') {
      const value = parseScalar(token);
      if (value === undefined) return [];
      if (!level.list && level.key === undefined) level.key = value;
      else if (isAtService(levels) && value !== 'object') return [];
      else if (isAtArgument(levels)) firstArguments[level.index] = value;
      if (firstArguments.length === 3) return firstArguments;
    }
  }
  return [];
}

function parseScalar(token: string): unknown {
  try {
    return JSON.parse(token);
  } catch {
    return undefined;
  }
}

const isAt = (levels: NestingLevel[], ...keys: string[]): boolean =>
  levels.length >= keys.length && keys.every((key, index) => levels[index]!.key === key);

const isAtService = (levels: NestingLevel[]): boolean =>
  levels.length === 2 && isAt(levels, 'params', 'service');

const isAtArgument = (levels: NestingLevel[]): boolean =>
  levels.length === 3 && levels[2]!.list && isAt(levels, 'params', 'args');
