import { runMutation, runQuery } from '../../graphql/client.ts';
import { sendQuery } from '../../graphql/send-request.ts';
import { formatInstant } from '../../i18n/format.ts';
import type { ComposerStart } from '../composers.ts';
import { getDraftFiles } from './draft-files.ts';
import type { DraftVersion } from './draft-queue.ts';
import {
  MailDraftReadDocument,
  MailQuotedDocument,
  type MailQuotedMutation,
  MailStagedDocument,
} from './generated.ts';
import { formatRecipient, splitRecipients } from './recipients/recipient-text.ts';
import { bodyToHtml, buildForwarded, buildQuote, buildReplyHead, splitQuote, textToHtml } from './reply.ts';
import { composerStrings } from './strings.ts';
import type { PictureStore } from './text/pictures.ts';
import { type StagedFile, uploadFile } from './upload.ts';

export interface InitialMessage {
  draft: DraftVersion | null;
  mailbox: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  content: string;
  /** Quoted HTML, which remains unchanged. */
  quote: string;
  mode: string;
  inReplyTo: string | null;
  files: StagedFile[];
  /** Attachments of a forwarded message, which are still to be fetched. */
  filesToFetch: { name: string; path: string }[];
}

export interface ComposerMailboxes {
  ownMailboxes: readonly { id: string; email: string }[];
  /** Default mailbox to send from. */
  first: string;
  isRich: boolean;
}

/** @throws RequestError */
export async function loadInitialMessage(
  start: ComposerStart,
  mailboxes: ComposerMailboxes,
  pictures: PictureStore,
): Promise<InitialMessage> {
  if (start.kind === 'draft') return loadDraft(start.id, start.files);
  if (start.kind === 'answer') return loadReply(start, mailboxes, pictures);
  return {
    ...EMPTY_MESSAGE,
    mailbox: start.mailbox ?? mailboxes.first,
    to: splitRecipients(start.to ?? ''),
    subject: start.subject ?? '',
  };
}

const EMPTY_MESSAGE: InitialMessage = {
  draft: null,
  mailbox: '',
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  content: '',
  quote: '',
  mode: 'new',
  inReplyTo: null,
  files: [],
  filesToFetch: [],
};

/**
 * Loads the current version of a draft.
 * @throws RequestError
 */
export async function loadDraft(id: string, fileIds?: readonly string[]): Promise<InitialMessage> {
  const ids = fileIds ?? getDraftFiles(id);
  const [{ mailDraftRead: draft }, files] = await Promise.all([
    runQuery(MailDraftReadDocument, { id }),
    ids.length > 0 ? runQuery(MailStagedDocument, { ids: [...ids] }) : null,
  ]);
  const { content, quote } = splitQuote(bodyToHtml(draft.body));
  return {
    ...EMPTY_MESSAGE,
    draft: { id, version: draft.version },
    mailbox: draft.accountId,
    to: splitRecipients(draft.to),
    cc: splitRecipients(draft.cc),
    bcc: splitRecipients(draft.bcc),
    subject: draft.subject,
    content,
    quote,
    mode: draft.mode,
    inReplyTo: draft.inReplyTo,
    files: files?.stagedAttachments.nodes ?? [],
  };
}

type QuotedMessage = MailQuotedMutation['mailRead'];

async function loadReply(
  { mode, message: id }: Extract<ComposerStart, { kind: 'answer' }>,
  { ownMailboxes, isRich }: ComposerMailboxes,
  pictures: PictureStore,
): Promise<InitialMessage> {
  const { mailRead: message } = await runMutation(MailQuotedDocument, { id });
  const addresses = new Set(ownMailboxes.map(({ email }) => email.toLowerCase()));
  const { html, files } = await restagePictures(message, isRich, pictures);
  const isForward = mode === 'forward';
  const storedFiles = message.attachments.filter(({ inline, isKept }) => !inline && isKept);
  return {
    ...EMPTY_MESSAGE,
    ...buildReplyHead(mode, message, addresses),
    mailbox: message.accountId,
    mode,
    inReplyTo: isForward ? null : id,
    quote: isForward
      ? buildForwarded(buildForwardLines(message), html)
      : buildQuote(buildAttribution(message), html),
    files,
    filesToFetch:
      isForward && isRich
        ? storedFiles.map(({ name, number }) => ({ name, path: buildPartPath(id, number) }))
        : [],
  };
}

const buildPartPath = (id: string, number: number): string => `/mail/part/${id}/${number}`;

const formatSender = ({ fromName, fromEmail }: QuotedMessage): string =>
  formatRecipient({ name: fromName, email: fromEmail });

const buildAttribution = (message: QuotedMessage): string =>
  textToHtml(composerStrings.replyHeader(formatInstant(message.date), formatSender(message)));

const buildForwardLines = (message: QuotedMessage): string[] => [
  composerStrings.forwarded,
  `${composerStrings.from}: ${formatSender(message)}`,
  `${composerStrings.forwardedDate}: ${formatInstant(message.date)}`,
  `${composerStrings.subject}: ${message.subject}`,
  `${composerStrings.to}: ${message.to.map(formatRecipient).join(', ')}`,
];

/** Uploads a message's inline images again, because their links expire after a day. Returns the HTML and the files. */
async function restagePictures(message: QuotedMessage, isRich: boolean, pictures: PictureStore) {
  let html = message.bodyHtml ?? textToHtml(message.bodyText);
  const files: StagedFile[] = [];
  for (const { url, name, number, inline } of message.attachments) {
    const link = url.replaceAll('&', '&amp;');
    if (!inline || !html.includes(link)) continue;
    const file = isRich ? await restageFile(message, number, name, pictures).catch(() => null) : null;
    html = html.replaceAll(link, file ? `cid:${file.id}` : '');
    if (file) files.push(file);
  }
  return { html, files };
}

async function restageFile(message: QuotedMessage, number: number, name: string, pictures: PictureStore) {
  const file = await fetchFile(buildPartPath(message.entryId, number));
  const stagedFile = await uploadFile(message.accountId, file, name, () => {}).done;
  pictures.add(stagedFile.id, file);
  return stagedFile;
}

/** @throws Error if the file cannot be fetched */
export async function fetchFile(path: string): Promise<Blob> {
  const response = await sendQuery(path);
  if (!response.ok) throw new Error(response.statusText);
  return response.blob();
}
