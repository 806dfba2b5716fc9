import { toSafeFilename } from './parse/filename.ts';

const NAMES_BY_TYPE: Record<string, string> = {
  'application/epub+zip': 'document.epub',
  'application/geo+json': 'data.json',
  'application/gpx+xml': 'data.gpx',
  'application/javascript': 'script.js',
  'application/ld+json': 'data.json',
  'application/pkcs10': 'request.p10',
  'application/pkix-cert': 'certificate.cer',
  'application/postscript': 'document.ps',
  'application/vnd.apple.pkpass': 'pass.pkpass',
  'application/vnd.google-earth.kml+xml': 'data.kml',
  'application/vnd.ms-outlook': 'message.msg',
  'application/x-7z-compressed': 'archive.7z',
  'application/x-bzip2': 'archive.bz2',
  'application/x-gzip': 'archive.gz',
  'application/x-javascript': 'script.js',
  'application/x-pdf': 'document.pdf',
  'application/x-rar-compressed': 'archive.rar',
  'application/vnd.rar': 'archive.rar',
  'application/x-tar': 'archive.tar',
  'application/x-x509-ca-cert': 'certificate.crt',
  'application/x-zip': 'archive.zip',
  'application/yaml': 'data.yaml',
  'message/partial': 'message.txt',
  'message/external-body': 'message.txt',
  'text/javascript': 'script.js',
  'text/tab-separated-values': 'data.tsv',
  'text/x-diff': 'changes.diff',
  'text/x-markdown': 'text.md',
  'text/x-patch': 'changes.patch',
  'application/gzip': 'archive.gz',
  'application/json': 'data.json',
  'application/msword': 'document.doc',
  'application/pdf': 'document.pdf',
  'application/pgp-encrypted': 'pgp-version.asc',
  'application/pgp-keys': 'key.asc',
  'application/pgp-signature': 'signature.asc',
  'application/pkcs7-mime': 'smime.p7m',
  'application/x-pkcs7-mime': 'smime.p7m',
  'application/pkcs7-signature': 'smime.p7s',
  'application/x-pkcs7-signature': 'smime.p7s',
  'application/ms-tnef': 'winmail.dat',
  'application/vnd.ms-tnef': 'winmail.dat',
  'application/rtf': 'document.rtf',
  'application/vnd.ms-excel': 'spreadsheet.xls',
  'application/vnd.ms-powerpoint': 'presentation.ppt',
  'application/vnd.oasis.opendocument.presentation': 'presentation.odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'spreadsheet.ods',
  'application/vnd.oasis.opendocument.text': 'document.odt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'presentation.pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'spreadsheet.xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document.docx',
  'application/ics': 'calendar.ics',
  'application/xml': 'data.xml',
  'application/zip': 'archive.zip',
  'application/x-zip-compressed': 'archive.zip',
  'message/delivery-status': 'delivery-status.txt',
  'message/disposition-notification': 'disposition-notification.txt',
  'message/feedback-report': 'feedback-report.txt',
  'message/global': 'message.eml',
  'message/rfc822': 'message.eml',
  'text/calendar': 'calendar.ics',
  'text/css': 'style.css',
  'text/csv': 'data.csv',
  'text/directory': 'contact.vcf',
  'text/html': 'text.html',
  'text/markdown': 'text.md',
  'text/plain': 'text.txt',
  'text/rfc822-headers': 'headers.txt',
  'text/rtf': 'document.rtf',
  'text/vcard': 'contact.vcf',
  'text/x-vcard': 'contact.vcf',
  'text/x-amp-html': 'text.html',
  'text/xml': 'data.xml',
};

/** File extensions that differ from the media subtype. */
const EXTENSIONS_BY_TYPE: Record<string, string> = {
  'audio/mp4': 'm4a',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
  'audio/x-m4a': 'm4a',
  'audio/x-mpeg': 'mp3',
  'audio/x-wav': 'wav',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/pjpeg': 'jpg',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif',
  'image/vnd.microsoft.icon': 'ico',
  'image/x-icon': 'ico',
  'image/x-png': 'png',
  'video/quicktime': 'mov',
  'video/x-msvideo': 'avi',
};

