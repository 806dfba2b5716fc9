import { buffer } from 'node:stream/consumers';
import type { HeaderLine, MailParser, ParsedAttachment, ParsedHeaders, ParsedPart } from 'mailparser';
import { limits } from '../../src/limits.ts';
import { SmtpReply, smtpReplies } from './replies.ts';

/** The attachment properties that are passed on. */
export interface ParsedMailFile
  extends Pick<ParsedAttachment, 'filename' | 'contentType' | 'contentDisposition' | 'cid'> {
  content: Buffer;
  /** Parameters of Content-Type, by lowercase name. */
  parameters: Record<string, string>;
}

export interface SubmittedMail {
  headers: ParsedHeaders;
  /** Unparsed fields in order. */
  headerLines: HeaderLine[];
  text: string | null;
  html: string | null;
  files: ParsedMailFile[];
}

/**
 * Collects a parser's output until its input ends. Stops as soon as there are too many files.
 * @throws SmtpReply if the message cannot be parsed or has too many files
 */
export function collectMail(parser: MailParser): Promise<SubmittedMail> {
  const mail: Omit<SubmittedMail, 'files'> = { headers: new Map(), headerLines: [], text: null, html: null };
  const files: Promise<ParsedMailFile>[] = [];
  parser.on('headers', (headers) => {
    mail.headers = headers;
    if (SIGNED_OR_ENCRYPTED.test(headers.get('content-type')?.value ?? ''))
      parser.destroy(smtpReplies.signedOrEncrypted());
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
      if (parser.tree && hasSignedPart(parser.tree)) reject(smtpReplies.signedOrEncrypted());
      else Promise.all(files).then((parsedFiles) => resolve({ ...mail, files: parsedFiles }), reject);
    });
  });
}

function toReply(error: Error & { code?: string }): SmtpReply {
  if (error instanceof SmtpReply) return error;
  return error.code === 'EMAXLEN'
    ? smtpReplies.headerTooLarge(limits.submission.header)
    : smtpReplies.invalidMessage();
}

/**
 * Signed and encrypted types (RFC 1847, RFC 8551). Their bytes must not change, but composing a message from parts can
 * change them.
 */
const SIGNED_OR_ENCRYPTED = /^(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?pkcs7-mime)$/i;

/**
 * True if the message or a nested part is signed. Mailing lists nest signed parts. Ignores attachments, which are
 * passed on unchanged.
 */
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
    // A type derived from the file name has no parameters.
    parameters: type?.value.toLowerCase() === contentType.toLowerCase() ? type.params : {},
    content,
  };
}
