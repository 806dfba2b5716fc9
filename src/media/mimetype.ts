import { isLetterAvatar } from './letter-avatar.ts';

const PLAIN_TEXT = 'text/plain';

const TYPES_BY_EXTENSION: Record<string, string> = {
  bmp: 'image/bmp',
  csv: 'text/csv',
  css: 'text/css',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  eml: 'message/rfc822',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  ico: 'image/vnd.microsoft.icon',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  log: PLAIN_TEXT,
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rtf: 'application/rtf',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  txt: PLAIN_TEXT,
  wav: 'audio/x-wav',
  webm: 'video/webm',
  webp: 'image/webp',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};

const TYPES_BY_MAGIC: [start: string, mimetype: string][] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['474946383761', 'image/gif'],
  ['474946383961', 'image/gif'],
  ['255044462d', 'application/pdf'],
  ['504b0304', 'application/zip'],
  ['1f8b', 'application/gzip'],
  ['424d', 'image/bmp'],
];

const mayContainScripts = (mimetype: string): boolean =>
  /\b(html|xml|svg|xhtml|javascript)\b|\+xml$/i.test(mimetype);

/**
 * Detects the media type of a file from its declared type, its name or its content, in this order. Types that a browser
 * might execute become plain text unless the source is trusted.
 */
export function detectMimetype(
  declaredType: string | null,
  name: string,
  content: Buffer | null,
  isTrusted: boolean,
): string {
  const mimetype = parsePlainType(declaredType) || getTypeByName(name) || detectTypeByContent(content);
  return mayContainScripts(mimetype) && !isTrusted ? PLAIN_TEXT : mimetype;
}

/**
 * A file field has no file name.
 * @param head the first 1,024 bytes
 */
export const detectFieldMimetype = (head: Buffer): string =>
  isLetterAvatar(head) ? 'image/svg+xml' : detectMimetype(null, '', head, false);

const EXTENSIONS_BY_TYPE: Record<string, string> = {
  'application/gzip': 'gz',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  [PLAIN_TEXT]: 'txt',
};

/** Builds the file name of a field's content from the record's name and the field's label. */
export const buildFieldFileName = (record: string, label: string, mimetype: string): string =>
  [record ? `${record} – ${label}` : label, EXTENSIONS_BY_TYPE[mimetype]].filter(Boolean).join('.');

/** Removes parameters, because the value becomes a response header. */
const parsePlainType = (declaredType: string | null): string | null => {
  const type = (declaredType ?? '').split(';', 1).join('').trim();
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : null;
};

const getTypeByName = (name: string): string | undefined =>
  TYPES_BY_EXTENSION[/\.(\w{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? ''];

function detectTypeByContent(content: Buffer | null): string {
  if (!content?.length) return 'application/octet-stream';
  const start = content.subarray(0, 16).toString('hex');
  const match = TYPES_BY_MAGIC.find(([magic]) => start.startsWith(magic));
  if (match) return match[1];
  if (/^52494646.{8}57454250/.test(start)) return 'image/webp';
  return isTextContent(content) ? PLAIN_TEXT : 'application/octet-stream';
}

/** Returns true if the beginning of the content is UTF-8 without control characters. */
export function isTextContent(content: Buffer): boolean {
  const head = content.subarray(0, 1024);
  // Fast check that rejects most binary content.
  if (head.subarray(0, -1).some((byte) => byte < 9 || (byte > 13 && byte < 32))) return false;
  const text = head.toString('utf8');
  // The last character may be truncated.
  return !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text.slice(0, -1));
}
