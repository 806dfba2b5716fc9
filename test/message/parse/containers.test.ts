import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decompressRtf } from '../../../src/message/parse/containers/compressed-rtf.ts';
import { readRtf } from '../../../src/message/parse/containers/rtf-text.ts';
import { unpackContainer } from '../../../src/message/parse/containers/unpack.ts';
import { type ParsedMail, parseMail } from '../../../src/message/parse/message.ts';
import { toRawMail } from '../../../src/message/parse/raw.ts';
import {
  buildCompressed,
  buildEmbeddedMessage,
  buildEncrypted,
  buildMessageProperties,
  buildProperties,
  buildSigned,
  buildTnef,
  buildTnefFile,
  compressRtf,
  toBase64Lines,
  toDer,
  toIndefinite,
} from './containers.ts';
import { readContent, toBytes } from './raw-text.ts';

const toMessage = (type: string, container: Buffer): Buffer =>
  toBytes(
    'From: a@x.y',
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    '',
    ...toBase64Lines(container),
  );

const toOutlookMessage = (text: string, tnef: Buffer): Buffer =>
  toBytes(
    'From: a@x.y',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    text,
    '--b',
    'Content-Type: application/octet-stream; name="winmail.dat"',
    'Content-Transfer-Encoding: base64',
    '',
    ...toBase64Lines(tnef),
    '--b--',
  );

const parseBytes = (bytes: Buffer): Promise<ParsedMail> => parseMail(toRawMail(bytes));

async function readFiles(bytes: Buffer): Promise<[string | null, string][]> {
  const { attachments } = await parseBytes(bytes);
  const raw = toRawMail(bytes);
  return Promise.all(
    attachments.map(
      async (part) => [part.filename, (await readContent(raw, part)).toString('latin1')] as const,
    ),
  ) as Promise<[string | null, string][]>;
}

const [BODY, RTF, HTML, CODE_PAGE, LONG_NAME, CONTENT_ID] = [0x1000, 0x1009, 0x1013, 0x3fde, 0x3707, 0x3712];

const HTML_RTF = [
  '{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial;}}',
  "{\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 Caf\\'e9 \\u8364?{\\*\\htmltag84 <b>}\\htmlrtf \\b\\htmlrtf0 ",
  "{\\f1 \\'e4\\'e0}{\\*\\htmltag92 </b>}\\htmlrtf \\b0\\htmlrtf0 \\{x\\}\\par\r\n{\\*\\htmltag72 </p>}}",
].join('');

describe('winmail.dat', () => {
  it('is replaced by the files that it contains, with their long names', async () => {
    const tnef = buildTnef(
      buildTnefFile('REPORT~1.PDF', '%PDF', buildProperties({ [LONG_NAME]: 'Report März.pdf' })),
      buildTnefFile('b.txt', 'second'),
    );
    expect(await readFiles(toOutlookMessage('Hello', tnef))).toEqual([
      ['Report März.pdf', '%PDF'],
      ['b.txt', 'second'],
    ]);
  });

  it('provides the HTML of a plain text message, and the images in it', async () => {
    const html = Buffer.from('<p>Gr\xfc\xdfe <img src="cid:i@x"></p>', 'latin1');
    const tnef = buildTnef(
      buildMessageProperties({ [HTML]: html, [CODE_PAGE]: 1252 }),
      buildTnefFile('i.png', 'PNG', buildProperties({ [CONTENT_ID]: 'i@x' })),
    );
    const mail = await parseBytes(toOutlookMessage('Grüße', tnef));
    expect(mail.text).toBe('Grüße');
    expect(mail.html).toBe('<p>Grüße <img src="cid:i@x"></p>');
    expect(mail.attachments).toMatchObject([{ filename: 'i.png', contentId: 'i@x', disposition: null }]);
  });

  it.each([
    ['HTML', { [HTML]: Buffer.from('<p>Hi <b>there</b></p>') }, 'Hi there'],
    ['Unicode text', { [BODY]: 'Hi Жя' }, 'Hi Жя'],
    ['RTF', { [RTF]: compressRtf("{\\rtf1\\ansi{\\fonttbl{\\f0 A;}}Hi\\par th\\'e9re}") }, 'Hi\nthére'],
    ['HTML in RTF', { [RTF]: compressRtf(HTML_RTF) }, 'Café €да{x}'],
  ])('provides the text of a message without a text part, from %s', async (_name, properties, text) => {
    const tnef = buildTnef(buildMessageProperties(properties));
    const mail = await parseBytes(toMessage('application/ms-tnef', tnef));
    expect(mail.text.trim().replace(/[ \t]+/g, ' ')).toBe(text);
    expect(mail.attachments).toEqual([]);
  });

  it('provides the text and the files of an attached message as separate files', async () => {
    const inner = buildTnef(buildMessageProperties({ [BODY]: 'Inner' }), buildTnefFile('in.txt', 'deep'));
    const tnef = buildTnef(buildTnefFile('x', null, buildEmbeddedMessage('Offer', inner)));
    expect(await readFiles(toOutlookMessage('Outer', tnef))).toEqual([
      ['Offer.txt', Buffer.from('Inner', 'utf16le').toString('latin1')],
      ['in.txt', 'deep'],
    ]);
  });

  it('stays an attachment if it is empty or invalid', async () => {
    for (const bytes of [buildTnef(), Buffer.from('nonsense'), Buffer.alloc(0)])
      expect((await parseBytes(toOutlookMessage('Hello', bytes))).attachments).toMatchObject([
        { filename: 'winmail.dat' },
      ]);
  });

  it('is unpacked up to a nesting limit', async () => {
    let tnef = buildTnef(buildTnefFile('deep.txt', 'deep'));
    for (let level = 0; level < 30; level++)
      tnef = buildTnef(buildTnefFile('x', null, buildEmbeddedMessage(`m${level}`, tnef)));
    const { attachments } = await parseBytes(toOutlookMessage('Hello', tnef));
    expect(attachments).toMatchObject([{ type: 'application/ms-tnef', path: '2.1.1.1.1' }]);
  });
});

