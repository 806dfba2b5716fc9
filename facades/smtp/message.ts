import { createHash } from 'node:crypto';
import type { Operations } from '../../src/engine/operation/operation.ts';
import { limits } from '../../src/limits.ts';
import { toSingleLine } from '../../src/single-line.ts';
import type { ParsedMailFile, SubmittedMail } from './parse.ts';
import { formatAddress, getMailboxes, sortRecipients } from './recipients.ts';
import { smtpReplies } from './replies.ts';

/** Maximum total bytes of the copies of a message whose recipients are hidden from each other. */
const MAX_COPY_BYTES = 64 * 1024 * 1024;

/** A completed SMTP transaction. */
interface SubmittedMessage {
  /** Address in MAIL FROM. */
  sender: string;
  /** Addresses in RCPT TO. */
  recipients: string[];
  mail: SubmittedMail;
  bytes: number;
}

type EmailInput = Operations['emailSend']['args']['input'];

/** The emails to send: one, or several if the message's copies differ. */
interface SendArguments {
  emails: Operations['emailsSend']['args']['inputs'];
  idempotencyKey: string | null;
}

/**
 * Converts a submitted message to email API input.
 * @param keyId the API key; messages are deduplicated per key
 * @throws SmtpReply if the message exceeds a limit
 */
export function toSendArguments(message: SubmittedMessage, keyId: number | null): SendArguments {
  const { sender, recipients, mail, bytes } = message;
  const header = { to: getMailboxes(mail.headers.get('to')), cc: getMailboxes(mail.headers.get('cc')) };
  const groups = sortRecipients(recipients, header);
  if (groups.length > 1 && groups.length * bytes > MAX_COPY_BYTES) throw smtpReplies.tooManyCopies();
  const messageId = mail.headers.get('message-id');
  const content = buildContent(mail, sender, messageId);
  return {
    emails: groups.map((group) => ({ ...content, ...group })),
    idempotencyKey: messageId ? computeIdempotencyKey(messageId, recipients, keyId) : null,
  };
}

/**
 * Computes the key from the Message-ID and the recipients. A retry has the same recipients, but a client with too many
 * recipients for one transaction sends the same message to the remaining ones.
 */
function computeIdempotencyKey(messageId: string, recipients: string[], keyId: number | null): string {
  const envelope = [...recipients].sort().join('\n');
  return `smtp:${createHash('sha256').update(`${keyId}\n${messageId}\n${envelope}`).digest('base64url')}`;
}

function buildContent(
  mail: SubmittedMail,
  sender: string,
  messageId: string | undefined,
): Omit<EmailInput, 'to'> {
  const [from] = getMailboxes(mail.headers.get('from'));
  const { html, files } = buildFiles(mail);
  return {
    from: from ? formatAddress(from) : sender,
    replyTo: getMailboxes(mail.headers.get('reply-to')).map(formatAddress),
    // A message may omit both, but the API requires them.
    subject: unfold(mail.headers.get('subject') ?? '') || '(no subject)',
    text: mail.text ?? (html?.trim() ? null : '\n'),
    html,
    headers: collectHeaders(mail),
    attachments: files,
    ...(messageId && { metadata: { messageId } }),
  };
}

type EmailFile = NonNullable<EmailInput['attachments']>[number];

/**
 * Builds the files and the HTML. A file is inline if the HTML refers to it. Content-IDs that the API rejects are
 * replaced in the files and in the HTML.
 */
function buildFiles(mail: SubmittedMail): { html: string | null; files: EmailFile[] } {
  let { html } = mail;
  const usedCids = new Set<string>();
  const files = mail.files.map((file, index): EmailFile => {
    const plain = {
      filename: getFilename(file, index),
      content: file.content.toString('base64'),
      ...getFileType(file),
    };
    if (isInvitation(file)) return { ...plain, alternative: true };
    const isInline = file.cid && html?.includes(`cid:${file.cid}`) && !usedCids.has(file.cid);
    if (!isInline) return plain;
    usedCids.add(file.cid!);
    const contentId = CONTENT_ID.test(file.cid!) ? file.cid! : `inline-${index + 1}`;
    if (contentId !== file.cid) html = html!.replaceAll(`cid:${file.cid}`, `cid:${contentId}`);
    return { ...plain, contentId };
  });
  return { html, files };
}

