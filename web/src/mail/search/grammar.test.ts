import { expect, it } from 'vitest';
import { OPERATORS, partsOf, typedAt, withoutPart, writtenPart } from './grammar.ts';

const chips = (search: string) =>
  partsOf(search).map(({ chip }) => chip && `${chip.isNegated ? '-' : ''}${chip.operator}=${chip.value}`);

it('operators that stand for themselves are chips, whatever their letters and quotes', () => {
  expect(chips('from:ann -To:"Bo Li" minutes older:2026/01/02 size:5M "a phrase"')).toEqual([
    'from=ann',
    '-to=Bo Li',
    null,
    'before=2026/01/02',
    'larger=5M',
    null,
  ]);
  expect(chips('subject:“two words”')).toEqual(['subject=two words']);
  for (const operator of OPERATORS) expect(chips(`${operator}:x`)).toEqual([`${operator}=x`]);
});

it('what has its meaning from what is around it stays text', () => {
  expect(chips('from:a OR from:b is:read')).toEqual([null, null, null, 'is=read']);
  expect(partsOf('(from:a is:read) {x from:"b)"} from:(c d)').map(({ text }) => text)).toEqual([
    '(from:a is:read)',
    '{x from:"b)"}',
    'from:(c d)',
  ]);
  expect(chips('color:red http://x from: label:""')).toEqual([null, null, null, null]);
});

it('a search without one of its parts is the rest, and what is not balanced ends nothing', () => {
  const parts = partsOf('from:ann  "the plan" is:unread');
  expect(withoutPart(parts, 0)).toBe('"the plan" is:unread');
  expect(withoutPart(parts, 2)).toBe('from:ann "the plan"');
  for (const odd of ['(', ')', '"', '-', 'from:"', '(a "b', '}{', ':', '-(x', 'a)b'])
    expect(
      partsOf(odd)
        .map(({ text }) => text)
        .join('')
        .replaceAll(' ', ''),
    ).toBe(odd.replaceAll(' ', ''));
});

it('values are written so that they are read as they are meant', () => {
  expect(writtenPart('from', 'ann@example.org')).toBe('from:ann@example.org');
  expect(writtenPart('label', 'Old "big" things')).toBe('label:"Old big things"');
  for (const value of ['a b', '(x)', 'ann'])
    expect(partsOf(writtenPart('label', value))).toMatchObject([{ chip: { operator: 'label', value } }]);
});

it('what is typed before the cursor is an operator that begins, or a value', () => {
  expect(typedAt('minutes fr', 10)).toEqual({ from: 8, isNegated: false, operator: null, text: 'fr' });
  expect(typedAt('-from:an x', 8)).toEqual({ from: 0, isNegated: true, operator: 'from', text: 'an' });
  expect(typedAt('label:"Old th', 13)).toEqual({
    from: 0,
    isNegated: false,
    operator: 'label',
    text: 'Old th',
  });
  expect(typedAt('"said fr', 8)).toBeNull();
  expect(typedAt('color:r', 7)).toBeNull();
  expect(typedAt('ann ', 4)).toBeNull();
});
