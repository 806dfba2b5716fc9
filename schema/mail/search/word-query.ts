import { foldText } from '../../../src/mail/search/fold.ts';
import type { SearchNode } from '../../../src/mail/search/tree.ts';
import { extractQueryWords, type QueryWord } from '../../../src/mail/search/words.ts';
import { ATTACHMENT_KEY, buildSizeKeys } from '../messages/index-keys.ts';

/** What the words and keys of a message must be like for it to match; null where they say nothing. */
export interface WordQuery {
  /** Text of a tsquery. */
  query: string | null;
  /** Whether all that have these words match. */
  isExact: boolean;
}

const NO_QUERY: WordQuery = { query: null, isExact: false };

const quote = (word: string): string => `'${word}'`;
const toTerm = ({ word, prefix }: QueryWord): string => `${quote(word)}${prefix ? ':*' : ''}`;

/** All of these words; null for none. */
const joinAll = (words: QueryWord[]): string | null =>
  words.length > 0 ? `(${words.map(toTerm).join(' & ')})` : null;

/** Any of these keys of the index. */
export const buildAnyKeyQuery = (keys: readonly string[]): string => `(${keys.map(quote).join(' | ')})`;

/** What a node asks of the words of a message. Pure. */
export function buildWordQuery(node: SearchNode): WordQuery {
  switch (node.kind) {
    case 'words': {
      const query = joinAll(extractQueryWords(node.text, node.field, node.prefix));
      return { query, isExact: query !== null };
    }
    case 'phrase':
      // Its words stand one after another in the text, those of an address too.
      return {
        query: joinAll(extractQueryWords(foldText(node.text).replaceAll('@', ' '), node.field)),
        isExact: false,
      };
    case 'and':
      return joinParts(node.nodes.map(buildWordQuery).filter(hasQuery), node.nodes.length, ' & ');
    case 'or': {
      const parts = node.nodes.map(buildWordQuery);
      return parts.every(hasQuery) ? joinParts(parts, parts.length, ' | ') : NO_QUERY;
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

function joinParts(parts: WordQuery[], of: number, by: string): WordQuery {
  if (parts.length === 0) return NO_QUERY;
  const isExact = parts.length === of && parts.every((part) => part.isExact);
  return { query: `(${parts.map(({ query }) => query).join(by)})`, isExact };
}
