import { buffer } from 'node:stream/consumers';
import type { HeaderLine, MailParser, ParsedAttachment, ParsedHeaders, ParsedPart } from 'mailparser';
import { limits } from '../../src/limits.ts';
import { Reply, replies } from './replies.ts';

/** Of an attachment what goes on. */
export interface MailFile
  extends Pick<ParsedAttachment, 'filename' | 'contentType' | 'contentDisposition' | 'cid'> {
  content: Buffer;
  /** Of its Content-Type, by names in lower case. */
  parameters: Record<string, string>;
}

/** A message that has been read. */
export interface Mail {
  headers: ParsedHeaders;
  /** Fields as they came, in their order. */
  headerLines: HeaderLine[];
  text: string | null;
  html: string | null;
  files: MailFile[];
}

/**
 * What a parser makes of the bytes that are written to it, once they have ended. A file too many ends it at once.
 * @throws Reply for what cannot be read or has too many files
 */
export function mailOf(parser: MailParser): Promise<Mail> {
  const mail: Omit<Mail, 'files'> = { headers: new Map(), headerLines: [], text: null, html: null };
  const files: Promise<MailFile>[] = [];
  parser.on('headers', (headers) => {
    mail.headers = headers;
    if (SEALED.test(headers.get('content-type')?.value ?? '')) parser.destroy(replies.sealed());
  });
  parser.on('headerLines', (lines) => {
    mail.headerLines = lines;
  });
  parser.on('data', (part) => {
    if (part.type === 'text') {
      mail.text = part.text || null;
      mail.html = part.html || null;
    } else if (files.length === limits.email.attachments) {
      parser.destroy(replies.tooManyFiles(limits.email.attachments));
    } else {
      const file = fileOf(part);
      file.catch((error) => parser.destroy(error));
      files.push(file);
    }
  });
  return new Promise((resolve, reject) => {
    parser.on('error', (error) => reject(replyTo(error)));
    parser.on('end', () => {
      if (parser.tree && holdsSealed(parser.tree)) reject(replies.sealed());
      else Promise.all(files).then((read) => resolve({ ...mail, files: read }), reject);
    });
  });
}

function replyTo(error: Error & { code?: string }): Reply {
  if (error instanceof Reply) return error;
  return error.code === 'EMAXLEN' ? replies.headerTooLarge(limits.submission.header) : replies.unreadable();
}

/** RFC 1847, RFC 8551: bytes that must arrive as they are, which a message made of parts cannot promise. */
const SEALED = /^(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?pkcs7-mime)$/i;

/** Also within other parts, as mailing lists put it. What is a file there goes on as it is. */
const holdsSealed = ({ contentType, children }: ParsedPart): boolean =>
  /^multipart\/(?:signed|encrypted)$/i.test(String(contentType)) || children.some(holdsSealed);

async function fileOf(part: ParsedAttachment): Promise<MailFile> {
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
