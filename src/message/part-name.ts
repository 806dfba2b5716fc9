import { toSafeFilename } from './parse/filename.ts';

const NAMES_BY_TYPE: Record<string, string> = {
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
  'audio/mpeg': 'mp3',
  'audio/x-wav': 'wav',
  'image/jpeg': 'jpg',
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

const MAX_SUBJECT_LENGTH = 100;

export const buildMessageFilename = (subject: string): string =>
  toSafeFilename(
    `${subject.replace(/[/\\]/g, '_').slice(0, MAX_SUBJECT_LENGTH).toWellFormed().trim() || 'message'}.eml`,
  ) ?? 'message.eml';

/** @param filename empty if the file has no name */
export const getDisplayName = (filename: string, type: string): string => filename || getPartName(type);
