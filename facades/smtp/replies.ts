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
  wrongKey: () =>
    new SmtpReply(535, '5.7.8 The password must be a key of a workspace (us_...) that is in force.'),
  keyNeeded: () =>
    new SmtpReply(
      530,
      '5.7.0 Authentication is needed; without TLS it is offered on this machine only, so STARTTLS first.',
    ),
  tooManyStrangers: () =>
    new SmtpReply(421, '4.7.0 Too many sessions from your address have shown no key; try again in a moment.'),
  tooManySessions: () => new SmtpReply(421, '4.7.0 Too many sessions; try again in a moment.'),
  keyTooLate: () => new SmtpReply(421, '4.7.0 No key was shown in time.'),
  tooLarge: (maxBytes: number) => new SmtpReply(552, `5.3.4 The message is larger than ${maxBytes} bytes.`),
  tooManyFiles: (maxFiles: number) =>
    new SmtpReply(552, `5.3.4 The message has more than ${maxFiles} attachments.`),
  headerTooLarge: (maxBytes: number) =>
    new SmtpReply(552, `5.3.4 A header of the message is larger than ${maxBytes} bytes.`),
  tooManyAddresses: (maxBytes: number) =>
    new SmtpReply(552, `5.3.4 The address headers (From, To, Cc ...) are larger than ${maxBytes} bytes.`),
  tooManyCopies: () =>
    new SmtpReply(
      552,
      '5.3.4 None of the recipients is named in To or Cc, so each gets a message of its own, which is too much ' +
        'for one of this size: name them, or send to fewer at a time.',
    ),
  cutOff: () => new SmtpReply(421, '4.4.2 The connection ended before the message did.'),
  ending: () => new SmtpReply(421, '4.3.2 This server is about to end; try again.'),
  sealed: () =>
    new SmtpReply(
      554,
      '5.6.1 Signed and encrypted mail (S/MIME, PGP/MIME) is not accepted: it would be written again, which breaks ' +
        'its signature.',
    ),
  unreadable: () => new SmtpReply(554, '5.6.0 The message cannot be read.'),
  unknownParameter: (name: string) =>
    new SmtpReply(555, `5.5.4 The parameter ${name.slice(0, 40)} is not known here.`),
  utf8Needed: () => new SmtpReply(553, '5.6.7 An address that is not ASCII needs the parameter SMTPUTF8.'),
  unknownMailbox: () => new SmtpReply(550, '5.1.1 There is no such mailbox here.'),
  tooManyUnknown: () => new SmtpReply(421, '4.7.0 Too many of the recipients are not here.'),
  overQuota: () => new SmtpReply(552, '5.2.2 The message is larger than the mailbox may be.'),
  mailboxFull: () => new SmtpReply(452, '4.2.2 The mailbox is full.'),
  tooManyRecipients: () => new SmtpReply(452, '4.5.3 Too many recipients; send it to the others next.'),
  laterOn: () => new SmtpReply(451, '4.3.0 The message cannot be kept now; try again.'),
  repeatedId: () =>
    new SmtpReply(554, '5.6.0 The same Message-ID was used for another message within the last 24 hours.'),
};

/** Temporary failures and authentication errors. Other errors are permanent. */
const CODES: Partial<Record<ErrorKind, [code: number, enhanced: string]>> = {
  UNAUTHENTICATED: [535, '5.7.8'],
  BUSY: [451, '4.3.2'],
  INTERNAL: [451, '4.3.0'],
};

/** Builds the reply to a rejected message. */
export function toSmtpReply(error: AppError): SmtpReply {
  if (error.kind === 'NOT_UNIQUE') return smtpReplies.repeatedId();
  const [code, enhanced] = CODES[error.kind] ?? [550, '5.7.1'];
  return new SmtpReply(code, `${enhanced} ${error.message.replace(/\s+/g, ' ').slice(0, MAX_REPLY_LENGTH)}`);
}

/** Maximum length of the message. A reply line has at most 512 bytes (RFC 5321 4.5.3.1.5). */
const MAX_REPLY_LENGTH = 400;
