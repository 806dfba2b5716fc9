import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCsvCell } from '../../schema/email/contacts/csv-cell.ts';
import { type CsvLine, parseContactsCsv } from '../../schema/email/contacts/csv-rows.ts';
import { AppError } from '../../src/errors.ts';

async function* toPieces(bytes: Buffer, sizes: number[]): AsyncGenerator<Uint8Array> {
  let position = 0;
  for (const size of sizes) {
    if (position >= bytes.length) return;
    yield bytes.subarray(position, position + size);
    position += size;
  }
  if (position < bytes.length) yield bytes.subarray(position);
}

async function parseLines(csv: string | Buffer, sizes: number[] = []): Promise<CsvLine[]> {
  const lines: CsvLine[] = [];
  for await (const line of parseContactsCsv(toPieces(Buffer.from(csv as string), sizes))) lines.push(line);
  return lines;
}

const safeText = fc
  .string({ unit: fc.constantFrom(...'ab ,;"\n\r\'=+-@é日'.split('')), maxLength: 12 })
  .map((text) => text.trim());

describe('a CSV file of contacts', () => {
  it('is parsed identically, regardless of chunk boundaries', async () => {
    const row = fc.tuple(fc.nat(10_000), safeText, safeText);
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 80 }),
        async (rows, sizes) => {
          const csv = [
            'email,note,plan',
            ...rows.map(([i, a, b]) => [`p${i}@example.net`, a, b].map(toCsvCell).join(',')),
          ].join('\r\n');
          const lines = await parseLines(csv, sizes);
          const expectedContacts = rows.map(([i, note, plan]) => ({
            email: `p${i}@example.net`,
            properties: Object.fromEntries(Object.entries({ note, plan }).filter(([, text]) => text)),
          }));
          expect(
            lines.map((line) =>
              'contact' in line ? { email: line.contact.email, properties: line.contact.properties } : line,
            ),
          ).toEqual(expectedContacts);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is parsed or rejected in finite time for any input', async () => {
    const part = fc.constantFrom(
      'email',
      ',',
      '\n',
      '\r\n',
      '"',
      'a@example.net',
      ';',
      '\t',
      '\0',
      '\ufeff',
      "'",
      '=',
      ' ',
      'x',
    );
    const text = fc.array(part, { maxLength: 60 }).map((list) => Buffer.from(list.join('')));
    const bytes = fc.uint8Array({ maxLength: 200 }).map((list) => Buffer.from(list));
    const headed = fc.oneof(text, bytes).map((all) => Buffer.concat([Buffer.from('email,x\n'), all]));
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, bytes, headed), async (text) => {
        try {
          for (const line of await parseLines(text, [1, 2, 3, 5, 8, 13])) {
            expect(line.line).toBeGreaterThanOrEqual(0);
            if ('fault' in line) expect(line.fault.length).toBeGreaterThan(5);
            else expect(line.contact.email).toContain('@');
          }
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it('is rejected with the line number of a row that is too long or unterminated', async () => {
    const long = parseLines(
      `email,x\na@example.net,y\nb@example.net,${'x'.repeat(200_000)}\nc@example.net,y\n`,
    );
    await expect(long).rejects.toThrow(
      'The row at line 3 is larger than 65536 bytes. Check for an unclosed quotation mark before it.',
    );
    const endless = parseLines(`email,x\na@example.net,y\nb@example.net,"never${'\nends'.repeat(50_000)}`);
    await expect(endless).rejects.toThrow('The row at line 13107 is larger than 65536 bytes');
    const lines = await parseLines(`email,x\na@example.net,y\nb@example.net,"never${'\nends'.repeat(50)}`);
    expect(lines.map((line) => 'fault' in line)).toEqual([false, true]);
  });

  it.each([
    ['good', 'ann@example.net'],
    ['bad', 'x'],
  ])('yields to other requests if one chunk has many %s rows', async (_, row) => {
    let [turns, isReading] = [0, true];
    const take = () => {
      turns++;
      if (isReading) setImmediate(take);
    };
    setImmediate(take);
    await parseLines(`email\n${`${row}\n`.repeat(50_000)}`);
    isReading = false;
    expect(turns).toBeGreaterThan(50);
  });

  it('is no longer parsed once the reader closes', async () => {
    let hasEnded = false;
    async function* generateSource(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from('email\n');
        for (let i = 0; i < 1_000_000; i++) yield Buffer.from(`a${i}@example.net\n`.repeat(100));
      } finally {
        hasEnded = true;
      }
    }
    for await (const line of parseContactsCsv(generateSource())) {
      expect(line).toHaveProperty('contact');
      break;
    }
    expect(hasEnded).toBe(true);
  });

  it('rethrows errors from its source', async () => {
    async function* generateSource(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('email\na@example.net\n');
      throw new Error('the connection was cut');
    }
    await expect(async () => {
      for await (const _ of parseContactsCsv(generateSource()));
    }).rejects.toThrow('cut');
  });
});
