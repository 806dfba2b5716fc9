import { expect, test } from 'vitest';
import { getAddressDomain, parseAddress, toAsciiDomain } from '../../src/message/address.ts';

const accepted: [text: string, address: string, name?: string][] = [
  ['a@example.com', 'a@example.com'],
  ['  a@example.com ', 'a@example.com'],
  ['<a@example.com>', 'a@example.com'],
  ['Ann <a@example.com>', 'a@example.com', 'Ann'],
  ['Ann   Lee<a@example.com>', 'a@example.com', 'Ann Lee'],
  ['"Lee, Ann" <a@example.com>', 'a@example.com', 'Lee, Ann'],
  ['"a \\"b\\" \\\\ c" <a@example.com>', 'a@example.com', 'a "b" \\ c'],
  ['"x@y.example" <a@example.com>', 'a@example.com', 'x@y.example'],
  ['"" <a@example.com>', 'a@example.com'],
  ['Acme, Inc. <a@example.com>', 'a@example.com', 'Acme, Inc.'],
  ["O'Neil (Sales) <a@example.com>", 'a@example.com', "O'Neil (Sales)"],
  ['Jörg Ünal <j@example.com>', 'j@example.com', 'Jörg Ünal'],
  ['株式会社 <k@example.co.jp>', 'k@example.co.jp', '株式会社'],
  ['First.Last+tag@Sub.EXAMPLE.com', 'First.Last+tag@sub.example.com'],
  ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
  ['a@exämple.de', 'a@xn--exmple-cua.de'],
  ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
  ['a@main.localhost', 'a@main.localhost'],
  [`${'l'.repeat(64)}@example.com`, `${'l'.repeat(64)}@example.com`],
];

test.each(accepted)('parses %j', (text, address, name) => {
  expect(parseAddress(text)).toEqual(name === undefined ? { address } : { name, address });
});

const invalidAddresses: [text: string, why: string][] = [
  ['', 'empty'],
  ['Ann', 'no address'],
  ['@example.com', 'no local part'],
  ['a@', 'no domain'],
  ['a@localhost', 'one label'],
  ['a@-x.com', 'leading hyphen'],
  ['a@x-.com', 'trailing hyphen'],
  ['a@x..com', 'empty label'],
  ['a@x.com.', 'trailing dot'],
  ['a@x_y.com', 'underscore'],
  [`a@${'x'.repeat(64)}.com`, 'label over 63'],
  [`a@${'x.'.repeat(130)}com`, 'domain over 253'],
  ['a@192.168.0.1', 'address without brackets'],
  ['a@[192.168.0.1]', 'address literal'],
  ['a@１９２.１６８.０.１', 'address in full-width digits'],
  [`${'l'.repeat(65)}@example.com`, 'local part over 64'],
  [`${'l'.repeat(64)}@${'x'.repeat(63)}.${'y'.repeat(63)}.${'z'.repeat(63)}.com`, 'address over 254'],
  ['.a@example.com', 'leading dot'],
  ['a.@example.com', 'trailing dot in local part'],
  ['a..b@example.com', 'double dot'],
  ['a b@example.com', 'space'],
  ['"a b"@example.com', 'quoted local part'],
  ['ü@example.com', 'local part not 7-bit'],
  ['a@b@example.com', 'two at signs'],
  ['a@example.com, b@example.com', 'a list'],
  ['a@example.com;b@example.com', 'a list with semicolon'],
  ['a@example.com, Bob <b@example.com>', 'a list ending in a name'],
  ['Ann <a@example.com>, Bob <b@example.com>', 'a list of names'],
  ['Ann <a@example.com> b@evil.example', 'text after the bracket'],
  ['Ann <a@example.com', 'bracket left open'],
  ['Ann a@example.com>', 'bracket never opened'],
  ['<<a@example.com>>', 'double brackets'],
  ['x@y.example <a@example.com>', 'an address as unquoted name'],
  ['"Ann <a@example.com>', 'quote left open'],
  ['"Ann" Lee" <a@example.com>', 'quote inside'],
  ['team: a@example.com;', 'a group'],
  ['a@example.com (Ann)', 'a comment'],
  ['Ann\r\nBcc: x@evil.example <a@example.com>', 'CRLF in the name'],
  ['Ann\n<a@example.com>', 'LF'],
  ['Ann\r<a@example.com>', 'CR'],
  ['a@example.com\0', 'NUL'],
  ['A\u0085nn <a@example.com>', 'C1 control'],
  ['A\u2028nn <a@example.com>', 'line separator'],
  ['A\u202ennA <a@example.com>', 'bidi override'],
  [`${'n'.repeat(256)} <a@example.com>`, 'name over 255'],
];

test.each(invalidAddresses.map(([text, name]) => ({ text, name })))('rejects $name', ({ text }) => {
  expect(parseAddress(text)).toBeNull();
});

test('returns the part after the last @ as the lowercase domain', () => {
  expect([getAddressDomain('a@B.Example'), getAddressDomain('nobody'), toAsciiDomain('EXÄMPLE.de')]).toEqual([
    'b.example',
    '',
    'xn--exmple-cua.de',
  ]);
});