test('extracts encapsulated HTML from RTF', () => {
  expect(readRtf(HTML_RTF)).toEqual({ type: 'text/html', text: '<p>Café €<b>да</b>{x}\n</p>' });
});

test.each([
  [
    '{\\rtf1{\\info{\\author A}}{\\*\\generator X}a\\~b\\line c\\tab d{\\pict 0102}\\u-10179?\\u-8704?}',
    'a\u00a0b\nc\td\u{1f600}',
  ],
  ['{\\rtf1\\uc2\\u228abc}', 'äc'],
  ['{\\rtf1 \\bin3 {{{x}', 'x'],
  ['{\\rtf1 {\\fldinst HYPERLINK "u"}{\\fldrslt link}\\\\ \\lquote\\rquote}', 'link\\ ‘’'],
  ['}}}a{{{', 'a'],
  ['', ''],
])('reads the text of the RTF %s', (rtf, text) => {
  expect(readRtf(rtf)).toEqual({ type: 'text/plain', text });
});

test('decompresses the example of the RTF specification', () => {
  const hex =
    '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0';
  expect(decompressRtf(Buffer.from(hex, 'hex'), 1000).toString('latin1')).toBe(
    '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
  );
});

const ENTITY = toBytes(
  'Content-Type: multipart/mixed; boundary=s',
  '',
  '--s',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Signed \xc3\xa4',
  '--s',
  'Content-Type: application/pdf; name=a.pdf',
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERg==',
  '--s--',
);

const toPieces = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    toDer(4, bytes.subarray(index * size, (index + 1) * size)),
  );

describe('a message with an opaque signature', () => {
  it.each([
    ['DER', buildSigned(toDer(4, ENTITY))],
    ['BER of indefinite length', buildSigned(toIndefinite(0x24, ...toPieces(ENTITY, 7)), toIndefinite)],
    ['nested strings', buildSigned(toDer(0x24, toIndefinite(0x24, ...toPieces(ENTITY, 50)), toDer(0x24)))],
  ])('is parsed like multipart/signed: %s', async (_name, cms) => {
    for (const type of ['application/pkcs7-mime', 'application/x-pkcs7-mime; name=smime.p7m']) {
      const bytes = toMessage(type, cms);
      expect((await parseBytes(bytes)).text).toBe('Signed ä');
      expect(await readFiles(bytes)).toEqual([['a.pdf', '%PDF']]);
    }
  });

  it('is parsed inside a compressed message (RFC 3274)', async () => {
    const signed = toMessage('application/pkcs7-mime', buildSigned(toDer(4, ENTITY)));
    const bytes = toMessage(
      'application/pkcs7-mime; smime-type=compressed-data',
      buildCompressed(deflateSync(signed)),
    );
    expect((await parseBytes(bytes)).text).toBe('Signed ä');
    expect(await readFiles(bytes)).toEqual([['a.pdf', '%PDF']]);
  });

  it('is recognized by the extension .p7m, and inside another container', async () => {
    const outer = buildSigned(toDer(4, toMessage('application/pkcs7-mime', buildSigned(toDer(4, ENTITY)))));
    const bytes = toMessage('application/octet-stream; name=SMIME.P7M', outer);
    expect(await readFiles(bytes)).toEqual([['a.pdf', '%PDF']]);
  });

  it.each([
    ['certificates only', buildSigned(toDer(4)).subarray(0, 40)],
    ['strings nested too deeply', buildSigned(Buffer.alloc(100, Buffer.of(0x24, 0x80)))],
    ['damaged compressed content', buildCompressed(Buffer.from('x'))],
    ['compressed content beyond the limit', buildCompressed(deflateSync(Buffer.alloc(5 * 1024 * 1024)))],
    ['a high tag number', Buffer.of(0x3f, 0x81, 0x01, 0x00)],
  ])('stays an attachment if it has %s', async (_name, cms) => {
    const { attachments } = await parseBytes(toMessage('application/pkcs7-mime', cms));
    expect(attachments).toMatchObject([{ path: '1', filename: 'smime.p7m' }]);
  });
});

