import { expect, it } from 'vitest';
import { findTypedTerm, formatPart, OPERATORS, parseParts, removePart } from './grammar.ts';

const getChips = (search: string) =>
  parseParts(search).map(({ chip }) => chip && `${chip.isNegated ? '-' : ''}${chip.operator}=${chip.value}`);

it('shows top-level operators as chips, in any letter case and with quotes', () => {
  expect(getChips('from:ann -To:"Bo Li" minutes older:2026/01/02 size:5M "a phrase"')).toEqual([
    'from=ann',
    '-to=Bo Li',
    null,
    'before=2026/01/02',
    'larger=5M',
    null,
  ]);
  expect(getChips('subject:“two words”')).toEqual(['subject=two words']);
  for (const operator of OPERATORS) expect(getChips(`${operator}:x`)).toEqual([`${operator}=x`]);
});

it('keeps operators as text if other terms affect their meaning', () => {
  expect(getChips('from:a OR from:b is:read')).toEqual([null, null, null, 'is=read']);
  expect(parseParts('(from:a is:read) {x from:"b)"} from:(c d)').map(({ text }) => text)).toEqual([
    '(from:a is:read)',
    '{x from:"b)"}',
    'from:(c d)',
  ]);
  expect(getChips('color:red http://x from: label:""')).toEqual([null, null, null, null]);
});

it('removes one part of a search, and keeps unbalanced brackets and quotes', () => {
  const parts = parseParts('from:ann  "the plan" is:unread');
  expect(removePart(parts, 0)).toBe('"the plan" is:unread');
  expect(removePart(parts, 2)).toBe('from:ann "the plan"');
  for (const odd of ['(', ')', '"', '-', 'from:"', '(a "b', '}{', ':', '-(x', 'a)b'])
    expect(
      parseParts(odd)
        .map(({ text }) => text)
        .join('')
        .replaceAll(' ', ''),
    ).toBe(odd.replaceAll(' ', ''));
});

it('round-trips formatted values', () => {
  expect(formatPart('from', 'ann@example.org')).toBe('from:ann@example.org');
  expect(formatPart('label', 'Old "big" things')).toBe('label:"Old big things"');
  for (const value of ['a b', '(x)', 'ann'])
    expect(parseParts(formatPart('label', value))).toMatchObject([{ chip: { operator: 'label', value } }]);
});

it('finds the operator or value that is being typed at the cursor', () => {
  expect(findTypedTerm('minutes fr', 10)).toEqual({ from: 8, isNegated: false, operator: null, text: 'fr' });
  expect(findTypedTerm('-from:an x', 8)).toEqual({ from: 0, isNegated: true, operator: 'from', text: 'an' });
  expect(findTypedTerm('label:"Old th', 13)).toEqual({
    from: 0,
    isNegated: false,
    operator: 'label',
    text: 'Old th',
  });
  expect(findTypedTerm('"said fr', 8)).toBeNull();
  expect(findTypedTerm('color:r', 7)).toBeNull();
  expect(findTypedTerm('ann ', 4)).toBeNull();
});
