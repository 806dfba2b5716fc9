import { expect, it } from 'vitest';
import { createSearchInput, reduceSearchInput } from './search-input.ts';

const closed = createSearchInput('from:an meeting');
const open = { ...closed, cursor: 7, isOpen: true, selected: 1 };

it.each([
  [
    'typing opens suggestions without a selection',
    closed,
    { kind: 'write', text: 'in', cursor: 2 },
    {
      text: 'in',
      cursor: 2,
      isOpen: true,
      selected: -1,
    },
  ],
  ['the cursor moves', closed, { kind: 'move-cursor', cursor: 3 }, { ...closed, cursor: 3 }],
  ['suggestions open', closed, { kind: 'open' }, { ...closed, isOpen: true }],
  ['suggestions close and keep the text', open, { kind: 'close' }, { ...open, isOpen: false }],
  ['a suggestion is selected', open, { kind: 'select', index: 0 }, { ...open, selected: 0 }],
  [
    'a suggestion replaces the term before the cursor',
    open,
    {
      kind: 'complete',
      from: 0,
      suggestion: 'from:ann@example.org ',
    },
    { text: 'from:ann@example.org meeting', cursor: 21, isOpen: true, selected: -1 },
  ],
  [
    'a suggestion replaces a closing quote',
    { ...open, text: 'label:"to" x', cursor: 9 },
    {
      kind: 'complete',
      from: 0,
      suggestion: 'label:"to do" ',
    },
    { text: 'label:"to do" x', cursor: 14, isOpen: true, selected: -1 },
  ],
  [
    'a search closes the suggestions',
    open,
    { kind: 'search', query: 'x' },
    {
      text: 'x',
      cursor: 7,
      isOpen: false,
      selected: -1,
    },
  ],
  [
    'another search of the list keeps the suggestions open',
    open,
    { kind: 'follow', query: '' },
    {
      ...open,
      text: '',
    },
  ],
] as const)('%s', (_, input, event, expected) => {
  expect(reduceSearchInput(input, event)).toEqual(expected);
});
