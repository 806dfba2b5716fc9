import type { ReceivedFile, ReceivedMail } from '../../../src/engine/work/received-mail.ts';
import { limits } from '../../../src/limits.ts';
import { renderPreformatted } from '../../../src/message/html/plain-html.ts';
import { sanitizeMessage } from '../../../src/text/sanitize-message.ts';

/** For a longer message, only the text is stored. */
const MAX_STORED_HTML_BYTES = 256 * 1024;
const MAX_STORED_TEXT_CHARS = 100_000;
const MAX_STORED_FILES = 30;
const MAX_STORED_FILES_BYTES = 25 * 1024 * 1024;
const MAX_REPLY_REFERENCES = 100;

export interface TicketMessage {
  /** Lowercase. */
  from: string;
  name: string;
  isProved: boolean;
  recipients: readonly string[];
  cc: readonly string[];
  subject: string;
  messageId: string | null;
  answers: readonly string[];
  /** Sanitized HTML. */
  body: string;
  files: readonly ReceivedFile[];
}

/** Extracts the parts of a message that a ticket stores. Files over the limits remain only in the mailbox. */
export async function toTicketMessage(
  workspaceId: number,
  mail: ReceivedMail,
  from: string,
): Promise<TicketMessage> {
  const { isProved, recipients, cc, messageId, answers } = mail;
  return {
    from,
    name: toLine(mail.fromName, 200) || from,
    isProved,
    recipients,
    cc: cc.slice(0, 20),
    subject: toLine(mail.subject, limits.helpdesk.subject),
    messageId,
    answers: answers.slice(0, MAX_REPLY_REFERENCES),
    body: await toBody(workspaceId, mail),
    files: limitFiles(mail.files),
  };
}

const toLine = (text: string, maxLength: number): string =>
  text
    .replace(/[\s\x00-\x1f\x7f]+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();

/** Builds the stored body without remote images, which would tell the sender when and where the ticket is read. */
async function toBody(
  workspaceId: number,
  { html, text }: Pick<ReceivedMail, 'html' | 'text'>,
): Promise<string> {
  if (html !== null && Buffer.byteLength(html) <= MAX_STORED_HTML_BYTES) {
    const images = { files: new Map(), remote: 'hidden' } as const;
    // Null if sanitizing fails. The content of a message must not prevent its filing.
    const sanitized = await sanitizeMessage(workspaceId, html, images, 'inline').catch(() => null);
    if (sanitized) return sanitized.html;
  }
  return renderPreformatted(text.slice(0, MAX_STORED_TEXT_CHARS).toWellFormed());
}

/**
 * Returns the files that fit the limits. A file's content is loaded only when it is stored, because many messages are
 * parsed concurrently.
 */
function limitFiles(receivedFiles: readonly ReceivedFile[]): ReceivedFile[] {
  let bytesLeft = MAX_STORED_FILES_BYTES;
  return receivedFiles.slice(0, MAX_STORED_FILES).flatMap((file) => {
    if (file.size > bytesLeft) return [];
    bytesLeft -= file.size;
    return [{ ...file, name: toLine(file.name, 200) || 'file' }];
  });
}
