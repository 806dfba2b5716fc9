import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineTypedShape, type ShapeParts } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { processText } from '../../../src/text/process-text.ts';
import type { Verdicts } from '../intake/verdicts.ts';
import type { Person, Recipients } from '../messages/store-content.ts';
import { AttachmentShape, toAttachments } from './attachments.ts';
import { AUTO_REPLY_FIELD } from './auto-reply-outcome.ts';
import { ENCRYPTION_FIELD, findEncryption } from './encryption.ts';
import { buildFileLink } from './file-link.ts';
import { buildExternalForm, countHtmlBytes, renderHtml } from './message-html.ts';
import { loadPartRows } from './parts.ts';
import { PersonShape } from './person.ts';
import { toVerdictsView, VerdictsShape } from './verdicts-shape.ts';

/** Maximum total text in a displayed thread, divided among its messages. */
const MAX_THREAD_TEXT_CHARS = 10_000_000;
/** Minimum share of each message, even in a long thread. */
const MIN_MESSAGE_TEXT_CHARS = 100_000;

/** Fields that all message types share. */
export const MESSAGE_HEAD_SHAPE = {
  entryId: { type: 'ID', description: 'Id of the message.' },
  accountId: { type: 'ID', description: 'Id of the mailbox that contains the message.' },
  folderId: { type: 'ID', description: 'Id of the folder that contains the message.' },
  threadId: { type: 'ID', description: "Id of the message's conversation." },
  subject: { type: 'String', description: 'Subject.' },
  fromName: { type: 'String', description: 'Display name of the sender. Empty if unknown.' },
  fromEmail: { type: 'String', description: 'Address of the sender.' },
  to: { type: [PersonShape], description: 'Recipients.' },
  cc: { type: [PersonShape], description: 'Cc recipients.' },
  bcc: { type: [PersonShape], description: 'Bcc recipients. Set only on the copy in Sent.' },
  replyTo: { type: [PersonShape], description: 'Addresses that replies go to.' },
  recipientsTruncated: {
    type: 'Boolean',
    description: 'True if recipients are missing because the list is too long. The raw message is complete.',
  },
  date: {
    type: 'DateTime',
    description: 'When the message was received. For an imported message, when it was sent.',
  },
  isRead: { type: 'Boolean', description: 'True if the message has been read.' },
  isStarred: { type: 'Boolean', description: 'True if the message is starred.' },
  isAnswered: { type: 'Boolean', description: 'True if the message has been replied to.' },
} satisfies ShapeParts;

export const DetailShape = defineTypedShape('MailMessageDetail', 'A message in full.', {
  ...MESSAGE_HEAD_SHAPE,
  bodyText: {
    type: 'String',
    description: 'Plain text. Generated from the HTML if the message has only HTML.',
  },
  textReply: { type: 'String', description: 'Text that the sender wrote, without quoted text or signature.' },
  bodyHtml: {
    type: 'String',
    nullable: true,
    description: 'Sanitized HTML with inline styles. Null if the message has only plain text.',
  },
  hasRemoteImages: { type: 'Boolean', description: 'True if the HTML refers to images on other servers.' },
  hasHiddenText: {
    type: 'Boolean',
    description:
      'True if the HTML contains invisible text. This text is omitted when plain text is generated ' +
      'from the HTML.',
  },
  bodyTruncated: {
    type: 'Boolean',
    description: 'True if the text or HTML is truncated. The raw message is complete.',
  },
  rawUrl: {
    type: 'String',
    description: 'Download URL of the raw message. Requires no key and is valid for one day.',
  },
  attachments: { type: [AttachmentShape], description: 'Files.' },
  labelIds: { type: ['ID'], description: "Ids of the message's labels." },
  messageId: { type: 'String', nullable: true, description: 'Message-ID, without angle brackets.' },
  inReplyTo: { type: 'String', nullable: true, description: 'Message-ID of the message being replied to.' },
  verdicts: {
    type: VerdictsShape,
    nullable: true,
    description: 'Results of SPF, DKIM, DMARC and ARC. Null unless another server delivered the message.',
  },
  encryption: ENCRYPTION_FIELD,
  autoReply: AUTO_REPLY_FIELD,
  size: { type: 'Int', description: 'Size of the raw message in bytes.' },
  state: { type: 'String', description: '`parsed`, or `placeholder` if the message could not be read.' },
  deliveryStatus: {
    type: 'String',
    nullable: true,
    description:
      'Delivery status of a message sent through this server, as in `Email.latestStatus`. Null for other messages.',
  },
});

