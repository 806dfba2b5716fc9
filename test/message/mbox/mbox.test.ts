import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseFromLine } from '../../../src/message/mbox/from-line.ts';
import { type MboxItem, readMbox } from '../../../src/message/mbox/read-mbox.ts';
import { type MboxEntry, writeMbox } from '../../../src/message/mbox/write-mbox.ts';
import { findPython } from '../../clients/python.ts';
import { getCpuTime } from '../../harness/cpu.ts';

const date = new Date('2026-11-02T03:04:05.678Z');

async function* toChunks(bytes: Buffer, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function* toEntries(raws: Buffer[], size?: number): AsyncGenerator<MboxEntry> {
  for (const raw of raws) yield { sender: 'ann@example.com', date, raw: toChunks(raw, size) };
}

async function buildMbox(raws: Buffer[], size?: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of writeMbox(toEntries(raws, size))) parts.push(part);
  return Buffer.concat(parts);
}

async function parseMbox(file: Buffer | string, size?: number, limit = 1e9): Promise<MboxItem[]> {
  const items: MboxItem[] = [];
  for await (const item of readMbox(toChunks(Buffer.from(file), size), { limit })) items.push(item);
  return items;
}

const toTexts = (items: MboxItem[]) =>
  items.map((item) => (item.kind === 'message' ? item.raw.toString('latin1') : `${item.size} bytes`));

/** Converts line endings to LF and ensures a final one. */
const normalizeRaw = (raw: Buffer): string => {
  const text = raw.toString('latin1').replaceAll('\r\n', '\n');
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
};

test('writes mboxrd: LF line endings, quoted From lines and an empty line after each message', async () => {
  const file = await buildMbox([
    Buffer.from('Subject: a\r\n\r\nFrom here\r\n>From there\r\n >From\r\nFrom\r\n>>From x'),
    Buffer.from('b\n'),
  ]);
  expect(file.toString()).toBe(
    'From ann@example.com Mon Nov  2 03:04:05 2026\n' +
      'Subject: a\n\n>From here\n>>From there\n >From\nFrom\n>>>From x\n\n' +
      'From ann@example.com Mon Nov  2 03:04:05 2026\nb\n\n',
  );
});

test.each([
  [null, 'MAILER-DAEMON'],
  ['', 'MAILER-DAEMON'],
  ['a b\n@x', 'ab@x'],
  ['<ann@x>', 'ann@x'],
])('writes the sender %j as %s', async (sender, word) => {
  const parts: Uint8Array[] = [];
  const entry = { sender, date, raw: toChunks(Buffer.from('x')) };
  for await (const part of writeMbox(
    (async function* () {
      yield entry;
    })(),
  ))
    parts.push(part);
  expect(Buffer.concat(parts).toString()).toBe(`From ${word} Mon Nov  2 03:04:05 2026\nx\n\n`);
});

const line = fc.oneof(
  fc.constantFrom(
    'From ',
    'From',
    'Fro',
    '>From ',
    '>>>From x',
    '>',
    '>>',
    'x',
    '',
    '\r',
    'From a@x Mon Nov  2 03:04:05 2026',
    'Content-Length: 3',
    '\u00ff',
  ),
  fc.string({ maxLength: 12 }),
);
const rawMessage = fc
  .tuple(fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 12 }), line)
  .map(([lines, last]) => Buffer.from(lines.flat().join('') + last, 'latin1'));
const chunkSize = fc.constantFrom(1, 2, 3, 5, 7, 64, 65_536);

