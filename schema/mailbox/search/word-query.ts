import { foldText } from '../../../src/message/search/fold.ts';
import type { SearchNode } from '../../../src/message/search/tree.ts';
import { extractQueryWords, type QueryWord } from '../../../src/message/search/words.ts';
import { ATTACHMENT_KEY, buildSizeKeys } from '../messages/index-keys.ts';

/** Index terms and keys that a matching message must have. `query` is null if there aren't any. */
interface WordQuery {
  /** Index terms in tsquery syntax. */
  query: string | null;
  /** True if every message with the terms matches. */
  isExact: boolean;
}

const NO_QUERY: WordQuery = { query: null, isExact: false };

const quoteWord = (word: string): string => `'${word}'`;
const toTerm = ({ word, prefix }: QueryWord): string => `${quoteWord(word)}${prefix ? ':*' : ''}`;

const joinWithAnd = (words: QueryWord[]): string | null =>
  words.length > 0 ? `(${words.map(toTerm).join(' & ')})` : null;

export const buildAnyKeyQuery = (keys: readonly string[]): string => `(${keys.map(quoteWord).join(' | ')})`;

export function buildWordQuery(node: SearchNode): WordQuery {
  switch (node.kind) {
    case 'words': {
      const query = joinWithAnd(extractQueryWords(node.text, node.field, node.prefix));
      return { query, isExact: query !== null };
    }
    case 'phrase':
      // The query matches the words in any order, so it is not exact.
      return {
        query: joinWithAnd(extractQueryWords(foldText(node.text).replaceAll('@', ' '), node.field)),
        isExact: false,
      };
    case 'and':
      return joinQueries(node.nodes.map(buildWordQuery).filter(hasQuery), node.nodes.length, ' & ');
    case 'or': {
      const parts = node.nodes.map(buildWordQuery);
      return parts.every(hasQuery) ? joinQueries(parts, parts.length, ' | ') : NO_QUERY;
    }
    case 'not': {
      const { query, isExact } = buildWordQuery(node.node);
      return query !== null && isExact ? { query: `!${query}`, isExact } : NO_QUERY;
    }
    case 'attachment':
      return { query: buildAnyKeyQuery([ATTACHMENT_KEY]), isExact: true };
    case 'size': {
      const { keys, isExact } = buildSizeKeys(node.side, node.bytes);
      return keys.length > 0 ? { query: buildAnyKeyQuery(keys), isExact } : NO_QUERY;
    }
    default:
      return NO_QUERY;
  }
}

const hasQuery = (part: WordQuery): boolean => part.query !== null;

function joinQueries(parts: WordQuery[], total: number, operator: string): WordQuery {
  if (parts.length === 0) return NO_QUERY;
  const isExact = parts.length === total && parts.every((part) => part.isExact);
  return { query: `(${parts.map(({ query }) => query).join(operator)})`, isExact };
}
