import { decodeUriOrKeep } from '../../../src/decode-uri.ts';
import { allowField, defineInputShape, type InputOf } from '../../../src/engine/operation/input.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import {
  type Attachment,
  computeByteLength,
  countBase64Digits,
  isContentId,
  isMediaType,
} from '../../../src/message/attachment.ts';
import { hasControlCharacter, hasDirectionCharacter } from '../../../src/message/header.ts';
import { isFetchable } from './fetch-file.ts';

const MAX_ATTACHMENT_URL_CHARS = 2_048;

export const EmailFileInput = defineInputShape('EmailAttachmentInput', 'A file attached to an email.', {
  filename: allowField(
    'String',
    'File name shown to the recipient. Required with `content`; taken from `path` by default.',
  ),
  content: allowField('String', 'File content, base64 encoded. Either `content` or `path` is required.', {
    min: 1,
    form: { format: 'byte' },
  }),
  path: allowField(
    'String',
    'Public http:// or https:// URL of the file, instead of `content`. It is fetched before the email is accepted, ' +
      'even if the email is scheduled.',
    { form: { format: 'uri' } },
  ),
  contentType: allowField(
    'String',
    'Media type, with parameters if needed, such as `text/calendar; method=REQUEST`. Derived from the file name by ' +
      'default.',
  ),
  alternative: allowField(
    'Boolean',
    'True to send the file as an alternative to the text, as in calendar invitations (RFC 6047). `contentType` is ' +
      'required.',
  ),
  contentId: allowField(
    'String',
    'Content id of an inline file, referenced in the HTML as `<img src="cid:…">`.',
  ),
});

export type FileInput = InputOf<typeof EmailFileInput>;

/** Validates an email's files. Files given by URL have no content yet. @throws BAD_REQUEST that names the file */
export function parseFiles(list: FileInput[]): Attachment[] {
  if (list.length > limits.email.attachments)
    throw errors.badRequest(`attachments: must contain at most ${limits.email.attachments} files.`);
  const files = list.map(parseFile);
  const bytes = computeDecodedBytes(list);
  if (bytes > limits.email.attachmentBytes)
    throw errors.badRequest(
      `attachments: the total size of ${Math.ceil(bytes / 1024 / 1024)} MB exceeds the maximum of ` +
        `${limits.email.attachmentBytes / 1024 / 1024} MB before encoding.`,
    );
  const ids = files.flatMap((file) => file.contentId ?? []);
  if (new Set(ids).size < ids.length)
    throw errors.badRequest('attachments: each contentId may be used only once.');
  return files;
}

function parseFile(file: FileInput, index: number): Attachment {
  const { content, path, contentType, contentId, alternative } = file;
  checkSource(file, index);
  const filename = validateFileName(file.filename || (path ? parseFileName(path) : ''));
  if (content?.startsWith('=') || countBase64Digits(content ?? '') === null)
    throw errors.badRequest(`attachments: the content of ${filename} is not base64.`);
  if (contentType && !isMediaType(contentType))
    throw errors.badRequest(
      `attachments: the contentType of ${filename} is not a media type such as image/png or ` +
        'text/calendar; method=REQUEST.',
    );
  if (alternative && (!contentType || contentId))
    throw errors.badRequest(
      `attachments: the alternative ${filename} must have a contentType and cannot have a contentId.`,
    );
  const cid = contentId?.replace(/^<(.*)>$/, '$1');
  if (cid && !isContentId(cid))
    throw errors.badRequest(
      `attachments: the contentId of ${filename} may only contain letters, digits and . _ + -.`,
    );
  return {
    filename,
    content: content ?? '',
    ...(contentType && { contentType }),
    ...(cid && { contentId: cid }),
    ...(alternative && { alternative }),
  };
}

function checkSource({ content, path }: FileInput, index: number): void {
  const isGiven = content !== null && content !== undefined;
  if (path) checkPath(path, index);
  if (!path && !isGiven)
    throw errors.badRequest(`attachments[${index}]: either content or path is required.`);
  if (path && isGiven) throw errors.badRequest(`attachments[${index}]: content and path cannot be combined.`);
}

function validateFileName(name: string): string {
  if (
    !name ||
    name.length > limits.email.filename ||
    hasControlCharacter(name) ||
    hasDirectionCharacter(name)
  )
    throw errors.badRequest(
      `attachments: a filename must have 1 to ${limits.email.filename} characters and contain no control characters ` +
        'or characters that change the text direction.',
    );
  if (name.isWellFormed()) return name;
  throw errors.badRequest('attachments: a filename contains a lone surrogate (half of a character).');
}

function checkPath(path: string, index: number): void {
  const url = path.length <= MAX_ATTACHMENT_URL_CHARS ? URL.parse(path) : null;
  if (!url || !isFetchable(url))
    throw errors.badRequest(
      `attachments[${index}].path: must be an http:// or https:// URL of at most ${MAX_ATTACHMENT_URL_CHARS} ` +
        'characters and without a password.',
    );
}

export function parseFileName(path: string): string {
  const last = new URL(path).pathname.split('/').at(-1)!;
  const name = decodeUriOrKeep(last).replace(UNSAFE_NAME_CHARS, '').slice(-limits.email.filename);
  return name || 'attachment';
}

const UNSAFE_NAME_CHARS = /[\p{Cc}\p{Cf}/\\]/gu;

export const computeDecodedBytes = (list: FileInput[]): number =>
  list.reduce((sum, { content }) => sum + computeByteLength(countBase64Digits(content ?? '') ?? 0), 0);
