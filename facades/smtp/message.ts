import { createHash } from 'node:crypto';
import type { Operations } from '../../src/engine/operation/operation.ts';
import { limits } from '../../src/limits.ts';
import { toSingleLine } from '../../src/single-line.ts';
import type { SubmittedFile, SubmittedMail } from './parse.ts';
import { formatAddress, sortRecipients } from './recipients.ts';
import { smtpReplies } from './replies.ts';

/** Maximum total size of a message's copies if its recipients are hidden from each other. */
const MAX_COPY_BYTES = 64 * 1024 * 1024;

interface SubmittedMessage {
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
  const groups = sortRecipients(recipients, mail);
  if (groups.length > 1 && groups.length * bytes > MAX_COPY_BYTES) throw smtpReplies.tooManyCopies();
  const content = buildContent(mail, sender);
  return {
    emails: groups.map((group) => ({ ...content, ...group })),
    idempotencyKey: mail.messageId ? computeIdempotencyKey(mail.messageId, recipients, keyId) : null,
  };
}

/**
 * Computes an idempotency key from the Message-ID and the recipients. A retry has the same recipients, but a client
 * with too many recipients for one transaction sends the same message again to the remaining ones.
 */
function computeIdempotencyKey(messageId: string, recipients: string[], keyId: number | null): string {
  const envelope = [...recipients].sort().join('\n');
  return `smtp:${createHash('sha256').update(`${keyId}\n${messageId}\n${envelope}`).digest('base64url')}`;
}

function buildContent(mail: SubmittedMail, sender: string): Omit<EmailInput, 'to'> {
  const { messageId } = mail;
  const [from] = mail.from;
  const { html, files } = buildFiles(mail);
  return {
    from: from ? formatAddress(from) : sender,
    replyTo: mail.replyTo.map(formatAddress),
    // A message may omit the subject and the text, but the API requires them.
    subject: cleanText(mail.subject) || '(no subject)',
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
    const plain = { filename: getFilename(file, index), content: file.content, ...getFileType(file) };
    if (isInvitation(file)) return { ...plain, alternative: true };
    const cid = file.contentId;
    if (!cid || !html?.includes(`cid:${cid}`) || usedCids.has(cid)) return plain;
    usedCids.add(cid);
    const contentId = CONTENT_ID.test(cid) ? cid : `inline-${index + 1}`;
    if (contentId !== cid) html = html.replaceAll(`cid:${cid}`, `cid:${contentId}`);
    return { ...plain, contentId };
  });
  return { html, files };
}

const CONTENT_ID = /^[\w.+-]{1,100}(?:@[\w.-]{1,100})?$/;

/**
 * Returns true for a calendar part that has a method and is not an attachment. Mail clients show it as an alternative
 * to the text (RFC 6047, 2.4).
 */
const isInvitation = ({ contentType, disposition, parameters }: SubmittedFile): boolean =>
  contentType === 'text/calendar' && Boolean(parameters.get('method')) && disposition !== 'attachment';

/**
 * Returns the media type with its safe parameters, except the name, which becomes the filename. If the type is generic,
 * it is derived from the filename. A nested message becomes a plain file, because SES accepts no other form.
 */
function getFileType({ contentType, parameters }: SubmittedFile) {
  if (contentType === OCTET_STREAM) return {};
  if (!TYPE.test(contentType)) return { contentType: OCTET_STREAM };
  const safeParameters = [...parameters]
    .filter(([name, value]) => name !== 'name' && /^[\w.+-]{1,30}$/.test(name) && VALUE.test(value))
    .map(([name, value]) => `${name}=${/^[\w.+-]+$/.test(value) ? value : `"${value}"`}`);
  return { contentType: [contentType, ...safeParameters.slice(0, MAX_TYPE_PARAMETERS)].join('; ') };
}

const OCTET_STREAM = 'application/octet-stream';
const TYPE = /^(?!multipart\/|message\/)[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const VALUE = /^[^"\\\x00-\x1f\x7f-\uffff]{1,100}$/;
const MAX_TYPE_PARAMETERS = 5;

function getFilename({ filename, contentType }: SubmittedFile, index: number): string {
  const safeName = cleanText(filename)
    .replace(DIRECTION_CHARACTERS, '')
    .toWellFormed()
    .slice(-limits.email.filename);
  return safeName || `attachment-${index + 1}${ENDINGS[contentType] ?? ''}`;
}

/** Bidirectional control characters, which the API rejects. */
const DIRECTION_CHARACTERS = /[\u202a-\u202e\u2066-\u2069]/g;

const ENDINGS: Record<string, string> = { 'message/rfc822': '.eml', 'text/calendar': '.ics' };

/** Header fields not to copy: the API sets them, they describe the MIME structure, or they were added in transit. */
const STANDARD_HEADER = new RegExp(
  `^(?:${[
    'from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*',
    'return-path|received|received-spf|dkim-signature|domainkey-signature|authentication-results|arc-.*',
    'delivered-to|x-original-to|resent-.*|x-ses-.*|x-atrium-email-id',
  ].join('|')})$`,
);

/** Collects the remaining header fields. The first field with a given name wins. */
function collectHeaders(mail: SubmittedMail): Record<string, string> {
  const headers = new Map<string, [name: string, value: string]>();
  for (const { name, label, value } of mail.headers) {
    const text = cleanText(value);
    if (text && !STANDARD_HEADER.test(name) && !headers.has(name)) headers.set(name, [label, text]);
  }
  return Object.fromEntries(headers.values());
}

const cleanText = (text: string): string => toSingleLine(text).trim();
