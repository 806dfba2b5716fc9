import type { ReceivedFile, ReceivedMail } from '../../../src/engine/work/received-mail.ts';
import { limits } from '../../../src/limits.ts';
import { renderPreformatted } from '../../../src/message/parse/plain-html.ts';
import { sanitizeHtml } from '../../../src/message/parse/sanitize.ts';

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

/** Extracts the part of a message that its ticket will store. Files over the limits remain only in the mailbox. */
export function toTicketMessage(mail: ReceivedMail, from: string): TicketMessage {
  const { isProved, recipients, cc, messageId, answers } = mail;
  return {
    from,
    name: toLine(mail.fromName, 200) || from,
    isProved,
    recipients,
    cc: cc.slice(0, 20),
    subject: toLine(mail.subject, limits.helpdesk.subject),
    messageId,
    answers: answers.slice(0, limits.helpdesk.answers),
    body: toBody(mail),
    files: limitFiles(mail.files),
  };
}

const toLine = (text: string, maxLength: number): string =>
  text
    .replace(/[\s\x00-\x1f\x7f]+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();

/** Omits remote images, because they would tell the sender when and where the ticket is read. */
function toBody({ html, text }: Pick<ReceivedMail, 'html' | 'text'>): string {
  if (html === null || Buffer.byteLength(html) > limits.helpdesk.html)
    return renderPreformatted(text.slice(0, limits.helpdesk.text).toWellFormed());
  return sanitizeHtml(html, { cid: () => null, remoteImage: () => null }).html;
}

/** Contents are loaded one by one when they are stored, because many messages are parsed at the same time. */
function limitFiles(receivedFiles: readonly ReceivedFile[]): ReceivedFile[] {
  let bytesLeft = limits.helpdesk.fileBytes;
  return receivedFiles.slice(0, limits.helpdesk.files).flatMap((file) => {
    if (file.size > bytesLeft) return [];
    bytesLeft -= file.size;
    return [{ ...file, name: toLine(file.name, 200) || 'file' }];
  });
}