interface DetailRow {
  entry_id: number;
  account_id: number;
  folder_id: number;
  thread_id: number;
  content_id: number;
  subject: string;
  from_name: string;
  from_email: string;
  recipients: Partial<Recipients>;
  envelope: { bcc?: Person[]; autoReply?: string } | null;
  date: string;
  is_read: boolean;
  is_starred: boolean;
  is_answered: boolean;
  text: string;
  is_cut: boolean;
  label_ids: number[];
  message_id: string | null;
  in_reply_to: string | null;
  verdicts: Verdicts | null;
  raw_hash: string;
  size: number;
  state: string;
  status: string | null;
}

export interface DetailOptions {
  /** Loads remote images, which tells the sender that the message was read. */
  images: boolean;
  /** Includes the delivery status of sent messages (feature `mail.delivery_meta`). */
  delivery: boolean;
}

/** Loads complete messages, oldest first. The caller must check access. */
export async function loadDetails(
  ctx: Ctx,
  ids: readonly number[],
  options: DetailOptions,
): Promise<object[]> {
  const rows = await loadRows(ctx, ids);
  const contentIds = rows.map(({ content_id }) => content_id);
  const parts = await loadPartRows(ctx, contentIds);
  const details: object[] = [];
  // A message whose HTML exceeds the limit can be loaded individually.
  let htmlBytesLeft = limits.mail.responseHtmlBytes;
  for (const row of rows) {
    const ownParts = parts.get(row.content_id) ?? [];
    const bytes = countHtmlBytes(ownParts);
    const form = buildExternalForm(ctx, row.entry_id, options.images);
    const rendered = bytes <= htmlBytesLeft ? await renderHtml(ctx, row, ownParts, form) : null;
    htmlBytesLeft -= rendered ? bytes : 0;
    details.push({
      ...toDetail(row, options),
      text_reply: await processText(ctx.workspace.id, 'extractReply', row.text),
      ...(rendered?.view ?? NO_HTML),
      body_truncated: row.is_cut || (bytes > 0 && !rendered) || (rendered?.isCut ?? false),
      raw_url: buildFileLink(ctx, row.entry_id, 0),
      attachments: toAttachments(ctx, row.entry_id, ownParts),
      encryption: findEncryption(ownParts),
    });
  }
  return details;
}

const NO_HTML = { body_html: null, has_remote_images: false, has_hidden_text: false };

function toDetail(row: DetailRow, { delivery }: DetailOptions): object {
  const { recipients, envelope, content_id: _, raw_hash: __, is_cut: ___, text, status, ...rest } = row;
  return {
    ...rest,
    to: recipients.to ?? [],
    cc: recipients.cc ?? [],
    bcc: envelope?.bcc ?? [],
    auto_reply: envelope?.autoReply ?? null,
    reply_to: recipients.replyTo ?? [],
    recipients_truncated: recipients.isCut ?? false,
    body_text: text,
    verdicts: toVerdictsView(row.verdicts),
    delivery_status: delivery ? status : null,
  };
}

function computeTextLimit(messages: number): number {
  const share = Math.floor(MAX_THREAD_TEXT_CHARS / Math.max(1, messages));
  return Math.min(limits.mail.body, Math.max(MIN_MESSAGE_TEXT_CHARS, share));
}

function loadRows(ctx: Ctx, ids: readonly number[]): Promise<DetailRow[]> {
  const workspace = sql.param(ctx.workspace.id);
  const textLimit = sql.param(computeTextLimit(ids.length));
  return ctx.db.rows<DetailRow>(
    sql`select e.id as entry_id, e.account_id, e.folder_id, e.thread_id, e.content_id, c.subject, c.from_name,
       c.email_from as from_email, c.recipients, e.envelope, ${toIsoSql(sql`e.date`)} as date, e.is_read, e.is_starred,
       e.is_answered, left(c.text, ${textLimit}::int) as text, char_length(c.text) > ${textLimit}::int as is_cut,
       c.message_id, c.in_reply_to, c.verdicts, c.raw_hash, c.size, c.state,
       m.latest_status as status,
       array(select l.label_id from svc_mail_entry_label l
         where l.workspace_id = ${workspace} and l.entry_id = e.id order by l.label_id) as label_ids
     from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${workspace} and c.id = e.content_id
     left join svc_email m on m.workspace_id = ${workspace} and m.id = e.email_id
     where e.workspace_id = ${workspace} and e.id = any(${ids}::int8[]) order by e.date, e.id`,
  );
}
