import { expect, it } from 'vitest';
import { toCsvLines } from './csv-lines.ts';

it('formats values as CSV without formulas', () => {
  expect(
    toCsvLines([
      ['Name', 'Amount'],
      ['=HYPERLINK("x")', -12.5],
      ['Ann, Lee', true],
      [null, { a: 1 }],
    ]),
  ).toBe('Name,Amount\r\n"\'=HYPERLINK(""x"")",-12.5\r\n"Ann, Lee",true\r\n,"{""a"":1}"\r\n');
});
