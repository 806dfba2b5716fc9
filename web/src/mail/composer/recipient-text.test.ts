import { expect, it } from 'vitest';
import {
  formatRecipient,
  getRecipientLabel,
  isAddress,
  parseAddress,
  splitRecipients,
} from './recipient-text.ts';

it.each([
  ['ann@example.org', ['ann@example.org']],
  ['a@b.org, c@d.org; e@f.org', ['a@b.org', 'c@d.org', 'e@f.org']],
  ['"Lee, Ann" <ann@b.org>\r\nbob@b.org\n', ['"Lee, Ann" <ann@b.org>', 'bob@b.org']],
  [' , ;', []],
])('%j is read as %j', (text, found) => {
  expect(splitRecipients(text)).toEqual(found);
});

it('an address is what stands in brackets, or all of it', () => {
  expect(parseAddress('Ann <Ann@B.org>')).toBe('ann@b.org');
  expect(isAddress('Ann <ann@b.org>')).toBe(true);
  expect(isAddress('Ann Lee')).toBe(false);
});

it('a person is written so that a list of people can be read again', () => {
  const written = formatRecipient({ name: 'Lee, Ann', email: 'ann@b.org' });
  expect(splitRecipients(`${written}, bob@b.org`)).toEqual([written, 'bob@b.org']);
  expect(getRecipientLabel(written)).toBe('Lee, Ann');
  expect(formatRecipient({ name: '', email: 'ann@b.org' })).toBe('ann@b.org');
});
