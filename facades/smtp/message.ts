import { createHash } from 'node:crypto';
import { type ParsedFile, type ParsedMail, simpleParser } from 'mailparser';
import { limits } from '../../src/limits.ts';
import { mailboxesOf, recipientsOf, textOf } from './recipients.ts';
import { replies } from './replies.ts';

/** A transaction whose message has arrived. */
export interface Submitted {
  /** MAIL FROM. */
  sender: string;
  /** RCPT TO. */
  recipients: string[];
  raw: Buffer;
}

/** Arguments of the verb that sends. */
export interface Sending {
  emails: Record<string, unknown>[];
  batch: boolean;
  idempotencyKey: string | null;
}

/**
 * A submitted message as the email API takes it.
 * @param keyId a Message-ID is known again for the same key only
 * @throws Reply for what cannot be read or is too much
 */
export async function sendingOf(submitted: Submitted, keyId: number | null): Promise<Sending> {
  const mail = await parsed(submitted.raw);
  const groups = recipientsOf(submitted.recipients, { to: mailboxesOf(mail.to), cc: mailboxesOf(mail.cc) });
  if (groups.length > 1 && groups.length * submitted.raw.length > limits.submissionCopies)
    throw replies.tooManyCopies();
  const content = contentOf(mail, submitted.sender);
  return {
    emails: groups.map((recipients) => ({ ...content, ...recipients })),
    batch: groups.length > 1,
    idempotencyKey: mail.messageId ? idempotencyOf(mail.messageId, submitted, keyId) : null,
  };
}

/** Texts are taken as they are: to make one from the other is the composer's, which bounds what that costs. */
const PLAIN = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipImageLinks: true,
  skipTextLinks: true,
  keepCidLinks: true,
};

async function parsed(raw: Buffer): Promise<ParsedMail> {
  try {
    return await simpleParser(raw, PLAIN);
  } catch {
    throw replies.unreadable();
  }
}

/** A client that hears no answer sends again; one that has too many recipients for one transaction sends to the others next. */
function idempotencyOf(messageId: string, { recipients }: Submitted, keyId: number | null): string {
  const envelope = [...recipients].sort().join('\n');
  return `smtp:${createHash('sha256').update(`${keyId}\n${messageId}\n${envelope}`).digest('base64url')}`;
}

function contentOf(mail: ParsedMail, sender: string): Record<string, unknown> {
  const [from] = mailboxesOf(mail.from);
  const { html, files } = filesOf(mail);
  return {
    from: from ? textOf(from) : sender,
    replyTo: mailboxesOf(mail.replyTo).map(textOf),
    // Both may be empty in a message, and neither in the API.
    subject: oneLine(mail.subject ?? '') || '(no subject)',
    text: mail.text || (html ? null : '\n'),
    html,
    headers: headersOf(mail),
    attachments: files,
    ...(mail.messageId && { metadata: { messageId: mail.messageId } }),
  };
}

interface File {
  filename: string;
  content: string;
  contentType: string;
  contentId?: string;
}

/** Files are inline when the HTML shows them; ids that the API does not take get another name in both places. */
function filesOf(mail: ParsedMail): { html: string | null; files: File[] } {
  let html = mail.html || null;
  const taken = new Set<string>();
  const files = mail.attachments.map((file, at): File => {
    const plain = {
      filename: filenameOf(file, at),
      content: file.content.toString('base64'),
      ...typeOf(file),
    };
    const shown = file.cid && html?.includes(`cid:${file.cid}`) && !taken.has(file.cid);
    if (!shown) return plain;
    taken.add(file.cid!);
    const contentId = CONTENT_ID.test(file.cid!) ? file.cid! : `inline-${at + 1}`;
    if (contentId !== file.cid) html = html!.replaceAll(`cid:${file.cid}`, `cid:${contentId}`);
    return { ...plain, contentId };
  });
  return { html, files };
}

const CONTENT_ID = /^[\w.+-]{1,100}(?:@[\w.-]{1,100})?$/;
const TYPE = /^(?!multipart\/|message\/)[\w.+-]{1,100}\/[\w.+-]{1,100}$/i;

/** A message within a message goes on as a file: SES takes no other. */
const typeOf = ({ contentType }: ParsedFile) => ({
  contentType: TYPE.test(contentType) ? contentType : 'application/octet-stream',
});

function filenameOf({ filename, contentType }: ParsedFile, at: number): string {
  const given = oneLine(filename ?? '').slice(-limits.emailFilename);
  return given || `attachment-${at + 1}${contentType === 'message/rfc822' ? '.eml' : ''}`;
}

/** Fields that come from elsewhere: from the email's own, from the message's form, or from the way it took to get here. */
const NOT_CUSTOM =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|return-path|received|received-spf|dkim-signature|domainkey-signature|authentication-results|arc-.*|delivered-to|x-original-to|resent-.*|x-ses-.*|x-atrium-email-id)$/;

/** All other fields; of one that comes twice, the first. */
function headersOf(mail: ParsedMail): Record<string, string> {
  const headers = new Map<string, [name: string, value: string]>();
  for (const { key, line } of mail.headerLines) {
    if (NOT_CUSTOM.test(key) || headers.has(key)) continue;
    const colon = line.indexOf(':');
    const value = fieldText(line.slice(colon + 1), mail.headers.get(key));
    if (value) headers.set(key, [line.slice(0, colon).trim(), value]);
  }
  return Object.fromEntries(headers.values());
}

/** As it came: encoded words go on as they are. Only what is not ASCII needs the parser's reading. */
function fieldText(raw: string, read: unknown): string {
  return oneLine(/^[\x00-\x7f]*$/.test(raw) || typeof read !== 'string' ? raw : read);
}

/** Folded lines are one; what else may not stand in a header is a space. */
const oneLine = (text: string): string =>
  text
    .replace(/\r?\n(?=[ \t])/g, '')
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')
    .trim();
