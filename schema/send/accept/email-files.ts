import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import {
  type Attachment,
  base64Digits,
  bytesOfDigits,
  isContentId,
  isMediaType,
} from '../../../src/mail/attachment.ts';
import { hasControl } from '../../../src/mail/header.ts';
import type { FileInput } from './email-input.ts';

/** Checks the files of one email. @throws BAD_REQUEST that names the file */
export function filesOf(list: FileInput[]): Attachment[] {
  if (list.length > limits.email.attachments)
    throw errors.badRequest(`attachments: at most ${limits.email.attachments}.`);
  const files = list.map(fileOf);
  const bytes = decodedBytes(list);
  if (bytes > limits.email.attachmentBytes)
    throw errors.badRequest(
      `attachments: ${Math.ceil(bytes / 1024 / 1024)} MB are too large together; at most ` +
        `${limits.email.attachmentBytes / 1024 / 1024} MB before encoding.`,
    );
  const ids = files.flatMap((file) => file.contentId ?? []);
  if (new Set(ids).size < ids.length) throw errors.badRequest('attachments: duplicate contentId.');
  return files;
}

function fileOf({ filename, content, contentType, contentId, alternative }: FileInput): Attachment {
  if (!filename || filename.length > limits.email.filename || hasControl(filename))
    throw errors.badRequest(
      `attachments: a filename of at most ${limits.email.filename} characters, no control characters, is needed.`,
    );
  if (/^(?:=|$)/.test(content) || base64Digits(content) === null)
    throw errors.badRequest(`attachments: the content of ${filename} is not base64.`);
  if (contentType && !isMediaType(contentType))
    throw errors.badRequest(
      `attachments: the contentType of ${filename} is not a media type such as image/png or ` +
        'text/calendar; method=REQUEST.',
    );
  if (alternative && (!contentType || contentId))
    throw errors.badRequest(
      `attachments: ${filename} is an alternative, which has a contentType and no contentId.`,
    );
  const cid = contentId?.replace(/^<(.*)>$/, '$1');
  if (cid && !isContentId(cid))
    throw errors.badRequest(
      `attachments: the contentId of ${filename} may hold letters, digits and . _ + - only.`,
    );
  return {
    filename,
    content,
    ...(contentType && { contentType }),
    ...(cid && { contentId: cid }),
    ...(alternative && { alternative }),
  };
}

/** Size of the files before they are encoded. */
export const decodedBytes = (list: FileInput[]): number =>
  list.reduce((sum, { content }) => sum + bytesOfDigits(base64Digits(content) ?? 0), 0);
