import { expect, it } from 'vitest';
import {
  formatRecipient,
  getRecipientLabel,
  isAddress,
  parseAddress,
  removeDuplicateRecipients,
  splitRecipients,
} from './recipient-text.ts';

it.each([
  ['ann@example.org', ['ann@example.org']],
  ['a@b.org, c@d.org; e@f.org', ['a@b.org', 'c@d.org', 'e@f.org']],
  ['"Lee, Ann" <ann@b.org>\r\nbob@b.org\n', ['"Lee, Ann" <ann@b.org>', 'bob@b.org']],
  [' , ;', []],
])('splits %j into %j', (text, expected) => {
  expect(splitRecipients(text)).toEqual(expected);
});

it('parses the address in angle brackets, or else the whole text', () => {
  expect(parseAddress('Ann <Ann@B.org>')).toBe('ann@b.org');
  expect(isAddress('Ann <ann@b.org>')).toBe(true);
});

it.each(['Ann Lee', 'ann', 'ann@', '@b.org', 'ann@localhost', 'ann@b.', 'ann@b..org', 'Ann <ann>'])(
  'rejects %j, which is not a complete address',
  (text) => expect(isAddress(text)).toBe(false),
);

it.each(['ann@b.org', 'ann+tag@mail.b.org', 'ann@bücher.example'])('accepts the address %j', (text) =>
  expect(isAddress(text)).toBe(true),
);

it('round-trips a recipient with a comma in the name', () => {
  const formatted = formatRecipient({ name: 'Lee, Ann', email: 'ann@b.org' });
  expect(splitRecipients(`${formatted}, bob@b.org`)).toEqual([formatted, 'bob@b.org']);
  expect(getRecipientLabel(formatted)).toBe('Lee, Ann');
  expect(formatRecipient({ name: '', email: 'ann@b.org' })).toBe('ann@b.org');
});

it('removes duplicate recipients', () => {
  expect(removeDuplicateRecipients(['a@b.org', 'Ann <A@b.org>', 'c@b.org'])).toEqual([
    'Ann <A@b.org>',
    'c@b.org',
  ]);
});
