// Builders for message containers: TNEF ([MS-OXTNEF]) and CMS (RFC 5652).

type Bytes = Buffer | string;

const toBuffer = (bytes: Bytes): Buffer => (typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);

function toNumber(value: number, bytes = 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}

export const buildTnef = (...attributes: Buffer[]): Buffer =>
  Buffer.concat([toNumber(0x223e9f78), toNumber(1, 2), ...attributes]);

function buildAttribute(level: 1 | 2, id: number, data: Buffer): Buffer {
  const checksum = data.reduce((sum, byte) => (sum + byte) & 0xffff, 0);
  return Buffer.concat([Buffer.of(level), toNumber(id), toNumber(data.length), data, toNumber(checksum, 2)]);
}

/** Encodes numbers as integers, strings as Unicode and buffers as binary, by property id. */
export function buildProperties(values: Record<number, number | string | Buffer>): Buffer {
  const properties = Object.entries(values).map(([id, value]) => {
    if (typeof value === 'number')
      return Buffer.concat([toNumber(3, 2), toNumber(Number(id), 2), toNumber(value)]);
    const [type, bytes] =
      typeof value === 'string' ? [0x1f, Buffer.from(`${value}\0`, 'utf16le')] : [0x102, value];
    return Buffer.concat([toNumber(type, 2), toNumber(Number(id), 2), toNumber(1), padValue(bytes)]);
  });
  return Buffer.concat([toNumber(properties.length), ...properties]);
}

const padValue = (bytes: Buffer): Buffer =>
  Buffer.concat([toNumber(bytes.length), bytes, Buffer.alloc(-bytes.length & 3)]);

export const buildMessageProperties = (values: Record<number, number | string | Buffer>): Buffer =>
  buildAttribute(1, 0x69003, buildProperties(values));

export const buildTnefFile = (
  title: string,
  data: Bytes | null,
  properties: Buffer = buildProperties({}),
): Buffer =>
  Buffer.concat([
    buildAttribute(2, 0x69002, Buffer.alloc(14)),
    buildAttribute(2, 0x18010, Buffer.from(`${title}\0`, 'latin1')),
    ...(data === null ? [] : [buildAttribute(2, 0x6800f, toBuffer(data))]),
    buildAttribute(2, 0x69005, properties),
  ]);

export const buildEmbeddedMessage = (name: string, tnef: Buffer): Buffer =>
  Buffer.concat([
    toNumber(2),
    buildProperties({ 12289: name }).subarray(4),
    toNumber(0x0d, 2),
    toNumber(0x3701, 2),
    toNumber(1),
    padValue(Buffer.concat([Buffer.alloc(16), tnef])),
  ]);

/** Encodes RTF in the compressed format, using only literals. */
export function compressRtf(rtf: string): Buffer {
  const bytes = Buffer.from(rtf, 'latin1');
  const runs: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += 8)
    runs.push(Buffer.of(0), bytes.subarray(start, start + 8));
  const body = Buffer.concat(runs);
  return Buffer.concat([
    toNumber(body.length + 12),
    toNumber(bytes.length),
    toNumber(0x75465a4c),
    toNumber(0),
    body,
  ]);
}

export function toDer(tag: number, ...contents: Bytes[]): Buffer {
  const body = Buffer.concat(contents.map(toBuffer));
  if (body.length < 128) return Buffer.concat([Buffer.of(tag, body.length), body]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([Buffer.of(tag, 0x84), length, body]);
}

export const toIndefinite = (tag: number, ...contents: Bytes[]): Buffer =>
  Buffer.concat([Buffer.of(tag, 0x80), ...contents.map(toBuffer), Buffer.of(0, 0)]);

const toOid = (hex: string): Buffer => toDer(6, Buffer.from(hex, 'hex'));
const DATA = toOid('2a864886f70d010701');

type Encode = typeof toDer;

export const buildSigned = (octets: Buffer, encode: Encode = toDer): Buffer =>
  encode(
    0x30,
    toOid('2a864886f70d010702'),
    encode(
      0xa0,
      encode(
        0x30,
        toDer(2, '\x01'),
        encode(0x31, encode(0x30, toOid('608648016503040201'))),
        encode(0x30, DATA, encode(0xa0, octets)),
        toDer(0x31),
      ),
    ),
  );

export const buildCompressed = (content: Buffer): Buffer =>
  toDer(
    0x30,
    toOid('2a864886f70d0109100109'),
    toDer(
      0xa0,
      toDer(
        0x30,
        toDer(2, '\x00'),
        toDer(0x30, toOid('2a864886f70d0109100308')),
        toDer(0x30, DATA, toDer(0xa0, toDer(4, content))),
      ),
    ),
  );

export const buildEncrypted = (oid = '2a864886f70d010703'): Buffer =>
  toDer(0x30, toOid(oid), toDer(0xa0, toDer(0x30, toDer(2, '\x00'))));

export const toBase64Lines = (bytes: Buffer): string[] => bytes.toString('base64').match(/.{1,76}/g) ?? [];
