import { limits } from '../../../src/limits.ts';
import { runAfterYield } from '../../../src/loop/yield.ts';
import { parseAddresses } from '../../../src/message/parse/addresses.ts';
import { findBodyParts } from '../../../src/message/parse/body-parts.ts';
import { loadMailSource, type MailSource } from '../../../src/message/parse/material.ts';
import { buildPlaceholder, type ParsedMail, parseMailSource } from '../../../src/message/parse/message.ts';
import type { RawMail } from '../../../src/message/parse/raw.ts';
import type { ScannedPart } from '../../../src/message/parse/scan.ts';
import { extractMessageWords } from '../../../src/message/search/words.ts';
import { computeThreadKeys, type ThreadKeys } from '../../../src/message/thread/refs.ts';
import { createTraceHash, hashWhileReading } from '../../../src/message/trace-hash.ts';
import { parseMaterialInThread } from './parse-in-thread.ts';
import { type ContentPart, type MessageContent, toPerson } from './store-content.ts';

/** Per attempt. */
const PARSE_TIMEOUT_MS = 10_000;

export interface ReadMail {
  mail: ParsedMail;
  content: MessageContent;
  threads: ThreadKeys;
  /** Returns the search terms. Only the sender's copy has `bcc`. */
  words(bcc?: readonly string[]): Promise<string[]>;
}

/** Messages with more header and text bytes are parsed in a worker thread. */
const MIN_THREAD_BYTES = 32 * 1024;

/** UTF-16 units of stored text: more than is displayed, so that truncation can be detected. */
const MAX_TEXT_LENGTH = 2 * limits.mail.body + 2;

/**
 * Parses a raw message. Never throws because of its content: an unreadable message becomes a placeholder.
 * @param workspaceId workspace that the work is attributed to
 */
export async function readMail(raw: RawMail, rawHash: string, workspaceId: number): Promise<ReadMail> {
  const innerHash = createTraceHash();
  const mailSource = await loadMailSource(hashWhileReading(raw, innerHash));
  const mail = await parseMaterial(mailSource, workspaceId);
  return toReadMail(mail, rawHash, innerHash.end());
}

export function buildUnreadMail({
  raw_hash,
  size,
  sender,
}: {
  raw_hash: string;
  size: number;
  sender: string;
}): ReadMail {
  const mail = buildPlaceholder({ header: new Uint8Array(), parts: [], size, truncated: true });
  return toReadMail(
    { ...mail, subject: UNREAD_SUBJECT, from: [{ name: '', address: sender }] },
    raw_hash,
    null,
  );
}

const UNREAD_SUBJECT = 'A message that could not be read';

function toReadMail(mail: ParsedMail, rawHash: string, belowHash: Buffer | null): ReadMail {
  const from = findSender(mail);
  const content: MessageContent = {
    rawHash,
    rawWhole: true,
    belowHash,
    size: mail.size,
    subject: mail.subject,
    from: { name: from?.name ?? '', email: from?.address ?? '' },
    recipients: {
      to: mail.to.map(toPerson),
      cc: mail.cc.map(toPerson),
      replyTo: mail.replyTo.map(toPerson),
      ...(mail.recipientsTruncated && { isCut: true }),
    },
    dateHeader: mail.date ? new Date(mail.date) : null,
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo[0] ?? null,
    references: mail.references,
    listId: mail.list.find(({ name }) => name === 'list-id')?.value ?? null,
    snippet: mail.snippet,
    text: mail.text.slice(0, MAX_TEXT_LENGTH).toWellFormed(),
    hasHtml: mail.html !== null,
    isAutomatic: mail.auto.length > 0 || mail.list.length > 0,
    verdicts: null,
    state: mail.state,
    parts: toContentParts(mail),
  };
  return {
    mail,
    content,
    threads: parseThreadKeys(mail),
    words: (bcc) => runAfterYield(() => extractWords(mail, bcc)),
  };
}

/** Returns the sender to display. Without From, this is the envelope sender, which was authenticated instead. */
function findSender(mail: ParsedMail): ParsedMail['from'][number] | undefined {
  const returnPath = mail.headers.find(({ name }) => name === 'return-path')?.value ?? '';
  return mail.from[0] ?? parseAddresses(returnPath).find(({ address }) => address !== '');
}

async function parseMaterial(mailSource: MailSource, workspaceId: number): Promise<ParsedMail> {
  const texts = [...mailSource.texts.values()];
  const bytes = texts.reduce((sum, text) => sum + text.length, mailSource.header.length);
  const parseInThread = () =>
    parseMaterialInThread(mailSource, { ms: PARSE_TIMEOUT_MS, holder: workspaceId });
  if (bytes >= MIN_THREAD_BYTES) return parseInThread();
  try {
    // Yields first, because many small messages may be parsed at the same time.
    return await runAfterYield(() => parseMailSource(mailSource));
  } catch {
    return parseInThread();
  }
}

function toContentParts({ parts }: ParsedMail): ContentPart[] {
  const { text, html, attachments, containers } = findBodyParts(parts);
  const files = new Set(attachments);
  const getRole = (part: ScannedPart): string | null => {
    if (containers.includes(part)) return 'container';
    if (part.isEncrypted) return 'encrypted';
    if (html.includes(part) && part.type === 'text/html') return 'html';
    if (text.includes(part)) return 'text';
    if (!files.has(part)) return null;
    return part.contentId !== null && part.disposition !== 'attachment' ? 'inline' : 'attachment';
  };
  return parts.flatMap((part) => {
    const role = getRole(part);
    return role ? [{ ...toContentPart(part), role }] : [];
  });
}

const toContentPart = (part: ScannedPart) => ({
  path: part.path,
  type: part.type,
  filename: part.filename ?? '',
  charset: part.charset,
  cid: part.contentId,
  encoding: part.encoding,
  bodyFrom: part.bodyFrom,
  bodyTo: part.bodyTo,
  size: part.size,
});

const parseThreadKeys = (mail: ParsedMail): ThreadKeys =>
  computeThreadKeys({
    messageId: mail.messageId ? `<${mail.messageId}>` : '',
    inReplyTo: mail.inReplyTo.map((id) => `<${id}>`).join(' '),
    references: mail.references.map((id) => `<${id}>`).join(' '),
    subject: mail.subject,
    isAutoReply: mail.auto.some(isAutoReply),
  });

/** Checks `Auto-Submitted` (RFC 3834 5) and its older, non-standard equivalents. */
const isAutoReply = ({ name, value }: ParsedMail['auto'][number]): boolean =>
  name === 'auto-submitted' ? /^\s*auto-replied\b/i.test(value) : /^x-auto(?:reply|respond)$/.test(name);

const formatAddress = ({ name, address }: ParsedMail['to'][number]): string =>
  name ? `${name} <${address}>` : address;

const extractWords = (mail: ParsedMail, bcc: readonly string[] = []): string[] =>
  extractMessageWords({
    subject: mail.subject,
    from: (mail.from.length > 0 ? mail.from : [findSender(mail)].filter((item) => item !== undefined))
      .map(formatAddress)
      .join(', '),
    to: mail.to.map(formatAddress),
    cc: mail.cc.map(formatAddress),
    bcc,
    attachments: mail.attachments.flatMap(({ filename }) => filename ?? []),
    listId: mail.list.find(({ name }) => name === 'list-id')?.value,
    text: mail.text,
  });
