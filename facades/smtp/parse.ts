import { buffer } from 'node:stream/consumers';
import type { HeaderLine, MailParser, ParsedAttachment, ParsedHeaders, ParsedPart } from 'mailparser';
import { limits } from '../../src/limits.ts';
import { SmtpReply, smtpReplies } from './replies.ts';

/** Of an attachment what goes on. */
export interface ParsedMailFile
  extends Pick<ParsedAttachment, 'filename' | 'contentType' | 'contentDisposition' | 'cid'> {
  content: Buffer;
  /** Of its Content-Type, by names in lower case. */
  parameters: Record<string, string>;
}

/** A message that has been read. */
export interface SubmittedMail {
  headers: ParsedHeaders;
  /** Fields as they came, in their order. */
  headerLines: HeaderLine[];
  text: string | null;
  html: string | null;
  files: ParsedMailFile[];
}

/**
 * What a parser makes of the bytes that are written to it, once they have ended. A file too many ends it at once.
 * @throws Reply for what cannot be read or has too many files
 */
export function collectMail(parser: MailParser): Promise<SubmittedMail> {
  const mail: Omit<SubmittedMail, 'files'> = { headers: new Map(), headerLines: [], text: null, html: null };
  const files: Promise<ParsedMailFile>[] = [];
  parser.on('headers', (headers) => {
    mail.headers = headers;
    if (SIGNED_OR_ENCRYPTED.test(headers.get('content-type')?.value ?? ''))
      parser.destroy(smtpReplies.sealed());
  });
  parser.on('headerLines', (lines) => {
    mail.headerLines = lines;
  });
  parser.on('data', (part) => {
    if (part.type === 'text') {
      mail.text = part.text || null;
      mail.html = part.html || null;
    } else if (files.length === limits.email.attachments) {
      parser.destroy(smtpReplies.tooManyFiles(limits.email.attachments));
    } else {
      const file = readFile(part);
      file.catch((error) => parser.destroy(error));
      files.push(file);
    }
  });
  return new Promise((resolve, reject) => {
    parser.on('error', (error) => reject(toReply(error)));
    parser.on('end', () => {
      if (parser.tree && hasSignedPart(parser.tree)) reject(smtpReplies.sealed());
      else Promise.all(files).then((read) => resolve({ ...mail, files: read }), reject);
    });
  });
}

function toReply(error: Error & { code?: string }): SmtpReply {
  if (error instanceof SmtpReply) return error;
  return error.code === 'EMAXLEN'
    ? smtpReplies.headerTooLarge(limits.submission.header)
    : smtpReplies.unreadable();
}

/** RFC 1847, RFC 8551: bytes that must arrive as they are, which a message made of parts cannot promise. */
const SIGNED_OR_ENCRYPTED = /^(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?pkcs7-mime)$/i;

/** Also within other parts, as mailing lists put it. What is a file there goes on as it is. */
const hasSignedPart = ({ contentType, children }: ParsedPart): boolean =>
  /^multipart\/(?:signed|encrypted)$/i.test(String(contentType)) || children.some(hasSignedPart);

async function readFile(part: ParsedAttachment): Promise<ParsedMailFile> {
  const content = await buffer(part.content);
  part.release();
  const { filename, contentType, contentDisposition, cid } = part;
  const type = part.headers.get('content-type');
  return {
    filename,
    contentType,
    contentDisposition,
    cid,
    // What was made of the file's name has none.
    parameters: type?.value.toLowerCase() === contentType.toLowerCase() ? type.params : {},
    content,
  };
}
