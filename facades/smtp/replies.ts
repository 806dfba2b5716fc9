import type { AppError, ErrorKind } from '../../src/errors.ts';

/** An error as an SMTP reply. The text begins with the enhanced status code (RFC 3463) and is ASCII (RFC 5321 4.2). */
export class SmtpReply extends Error {
  readonly responseCode: number;
  constructor(code: number, text: string) {
    super(text.replace(/[^\x20-\x7e]/gu, '?'));
    this.responseCode = code;
  }
}

export const smtpReplies = {
  invalidKey: () =>
    new SmtpReply(535, '5.7.8 Invalid key. The password must be a valid API key of a workspace (us_...).'),
  authenticationRequired: () =>
    new SmtpReply(
      530,
      '5.7.0 Authentication required. Use STARTTLS first, unless you connect from the same machine.',
    ),
  tooManyUnauthenticatedSessions: () =>
    new SmtpReply(421, '4.7.0 Too many unauthenticated sessions from your address. Try again later.'),
  tooManySessions: () => new SmtpReply(421, '4.7.0 Too many sessions. Try again later.'),
  authenticationTimeout: () => new SmtpReply(421, '4.7.0 Authentication timed out.'),
  tooLarge: (maxBytes: number) => new SmtpReply(552, `5.3.4 The message is larger than ${maxBytes} bytes.`),
  tooManyFiles: (maxFiles: number) =>
    new SmtpReply(552, `5.3.4 The message has more than ${maxFiles} attachments.`),
  headerTooLarge: (maxBytes: number) =>
    new SmtpReply(552, `5.3.4 A message header is larger than ${maxBytes} bytes.`),
  tooManyAddresses: (maxBytes: number) =>
    new SmtpReply(552, `5.3.4 The address headers (From, To, Cc ...) are larger than ${maxBytes} bytes.`),
  tooManyCopies: () =>
    new SmtpReply(
      552,
      '5.3.4 The message is too large to be copied for each recipient. List the recipients in To or Cc, or send ' +
        'to fewer recipients at a time.',
    ),
  connectionClosed: () =>
    new SmtpReply(421, '4.4.2 The connection was closed before the end of the message.'),
  shuttingDown: () => new SmtpReply(421, '4.3.2 The server is shutting down. Try again later.'),
  signedOrEncrypted: () =>
    new SmtpReply(
      554,
      '5.6.1 Signed or encrypted messages (S/MIME, PGP/MIME) are not accepted, because rewriting them would ' +
        'invalidate the signature.',
    ),
  invalidMessage: () => new SmtpReply(554, '5.6.0 The message cannot be parsed.'),
  unknownParameter: (name: string) => new SmtpReply(555, `5.5.4 Unknown parameter ${name.slice(0, 40)}.`),
  utf8Required: () => new SmtpReply(553, '5.6.7 Non-ASCII addresses require the SMTPUTF8 parameter.'),
  unknownMailbox: () => new SmtpReply(550, '5.1.1 The mailbox does not exist.'),
  tooManyUnknownRecipients: () => new SmtpReply(421, '4.7.0 Too many unknown recipients.'),
  largerThanQuota: () => new SmtpReply(552, '5.2.2 The message is larger than the mailbox quota.'),
  mailboxFull: () => new SmtpReply(452, '4.2.2 The mailbox is full.'),
  tooManyRecipients: () =>
    new SmtpReply(452, '4.5.3 Too many recipients. Send the message to the others in another transaction.'),
  storageFailed: () =>
    new SmtpReply(451, '4.3.0 The message cannot be stored at the moment. Try again later.'),
  duplicateMessageId: () =>
    new SmtpReply(554, '5.6.0 The Message-ID was used for another message within the last 24 hours.'),
};

/** Codes of temporary failures and authentication errors. All other errors are permanent. */
const CODES: Partial<Record<ErrorKind, [code: number, enhanced: string]>> = {
  UNAUTHENTICATED: [535, '5.7.8'],
  BUSY: [451, '4.3.2'],
  INTERNAL: [451, '4.3.0'],
};

export function toSmtpReply(error: AppError): SmtpReply {
  if (error.kind === 'NOT_UNIQUE') return smtpReplies.duplicateMessageId();
  const [code, enhanced] = CODES[error.kind] ?? [550, '5.7.1'];
  return new SmtpReply(code, `${enhanced} ${error.message.replace(/\s+/g, ' ').slice(0, MAX_REPLY_LENGTH)}`);
}

/** Maximum length of the message. A reply line has at most 512 bytes (RFC 5321 4.5.3.1.5). */
const MAX_REPLY_LENGTH = 400;
