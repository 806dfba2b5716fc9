import { change, client } from '../../graphql/client.ts';
import { Refused, refusalOf } from '../../graphql/refusal.ts';
import { formatInstant } from '../../i18n/format.ts';
import type { Start } from '../composers.ts';
import { answerHead, forwardedOf, htmlOfBody, htmlOfText, quoteOf, splitQuote } from './answer.ts';
import { filesOfDraft } from './draft-files.ts';
import type { DraftVersion } from './draft-queue.ts';
import {
  MailDraftReadDocument,
  MailQuotedDocument,
  type MailQuotedMutation,
  MailStagedDocument,
} from './generated.ts';
import { recipientOf, splitRecipients } from './recipient-text.ts';
import type { Pictures } from './text/pictures.ts';
import { type StagedFile, uploadFile } from './upload.ts';
import { composerWords } from './words.ts';

/** What a composer shows first. */
export interface Beginning {
  draft: DraftVersion | null;
  mailbox: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  /** HTML that is written on. */
  written: string;
  /** HTML that is kept as it is. */
  quote: string;
  mode: string;
  inReplyTo: string | null;
  files: StagedFile[];
  /** Files to be fetched and attached: those of a message that is forwarded. */
  fetched: { name: string; path: string }[];
}

export interface Mailboxes {
  own: readonly { id: string; email: string }[];
  /** The one to write from where nothing else says so. */
  first: string;
  /** Whether files can be attached. */
  isRich: boolean;
}

/** @throws Refused */
export async function beginning(start: Start, mailboxes: Mailboxes, pictures: Pictures): Promise<Beginning> {
  if (start.kind === 'draft') return ofDraft(start.id, start.files);
  if (start.kind === 'answer') return ofAnswer(start, mailboxes, pictures);
  return {
    ...EMPTY,
    mailbox: start.mailbox ?? mailboxes.first,
    to: splitRecipients(start.to ?? ''),
    subject: start.subject ?? '',
  };
}

const EMPTY: Beginning = {
  draft: null,
  mailbox: '',
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  written: '',
  quote: '',
  mode: 'new',
  inReplyTo: null,
  files: [],
  fetched: [],
};

/** A draft as the server has it now. @throws Refused */
export async function ofDraft(id: string, known?: readonly string[]): Promise<Beginning> {
  const ids = known ?? filesOfDraft(id);
  const [{ mailDraftRead: draft }, files] = await Promise.all([
    fresh(MailDraftReadDocument, { id }),
    ids.length > 0 ? fresh(MailStagedDocument, { ids: [...ids] }) : null,
  ]);
  const { written, quote } = splitQuote(htmlOfBody(draft.body));
  return {
    ...EMPTY,
    draft: { id, version: draft.version },
    mailbox: draft.accountId,
    to: splitRecipients(draft.to),
    cc: splitRecipients(draft.cc),
    bcc: splitRecipients(draft.bcc),
    subject: draft.subject,
    written,
    quote,
    mode: draft.mode,
    inReplyTo: draft.inReplyTo,
    files: files?.stagedAttachments.nodes ?? [],
  };
}

type Quoted = MailQuotedMutation['mailRead'];

async function ofAnswer(
  { mode, message: id }: Extract<Start, { kind: 'answer' }>,
  { own, isRich }: Mailboxes,
  pictures: Pictures,
): Promise<Beginning> {
  const { mailRead: message } = await change(MailQuotedDocument, { id });
  const addresses = new Set(own.map(({ email }) => email.toLowerCase()));
  const { html, files } = await withPictures(message, isRich, pictures);
  const isForward = mode === 'forward';
  const kept = message.attachments.filter(({ inline, isKept }) => !inline && isKept);
  return {
    ...EMPTY,
    ...answerHead(mode, message, addresses),
    mailbox: message.accountId,
    mode,
    inReplyTo: isForward ? null : id,
    quote: isForward ? forwardedOf(aboutForwarded(message), html) : quoteOf(aboutQuoted(message), html),
    files,
    fetched:
      isForward && isRich ? kept.map(({ name, number }) => ({ name, path: partPath(id, number) })) : [],
  };
}

const partPath = (id: string, number: number): string => `/mail/part/${id}/${number}`;

const senderOf = ({ fromName, fromEmail }: Quoted): string =>
  recipientOf({ name: fromName, email: fromEmail });

const aboutQuoted = (message: Quoted): string =>
  htmlOfText(composerWords.wrote(formatInstant(message.date), senderOf(message)));

const aboutForwarded = (message: Quoted): string[] => [
  composerWords.forwarded,
  `${composerWords.forwardedFrom}: ${senderOf(message)}`,
  `${composerWords.forwardedDate}: ${formatInstant(message.date)}`,
  `${composerWords.subject}: ${message.subject}`,
  `${composerWords.to}: ${message.to.map(recipientOf).join(', ')}`,
];

/** The HTML of a message, its pictures staged again: links to them end with a day. */
async function withPictures(message: Quoted, isRich: boolean, pictures: Pictures) {
  let html = message.bodyHtml ?? htmlOfText(message.bodyText);
  const files: StagedFile[] = [];
  for (const { url, name, number, inline } of message.attachments) {
    const link = url.replaceAll('&', '&amp;');
    if (!inline || !html.includes(link)) continue;
    const staged = isRich ? await restaged(message, number, name, pictures).catch(() => null) : null;
    html = html.replaceAll(link, staged ? `cid:${staged.id}` : '');
    if (staged) files.push(staged);
  }
  return { html, files };
}

async function restaged(message: Quoted, number: number, name: string, pictures: Pictures) {
  const file = await fetchFile(partPath(message.entryId, number));
  const staged = await uploadFile(message.accountId, file, name, () => {}).done;
  pictures.add(staged.id, file);
  return staged;
}

/** @throws Error where it is not there */
export async function fetchFile(path: string): Promise<Blob> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.blob();
}

async function fresh<Data, Variables extends object>(
  document: Parameters<typeof client.query<Data, Variables>>[0],
  variables: Variables,
): Promise<Data> {
  const { data, error } = await client
    .query<Data, Variables>(document, variables as never, { requestPolicy: 'network-only' })
    .toPromise();
  if (error) throw new Refused(refusalOf(error));
  return data!;
}
