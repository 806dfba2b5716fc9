import { foldText } from '../../../src/mail/search/fold.ts';
import type { SearchNode } from '../../../src/mail/search/tree.ts';
import { extractQueryWords, type QueryWord } from '../../../src/mail/search/words.ts';
import { attachmentKey, keysOfSize } from '../messages/index-keys.ts';

/** What the words and keys of a message must be like for it to match; null where they say nothing. */
export interface WordQuery {
  /** Text of a tsquery. */
  query: string | null;
  /** Whether all that have these words match. */
  isExact: boolean;
}

const NOTHING: WordQuery = { query: null, isExact: false };

const quoted = (word: string): string => `'${word}'`;
const term = ({ word, prefix }: QueryWord): string => `${quoted(word)}${prefix ? ':*' : ''}`;

/** All of these words; null for none. */
const allOf = (words: QueryWord[]): string | null =>
  words.length > 0 ? `(${words.map(term).join(' & ')})` : null;

/** Any of these keys of the index. */
export const anyKey = (keys: readonly string[]): string => `(${keys.map(quoted).join(' | ')})`;

/** What a node asks of the words of a message. Pure. */
export function wordQuery(node: SearchNode): WordQuery {
  switch (node.kind) {
    case 'words': {
      const query = allOf(extractQueryWords(node.text, node.field, node.prefix));
      return { query, isExact: query !== null };
    }
    case 'phrase':
      // Its words stand one after another in the text, those of an address too.
      return {
        query: allOf(extractQueryWords(foldText(node.text).replaceAll('@', ' '), node.field)),
        isExact: false,
      };
    case 'and':
      return joined(node.nodes.map(wordQuery).filter(says), node.nodes.length, ' & ');
    case 'or': {
      const parts = node.nodes.map(wordQuery);
      return parts.every(says) ? joined(parts, parts.length, ' | ') : NOTHING;
    }
    case 'not': {
      const { query, isExact } = wordQuery(node.node);
      return query !== null && isExact ? { query: `!${query}`, isExact } : NOTHING;
    }
    case 'attachment':
      return { query: anyKey([attachmentKey]), isExact: true };
    case 'size': {
      const { keys, isExact } = keysOfSize(node.side, node.bytes);
      return keys.length > 0 ? { query: anyKey(keys), isExact } : NOTHING;
    }
    default:
      return NOTHING;
  }
}

const says = (part: WordQuery): boolean => part.query !== null;

function joined(parts: WordQuery[], of: number, by: string): WordQuery {
  if (parts.length === 0) return NOTHING;
  const isExact = parts.length === of && parts.every((part) => part.isExact);
  return { query: `(${parts.map(({ query }) => query).join(by)})`, isExact };
}
