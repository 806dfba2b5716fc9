const TOKEN = /"(?:[^"\\]|\\.)*"|"|[[\]{},:]|[^\s[\]{},:"]+/gs;

/** A list or object that is open, and where in it the text has come to. */
interface NestingLevel {
  list: boolean;
  key: unknown;
  index: number;
}

/**
 * The first three arguments of a call of `object` of which only the beginning is there; fewer when they are not in it,
 * or when it is another service's. What is no JSON is for the parser to refuse.
 */
export function parseFirstArguments(head: string): unknown[] {
  const levels: NestingLevel[] = [];
  const found: unknown[] = [];
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
      else if (isService(levels) && value !== 'object') return [];
      else if (isArgument(levels)) found[level.index] = value;
      if (found.length === 3) return found;
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
  levels.length >= keys.length && keys.every((key, at) => levels[at]!.key === key);

const isService = (levels: NestingLevel[]): boolean =>
  levels.length === 2 && isAt(levels, 'params', 'service');

const isArgument = (levels: NestingLevel[]): boolean =>
  levels.length === 3 && levels[2]!.list && isAt(levels, 'params', 'args');
