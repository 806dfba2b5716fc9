import { decodeText } from '../charset.ts';
import { toSafeFilename } from '../filename.ts';
import { decompressRtf } from './compressed-rtf.ts';
import { MAPI_TYPES, type MapiProperties, type MapiValue, readMapiProperties } from './mapi-properties.ts';
import { getCodePageCharset, readRtf } from './rtf-text.ts';

// Transport Neutral Encapsulation Format ([MS-OXTNEF]), the format of `winmail.dat`.

export interface TnefFile {
  name: string | null;
  type: string;
  contentId: string | null;
  bytes: Buffer;
}

interface TnefBody {
  type: 'text/plain' | 'text/html';
  charset: string;
  bytes: Buffer;
}

export interface TnefContent {
  body: TnefBody | null;
  files: TnefFile[];
}

const SIGNATURE = 0x223e9f78;
const HEADER_BYTES = 6;

/** Attributes by the lower 16 bits of their id. */
const ATTRIBUTES = {
  body: 0x800c,
  attachmentData: 0x800f,
  attachmentTitle: 0x8010,
  newAttachment: 0x9002,
  messageProperties: 0x9003,
  attachmentProperties: 0x9005,
  codePage: 0x9007,
} as const;

const PROPERTIES = {
  body: 0x1000,
  compressedRtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  attachmentData: 0x3701,
  filename: 0x3704,
  longFilename: 0x3707,
  mediaType: 0x370e,
  contentId: 0x3712,
  codePage: 0x3fde,
} as const;

const MAX_FILES = 500;
const MAX_ATTRIBUTES = 10_000;

/** Reads as many attributes as possible. Returns null if the bytes are not TNEF. */
export function readTnef(bytes: Buffer): TnefContent | null {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== SIGNATURE) return null;
  const files: OpenFile[] = [];
  let charset = 'windows-1252';
  let text: Buffer | null = null;
  let message: MapiProperties | null = null;
  for (const { id, data } of readAttributes(bytes)) {
    const file = files.at(-1);
    if (id === ATTRIBUTES.newAttachment) {
      if (files.length >= MAX_FILES) break;
      files.push({ title: null, data: null, properties: null });
    } else if (id === ATTRIBUTES.codePage && data.length >= 4)
      charset = getCodePageCharset(data.readUInt32LE(0));
    else if (id === ATTRIBUTES.body) text ??= trimEnd(data);
    else if (id === ATTRIBUTES.messageProperties) message ??= readMapiProperties(data);
    else if (id === ATTRIBUTES.attachmentTitle && file) file.title = data;
    else if (id === ATTRIBUTES.attachmentData && file) file.data = data;
    else if (id === ATTRIBUTES.attachmentProperties && file) file.properties ??= readMapiProperties(data);
  }
  return {
    body: findBody(message ?? new Map(), text, charset),
    files: files.flatMap((file) => toFile(file, charset) ?? []),
  };
}

function* readAttributes(bytes: Buffer): Generator<{ id: number; data: Buffer }> {
  // Level, id and length precede the data; a checksum follows.
  const [headBytes, checksumBytes] = [9, 2];
  let at = HEADER_BYTES;
  for (let read = 0; read < MAX_ATTRIBUTES && at + headBytes <= bytes.length; read++) {
    const from = at + headBytes;
    const to = Math.min(bytes.length, from + bytes.readUInt32LE(at + 5));
    yield { id: bytes.readUInt16LE(at + 1), data: bytes.subarray(from, to) };
    at = to + checksumBytes;
  }
}

interface OpenFile {
  title: Buffer | null;
  data: Buffer | null;
  properties: MapiProperties | null;
}

/** Size of the interface id that precedes an embedded object. */
const INTERFACE_ID_BYTES = 16;

/** Null for a file without content, such as a link to a file on a server. */
function toFile({ title, data, properties }: OpenFile, charset: string): TnefFile | null {
  const read = (id: number) => readText(properties?.get(id), charset);
  const object = properties?.get(PROPERTIES.attachmentData);
  const isObject = object?.type === MAPI_TYPES.object;
  const bytes = isObject ? object.bytes.subarray(INTERFACE_ID_BYTES) : (data ?? object?.bytes);
  if (!bytes) return null;
  const isMessage = isObject && bytes.length >= 4 && bytes.readUInt32LE(0) === SIGNATURE;
  const name =
    (!isMessage && (read(PROPERTIES.longFilename) || read(PROPERTIES.filename))) ||
    read(PROPERTIES.displayName) ||
    (title ? decodeText(trimEnd(title), charset) : '');
  const contentId = read(PROPERTIES.contentId).replace(/^<|>$/g, '').trim();
  return {
    name: toSafeFilename(name),
    type: isMessage ? 'application/ms-tnef' : readMediaType(read(PROPERTIES.mediaType)),
    contentId: /^[^\x00-\x20\x7f-\uffff<>]{1,500}$/.test(contentId) ? contentId : null,
    bytes,
  };
}

/** Replaces container types with `application/octet-stream`, because they would hide the file. */
const readMediaType = (text: string): string =>
  /^(?!multipart\/|message\/)[\w.+-]{1,63}\/[\w.+-]{1,63}$/.test(text)
    ? text.toLowerCase()
    : 'application/octet-stream';

/** Maximum bytes of decompressed RTF. */
const MAX_RTF_BYTES = 1024 * 1024;

function findBody(message: MapiProperties, text: Buffer | null, charset: string): TnefBody | null {
  const codePage = message.get(PROPERTIES.codePage)?.bytes;
  const webCharset = codePage?.length === 4 ? getCodePageCharset(codePage.readUInt32LE(0)) : charset;
  const html = message.get(PROPERTIES.html);
  if (html) return toBody('text/html', html, webCharset);
  const rtf = message.get(PROPERTIES.compressedRtf);
  if (rtf) {
    const read = readRtf(decompressRtf(rtf.bytes, MAX_RTF_BYTES).toString('latin1'));
    if (read.text.trim() !== '')
      return { type: read.type, charset: 'utf-8', bytes: Buffer.from(read.text.toWellFormed()) };
  }
  const plainValue = message.get(PROPERTIES.body);
  if (plainValue) return toBody('text/plain', plainValue, charset);
  return text && text.length > 0 ? { type: 'text/plain', charset, bytes: text } : null;
}

const toBody = (type: TnefBody['type'], value: MapiValue, charset: string): TnefBody =>
  value.type === MAPI_TYPES.unicode
    ? { type, charset: 'utf-16le', bytes: trimEnd(value.bytes, 2) }
    : { type, charset, bytes: trimEnd(value.bytes) };

function readText(value: MapiValue | undefined, charset: string): string {
  if (!value || value.type === MAPI_TYPES.object) return '';
  return decodeText(value.bytes, value.type === MAPI_TYPES.unicode ? 'utf-16le' : charset);
}

/**
 * Removes trailing NUL characters.
 * @param unit bytes per character
 */
function trimEnd(bytes: Buffer, unit = 1): Buffer {
  let end = bytes.length - (bytes.length % unit);
  while (end >= unit && bytes[end - 1] === 0 && bytes[end - unit] === 0) end -= unit;
  return bytes.subarray(0, end);
}