const CONTENT_ID = /^[\w.+-]{1,100}(?:@[\w.-]{1,100})?$/;

/**
 * True for a calendar part with a method that is not an attachment. Mail clients show it as an alternative to the text
 * (RFC 6047, 2.4).
 */
const isInvitation = ({ contentType, contentDisposition, parameters }: ParsedMailFile): boolean =>
  /^text\/calendar$/i.test(contentType) && Boolean(parameters.method) && contentDisposition !== 'attachment';

/**
 * Returns the media type with its safe parameters, except the name, which becomes the filename. A nested message
 * becomes a plain file, because SES accepts no other form.
 */
function getFileType({ contentType, parameters }: ParsedMailFile) {
  if (!TYPE.test(contentType)) return { contentType: 'application/octet-stream' };
  const safeParameters = Object.entries(parameters)
    .filter(([name, value]) => name !== 'name' && /^[\w.+-]{1,30}$/.test(name) && VALUE.test(value))
    .map(([name, value]) => `${name}=${/^[\w.+-]+$/.test(value) ? value : `"${value}"`}`);
  return { contentType: [contentType, ...safeParameters.slice(0, MAX_TYPE_PARAMETERS)].join('; ') };
}

const TYPE = /^(?!multipart\/|message\/)[\w.+-]{1,100}\/[\w.+-]{1,100}$/i;
const VALUE = /^[^"\\\x00-\x1f\x7f-\uffff]{1,100}$/;
const MAX_TYPE_PARAMETERS = 5;

function getFilename({ filename, contentType }: ParsedMailFile, index: number): string {
  const safeName = unfold(filename ?? '')
    .replace(DIRECTION_CHARACTERS, '')
    .toWellFormed()
    .slice(-limits.email.filename);
  return safeName || `attachment-${index + 1}${ENDINGS[contentType.toLowerCase()] ?? ''}`;
}

/** Bidirectional control characters, which the API rejects. */
const DIRECTION_CHARACTERS = /[\u202a-\u202e\u2066-\u2069]/g;

const ENDINGS: Record<string, string> = { 'message/rfc822': '.eml', 'text/calendar': '.ics' };

/** Header fields not to copy: the API sets them, they describe the MIME structure, or they were added in transit. */
const NOT_CUSTOM = new RegExp(
  `^(?:${[
    'from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*',
    'return-path|received|received-spf|dkim-signature|domainkey-signature|authentication-results|arc-.*',
    'delivered-to|x-original-to|resent-.*|x-ses-.*|x-atrium-email-id',
  ].join('|')})$`,
);

/** Collects the remaining header fields. The first field with a given name wins. */
function collectHeaders(mail: SubmittedMail): Record<string, string> {
  const headers = new Map<string, [name: string, value: string]>();
  for (const { key, line } of mail.headerLines) {
    if (NOT_CUSTOM.test(key) || headers.has(key)) continue;
    const colon = line.indexOf(':');
    const value = getFieldText(line.slice(colon + 1), mail.headers.get(key));
    if (value) headers.set(key, [line.slice(0, colon).trim(), value]);
  }
  return Object.fromEntries(headers.values());
}

/**
 * Returns a field's text with encoded words unchanged. Only a field with non-ASCII characters needs the parsed value.
 */
function getFieldText(raw: string, parsedValue: unknown): string {
  return unfold(/^[\x00-\x7f]*$/.test(raw) || typeof parsedValue !== 'string' ? raw : parsedValue);
}

const unfold = (text: string): string => toSingleLine(text.replace(/\r?\n(?=[ \t])/g, '')).trim();