describe('mbox round trip', () => {
  test('preserves random messages, for any chunk size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rawMessage, { maxLength: 5 }),
        chunkSize,
        chunkSize,
        async (raws, into, from) => {
          const items = await parseMbox(await buildMbox(raws, into), from);
          expect(toTexts(items)).toEqual(raws.map(normalizeRaw));
          for (const item of items)
            expect([item.sender, item.date?.toISOString()]).toEqual([
              'ann@example.com',
              '2026-11-02T03:04:05.000Z',
            ]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('preserves the CRLF line endings of a file', async () => {
    const file = (await buildMbox([Buffer.from('a\n\n>From b\n'), Buffer.from('c\n\n\n')]))
      .toString()
      .replaceAll('\n', '\r\n');
    for (const size of [1, 2, 3, 1_000])
      expect(toTexts(await parseMbox(file, size))).toEqual(['a\r\n\r\n>From b\r\n', 'c\r\n\r\n\r\n']);
  });

  test('reads random bytes identically for any chunk size, and returns no more bytes than it read', async () => {
    const bytes = fc.array(fc.oneof(rawMessage, fc.uint8Array({ maxLength: 20 })), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(bytes, chunkSize, async (parts, size) => {
        const file = Buffer.concat(parts);
        const items = await parseMbox(file, size);
        expect(items).toEqual(await parseMbox(file));
        const totalSize = items.reduce((sum, item) => sum + item.size, 0);
        expect(totalSize).toBeLessThanOrEqual(file.length);
      }),
      { numRuns: 2_000 },
    );
  });
});

const FROM = 'From a@x Mon Nov  2 03:04:05 2026\n';

test.each([
  ['no content', '', []],
  ['only empty lines', '\n\n', []],
  ['one message', `${FROM}a\n\n`, ['a\n']],
  ['no empty line at the end', `${FROM}a\n`, ['a\n']],
  ['no newline at the end', `${FROM}a`, ['a']],
  ['no empty line between two messages', `${FROM}a\n${FROM}b\n`, ['a\n', 'b\n']],
  ['two empty lines between messages', `${FROM}a\n\n\n${FROM}b`, ['a\n\n', 'b']],
  ['an empty message', `${FROM}\n${FROM}b`, ['', 'b']],
  ['a message without a separator', 'Subject: a\n\nb\n', ['Subject: a\n\nb\n']],
  ['a byte order mark', `\ufeff${FROM}a\n`, ['a\n']],
  ['empty lines before the first message', `\n\n${FROM}a\n`, ['a\n']],
  [
    'mboxo, which does not quote text',
    `${FROM}a\n\nFrom what I hear\nFrom 10:30 on\n`,
    ['a\n\nFrom what I hear\nFrom 10:30 on\n'],
  ],
  [
    'a Content-Length that is too long',
    `${FROM}Content-Length: 500\n\na\n\n${FROM}b\n`,
    ['Content-Length: 500\n\na\n', 'b\n'],
  ],
  [
    'a Content-Length that is too short',
    `${FROM}Content-Length: 1\n\nabc\n\n${FROM}b\n`,
    ['Content-Length: 1\n\nabc\n', 'b\n'],
  ],
  ['a Thunderbird separator', `${FROM}a\n\nFrom - Mon Nov 02 03:04:05 2026\nb\n`, ['a\n', 'b\n']],
  ['a separator with only an address', `${FROM}a\n\nFrom b@x\nb\n`, ['a\n', 'b\n']],
  [
    'a From line longer than a separator',
    `${FROM}a\n\nFrom ${'x 03:04 2026 '.repeat(100)}\nb`,
    [`a\n\nFrom ${'x 03:04 2026 '.repeat(100)}\nb`],
  ],
  ['quotes at the end', `${FROM}>`, ['>']],
  ['many quotes', `${FROM}>>>>From x\n>>>Fro`, ['>>>From x\n>>>Fro']],
])('parses a file with %s', async (_case, file, texts) => {
  for (const size of [1, 2, 3, 10, 100_000]) expect(toTexts(await parseMbox(file, size))).toEqual(texts);
});

test('reports a message over the limit, and reads the other messages', async () => {
  const file = await buildMbox([Buffer.from('a\n'), Buffer.alloc(100_000, 'x\n'), Buffer.from('b\n')]);
  for (const size of [1_000, 65_536]) {
    const items = await parseMbox(file, size, 50_000);
    expect(toTexts(items)).toEqual(['a\n', '100000 bytes', 'b\n']);
    expect(items[1]).toEqual({
      kind: 'tooLarge',
      sender: 'ann@example.com',
      date: new Date('2026-11-02T03:04:05Z'),
      size: 100_000,
    });
  }
  expect(toTexts(await parseMbox(await buildMbox([Buffer.alloc(50_000, 'x\n')]), 999, 50_000))).toHaveLength(
    1,
  );
  expect((await parseMbox(await buildMbox([Buffer.alloc(50_000, 'x\n')]), 999, 50_000))[0]!.kind).toBe(
    'message',
  );
});

test.each([
  ['From ann@x Mon Nov  2 03:04:05 2026', 'ann@x', '2026-11-02T03:04:05.000Z'],
  ['From 123@xxx Mon Nov 02 03:04:05 +0100 2026', '123@xxx', '2026-11-02T02:04:05.000Z'],
  ['From <ann@x> Mon, 2 Nov 2026 03:04', 'ann@x', '2026-11-02T03:04:00.000Z'],
  ['From MAILER-DAEMON Mon Nov  2 03:04:05 2026', null, '2026-11-02T03:04:05.000Z'],
  ['From ann@x 03:04 2026', 'ann@x', undefined],
  ['From ann@x Thu Jan 99 03:04:05 2026', 'ann@x', undefined],
  ['From ann@x Tue Feb 31 03:04:05 2026', 'ann@x', undefined],
  ['From ann@x Mon Nov  2 24:04:05 2026', 'ann@x', undefined],
  ['From ann@x Mon Nov  2 03:99:05 2026', 'ann@x', undefined],
])('parses %s with sender %s and timestamp %s', (text, sender, time) => {
  const parsedFrom = parseFromLine(text, false);
  expect([parsedFrom?.sender, parsedFrom?.date?.toISOString()]).toEqual([sender, time]);
});

test.each([
  ['From lines', 'From \n'.repeat(2e5)],
  ['quoted lines', '>From \n'.repeat(2e5)],
  ['quotes', '>'.repeat(2e6)],
  ['empty lines', '\n'.repeat(1e6)],
  ['separators', FROM.repeat(2e4)],
  ['one line', 'x'.repeat(3e6)],
  ['returns', '\r'.repeat(2e6)],
])('reads a megabyte of %s in time', async (_case, text) => {
  const startTime = getCpuTime();
  await parseMbox(text);
  await buildMbox([Buffer.from(text)]);
  expect(getCpuTime() - startTime).toBeLessThan(3_000);
});

const python = await findPython('mailbox', 'python3');

python.describe("Python's mailbox", () => {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-mbox-'));
  afterAll(() => rmSync(dir, { recursive: true }));
  let raws: Buffer[];
  beforeAll(() => {
    raws = fc.sample(rawMessage, { numRuns: 300, seed: 7 });
    raws.push(
      Buffer.from('Subject: x\r\n\r\nFrom a\r\n>From b\r\n\r\nFrom a@x Mon Nov  2 03:04:05 2026\r\n'),
    );
  });

  /** Python's mailbox module does not unescape mboxrd quotes. */
  const unquote = (text: string) => text.replace(/^>(>*From )/gm, '$1');

  test('reads a written file unchanged', async () => {
    const path = join(dir, 'written.mbox');
    writeFileSync(path, await buildMbox(raws));
    const script = `import json, mailbox, sys
box = mailbox.mbox(sys.argv[1], create=False)
print(json.dumps([[m.decode('latin-1'), box.get_message(k).get_from()] for k in box.keys() for m in [box.get_bytes(k)]]))`;
    const { stdout } = await promisify(execFile)(python.module, ['-c', script, path], { maxBuffer: 1e8 });
    const entries = JSON.parse(stdout) as [string, string][];
    expect(entries.map(([text]) => unquote(text))).toEqual(raws.map(normalizeRaw));
    expect(new Set(entries.map(([, from]) => from))).toEqual(
      new Set(['ann@example.com Mon Nov  2 03:04:05 2026']),
    );
  });

  test('writes messages that are read back unchanged', async () => {
    const path = join(dir, 'read.mbox');
    const script = `import json, mailbox, sys
box = mailbox.mbox(sys.argv[1])
for text in json.loads(sys.stdin.read()):
    message = mailbox.mboxMessage(text.encode('latin-1'))
    message.set_from('ann@example.com', (2026, 11, 2, 3, 4, 5, 0, 306, 0))
    box.add(message)
box.flush()`;
    const texts = ['Subject: a\n\nb\n', 'Subject: c\n\nFrom here on\n\n\nFrom x\n', 'Subject: d\n\nno end'];
    const child = promisify(execFile)(python.module, ['-c', script, path]);
    child.child.stdin!.end(JSON.stringify(texts));
    await child;
    const { readFileSync } = await import('node:fs');
    expect(toTexts(await parseMbox(readFileSync(path), 7))).toEqual(
      texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`)),
    );
  });
});