describe('an encrypted message', () => {
  const buildPgp = (type: string) =>
    toBytes(
      `Content-Type: ${type}; boundary=p`,
      '',
      '--p',
      'Content-Type: application/pgp-encrypted',
      '',
      'Version: 1',
      '--p',
      'Content-Type: application/octet-stream',
      '',
      '-----BEGIN PGP MESSAGE-----',
      '--p--',
    );
  const inline = toBytes('From: a@x.y', '', 'Hi', '-----BEGIN PGP MESSAGE-----', '', 'hQ==');

  it.each([
    ['S/MIME', toMessage('application/pkcs7-mime', buildEncrypted()), 'smime.p7m'],
    [
      'S/MIME with GCM',
      toMessage('application/x-pkcs7-mime', buildEncrypted('2a864886f70d0109100117')),
      'smime.p7m',
    ],
    [
      'S/MIME in a signature',
      toMessage(
        'application/pkcs7-mime',
        buildSigned(toDer(4, toMessage('application/pkcs7-mime', buildEncrypted()))),
      ),
      'smime.p7m',
    ],
    ['PGP/MIME', buildPgp('multipart/encrypted'), 'encrypted.asc'],
    ['PGP/MIME after Exchange', buildPgp('multipart/mixed'), 'encrypted.asc'],
    ['inline PGP', inline, 'encrypted.asc'],
  ])('is marked, and its content becomes an attachment: %s', async (_name, bytes, filename) => {
    const { parts } = await parseBytes(bytes);
    expect(parts.filter(({ isEncrypted }) => isEncrypted)).toMatchObject([{ filename }]);
  });

  it('is not detected in quoted text or in a signed message', async () => {
    const { parts } = await parseBytes(
      toBytes('From: a@x.y', '', '> -----BEGIN PGP MESSAGE-----', '-----BEGIN PGP SIGNED MESSAGE-----'),
    );
    expect(parts.some(({ isEncrypted }) => isEncrypted)).toBe(false);
  });

  it('is not detected in a part outside the multipart that contains the version', async () => {
    const { parts } = await parseBytes(
      toBytes(
        'Content-Type: multipart/mixed; boundary=o',
        '',
        '--o',
        'Content-Type: multipart/mixed; boundary=i',
        '',
        '--i',
        'Content-Type: application/pgp-encrypted',
        '',
        'Version: 1',
        '--i--',
        '--o',
        'Content-Type: application/pdf',
        '',
        '%PDF',
        '--o--',
      ),
    );
    expect(parts.some(({ isEncrypted }) => isEncrypted)).toBe(false);
  });
});

describe('invalid containers', () => {
  const containers = [
    buildTnef(
      buildMessageProperties({ [BODY]: 'text', [RTF]: compressRtf(HTML_RTF) }),
      buildTnefFile('a.txt', 'data', buildProperties({ [LONG_NAME]: 'a.txt', [CONTENT_ID]: 'a@b' })),
    ),
    buildTnef(buildTnefFile('x', null, buildEmbeddedMessage('m', buildTnef(buildTnefFile('a', 'b'))))),
    buildSigned(toDer(4, ENTITY)),
    buildSigned(toIndefinite(0x24, ...toPieces(ENTITY, 20)), toIndefinite),
    buildEncrypted(),
  ];

  it('never cause an error, and unpack to a limited size', async () => {
    const change = fc.record({
      at: fc.nat(),
      byte: fc.constantFrom(0, 1, 0x24, 0x30, 0x7f, 0x80, 0x84, 0xff),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...containers),
        fc.array(change, { maxLength: 6 }),
        fc.nat(),
        async (container, changes, end) => {
          const bytes = Buffer.from(container);
          for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
          const cut = bytes.subarray(0, end % 3 === 0 ? end % bytes.length : undefined);
          const unpacked = unpackContainer(cut);
          if (unpacked === null || unpacked === 'encrypted') return;
          expect(unpacked.content.length).toBeLessThanOrEqual(9 * cut.length);
          for (const { bodyFrom, bodyTo } of unpacked.parts ?? []) {
            expect(bodyFrom).toBeLessThanOrEqual(bodyTo);
            expect(bodyTo).toBeLessThanOrEqual(unpacked.content.length);
          }
          const mail = await parseBytes(toMessage('application/ms-tnef', cut));
          expect(mail.state).toBe('parsed');
        },
      ),
      { numRuns: 400 },
    );
  });
});
