interface SearchInput {
  text: string;
  cursor: number;
  isOpen: boolean;
  selected: number;
}

type SearchInputEvent =
  | { kind: 'write'; text: string; cursor: number }
  | { kind: 'move-cursor'; cursor: number }
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'select'; index: number }
  /** Replaces the typed term, which starts at `from`, with a suggestion. */
  | { kind: 'complete'; from: number; suggestion: string }
  | { kind: 'search'; query: string }
  | { kind: 'follow'; query: string };

export const createSearchInput = (text: string): SearchInput => ({
  text,
  cursor: 0,
  isOpen: false,
  selected: -1,
});

export function reduceSearchInput(input: SearchInput, event: SearchInputEvent): SearchInput {
  switch (event.kind) {
    case 'write':
      return { text: event.text, cursor: event.cursor, isOpen: true, selected: -1 };
    case 'move-cursor':
      return { ...input, cursor: event.cursor };
    case 'open':
      return { ...input, isOpen: true };
    case 'close':
      return { ...input, isOpen: false };
    case 'select':
      return { ...input, selected: event.index };
    case 'complete': {
      const before = input.text.slice(0, event.from) + event.suggestion;
      const rest = input.text.slice(input.cursor).replace(/^"?\s*/, '');
      return { text: before + rest, cursor: before.length, isOpen: true, selected: -1 };
    }
    case 'search':
      return { ...input, text: event.query, isOpen: false, selected: -1 };
    case 'follow':
      return { ...input, text: event.query };
  }
}
