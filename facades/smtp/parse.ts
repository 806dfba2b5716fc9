import { buffer } from 'node:stream/consumers';
import type { HeaderLine, MailParser, ParsedAttachment, ParsedHeaders } from 'mailparser';
import { limits } from '../../src/limits.ts';
import { Reply, replies } from './replies.ts';

/** Of an attachment what goes on. */
export interface MailFile extends Pick<ParsedAttachment, 'filename' | 'contentType' | 'cid'> {
  content: Buffer;
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
    parser.on('error', (error) => reject(error instanceof Reply ? error : replies.unreadable()));
    parser.on('end', () => Promise.all(files).then((read) => resolve({ ...mail, files: read }), reject));
  });
}

async function fileOf(part: ParsedAttachment): Promise<MailFile> {
  const content = await buffer(part.content);
  part.release();
  return { filename: part.filename, contentType: part.contentType, cid: part.cid, content };
}