/** Image, audio and video subtypes that are identical to their file extensions. */
const SELF_NAMED_SUBTYPE =
  /^(?:png|gif|webp|bmp|avif|heic|heif|wav|ogg|flac|aac|webm|mp4|mpeg|amr|aiff|m4a)$/;

/** Returns a file name for an unnamed part, such as `image.png`, or `attachment` if the type is generic. */
export function getPartName(type: string): string {
  if (Object.hasOwn(NAMES_BY_TYPE, type)) return NAMES_BY_TYPE[type]!;
  const [kind = '', subtype = ''] = type.split('/');
  if (kind !== 'image' && kind !== 'audio' && kind !== 'video') return 'attachment';
  if (Object.hasOwn(EXTENSIONS_BY_TYPE, type)) return `${kind}.${EXTENSIONS_BY_TYPE[type]}`;
  return SELF_NAMED_SUBTYPE.test(subtype) ? `${kind}.${subtype}` : kind;
}

const NAMES_BY_CONTENT: [beginning: RegExp, name: string][] = [
  [/^%PDF-/, 'document.pdf'],
  [/^PK\x03\x04/, 'archive.zip'],
  [/^\x1f\x8b/, 'archive.gz'],
  [/^BZh[1-9]/, 'archive.bz2'],
  [/^7z\xbc\xaf\x27\x1c/, 'archive.7z'],
  [/^Rar!\x1a\x07/, 'archive.rar'],
  [/^\{\\rtf/, 'document.rtf'],
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, 'document.doc'],
  [/^\x89PNG\r\n/, 'image.png'],
  [/^GIF8[79]a/, 'image.gif'],
  [/^\xff\xd8\xff/, 'image.jpg'],
  [/^RIFF[\s\S]{4}WEBP/, 'image.webp'],
  [/^(?:II\*\0|MM\0\*)/, 'image.tif'],
  [/^[\s\S]{4}ftyp(?:heic|mif1)/, 'image.heic'],
  [/^[\s\S]{4}ftyp/, 'video.mp4'],
  [/^RIFF[\s\S]{4}WAVE/, 'audio.wav'],
  [/^ID3/, 'audio.mp3'],
  [/^OggS/, 'audio.ogg'],
  [/^\s*BEGIN:VCALENDAR/i, 'calendar.ics'],
  [/^\s*BEGIN:VCARD/i, 'contact.vcf'],
  [/^\s*-----BEGIN PGP PUBLIC KEY/, 'key.asc'],
  [/^\s*-----BEGIN PGP SIGNATURE/, 'signature.asc'],
  [/^\s*-----BEGIN PGP MESSAGE/, 'encrypted.asc'],
  [/^\s*-----BEGIN CERTIFICATE/, 'certificate.pem'],
  [/^\s*(?:<!doctype html|<html)/i, 'text.html'],
  [/^(?:\xef\xbb\xbf)?<\?xml/, 'data.xml'],
  [/^(?:return-path|received|from|mime-version|message-id|delivered-to): /i, 'message.eml'],
];

/** Number of bytes at the beginning of a file that `getNameByContent` needs. */
export const NAMING_BYTES = 64;

/** Returns a file name for the beginning of an unnamed file. Null if its format is unknown. */
export function getNameByContent(bytes: Uint8Array): string | null {
  const beginning = Buffer.from(bytes.subarray(0, NAMING_BYTES)).toString('latin1');
  return NAMES_BY_CONTENT.find(([pattern]) => pattern.test(beginning))?.[1] ?? null;
}

const MAX_SUBJECT_LENGTH = 100;

export const buildMessageFilename = (subject: string): string =>
  toSafeFilename(
    `${subject.replace(/[/\\]/g, '_').slice(0, MAX_SUBJECT_LENGTH).toWellFormed().trim() || 'message'}.eml`,
  ) ?? 'message.eml';

/** @param filename empty if the file has no name */
export const getDisplayName = (filename: string, type: string): string => filename || getPartName(type);
