import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { getDisplayName } from '../../../src/message/part-name.ts';
import { getMemberEntries } from '../accounts/member-access.ts';
import type { Verdicts } from '../intake/verdicts.ts';
import { MAIL_READ_POLICY, returnShape, returnTypedShape } from '../kit/operation.ts';
import { isFile, type Person, type Recipients } from '../messages/store-content.ts';
import { loadFeatures } from '../settings/features.ts';
import { MESSAGE_HEAD_SHAPE } from './detail.ts';
import { ENCRYPTION_FIELD, findEncryption } from './encryption.ts';
import { findConversation } from './entry-detail.ts';
import { buildFileLink } from './file-link.ts';
import { loadPartRows } from './parts.ts';
import { toVerdictsView, VerdictsShape } from './verdicts-shape.ts';

// Plain-text versions of messages, for programs that read on a user's behalf. Reading one does not mark the message as
// read or parse its HTML.

const MAX_FILE_NAMES = 200;

const PlainFileShape = defineTypedShape('MailPlainFile', 'A file of a message, by its name.', {
  name: {
    type: 'String',
    description:
      'File name. If the attachment has no name, one is derived from its type, such as `image.png`.',
  },
  type: { type: 'String', description: 'Media type, as declared by the sender.' },
  size: { type: 'Int', description: 'Bytes.' },
});

const PlainMessageShape = defineTypedShape('MailPlainMessage', 'A message as plain text.', {
  ...MESSAGE_HEAD_SHAPE,
  messageId: { type: 'String', nullable: true, description: 'Message-ID, without angle brackets.' },
  inReplyTo: { type: 'String', nullable: true, description: 'Message-ID of the message being replied to.' },
  labelIds: { type: ['ID'], description: "Ids of the message's labels." },
  verdicts: {
    type: VerdictsShape,
    nullable: true,
    description: 'Results of SPF, DKIM, DMARC and ARC. Null unless another server delivered the message.',
  },
  encryption: ENCRYPTION_FIELD,
  attachments: { type: [PlainFileShape], description: 'Files.' },
  bodyText: {
    type: 'String',
    description: 'Plain text. Generated from the HTML if the message has only HTML.',
  },
  bodyChars: { type: 'Int', description: 'Number of characters in the whole text.' },
  isCut: {
    type: 'Boolean',
    description:
      'True if the text is truncated. `mailMessagePlain` returns more text than a conversation does, and ' +
      'the raw message at `rawUrl` is complete.',
  },
  rawUrl: {
    type: 'String',
    description: 'Download URL of the raw message. Requires no key and is valid for one day.',
  },
});

const ENTRY_ARG = { required: true, description: 'Message in one of your mailboxes.' } as const;

export const mailMessagePlain = defineOperation('mailMessagePlain', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description:
    `Returns a message as plain text, up to ${limits.mail.body.toLocaleString('en')} characters. Does not ` +
    'mark it as read.',
  args: (arg) => ({ entryId: arg.recordId(ENTRY_ARG) }),
  ...returnTypedShape(PlainMessageShape),
  run: async (ctx, { entryId }) => {
    await getMemberEntries(ctx, [entryId]);
    return (await loadPlainMessages(ctx, [entryId], limits.mail.body))[0]!;
  },
});

const MAX_MESSAGES = limits.mail.plainMessages;

export const mailThreadPlain = defineOperation('mailThreadPlain', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description:
    'Returns the newest messages of a conversation as plain text, oldest first, without marking them ' +
    `as read. Each text has up to ${limits.mail.plainEach.toLocaleString('en')} characters, and all ` +
    `texts together have up to ${limits.mail.plainAll.toLocaleString('en')}, counted from the newest ` +
    'message backward.',
  args: (arg) => ({
    entryId: arg.recordId(ENTRY_ARG),
    maxMessages: arg.int({ defaultValue: 20, description: `Number of messages, 1 to ${MAX_MESSAGES}.` }),
  }),
  ...returnShape('MailPlainThread', 'A conversation as plain text.', {
    threadId: { type: 'ID', description: 'Id of the conversation.' },
    count: { type: 'Int', description: 'Number of messages in the conversation, except in Spam and Trash.' },
    messages: {
      type: [PlainMessageShape],
      description: 'The newest messages of the conversation, oldest first.',
    },
    olderLeftOut: { type: 'Int', description: 'Number of older messages that were omitted.' },
    textsCut: {
      type: 'Int',
      description: 'Number of returned messages whose text was truncated or omitted.',
    },
    charsLeftOut: { type: 'Int', description: 'Number of characters omitted from the returned texts.' },
  }),
  run: async (ctx, { entryId, maxMessages }) => {
    const [entry] = await getMemberEntries(ctx, [entryId]);
    const features = await loadFeatures(ctx, entry!.company_id);
    const ids = await findConversation(ctx, entry!, features['mail.threading']);
    const newestIds = ids.slice(-Math.min(MAX_MESSAGES, Math.max(1, maxMessages ?? 20)));
    const messages = truncateToBudget(
      await loadPlainMessages(ctx, newestIds, limits.mail.plainEach),
      limits.mail.plainAll,
    );
    const chars = messages.reduce(
      (sum, { body_text, body_chars }) => sum + body_chars - countCharacters(body_text),
      0,
    );
    return {
      thread_id: entry!.thread_id,
      count: ids.length,
      messages,
      older_left_out: ids.length - messages.length,
      texts_cut: messages.filter(({ is_cut }) => is_cut).length,
      chars_left_out: chars,
    };
  },
});

/** Counts code points, as PostgreSQL does. */
const countCharacters = (text: string): number => [...text].length;

/** Truncates the bodies to a total number of characters. Newer messages take precedence. */
function truncateToBudget<T extends { body_text: string; is_cut: boolean }>(
  messages: readonly T[],
  maxCharacters: number,
): T[] {
  let charactersLeft = maxCharacters;
  return messages
    .toReversed()
    .map((message) => {
      const characters = [...message.body_text];
      const included = characters.slice(0, charactersLeft);
      charactersLeft -= included.length;
      const isCut = message.is_cut || included.length < characters.length;
      return { ...message, body_text: included.join(''), is_cut: isCut };
    })
    .toReversed();
}

interface PlainRow {
  entry_id: number;
  account_id: number;
  folder_id: number;
  thread_id: number;
  content_id: number;
  subject: string;
  from_name: string;
  from_email: string;
  date: string;
  is_read: boolean;
  is_starred: boolean;
  is_answered: boolean;
  message_id: string | null;
  in_reply_to: string | null;
  label_ids: number[];
  recipients: Partial<Recipients>;
  envelope: { bcc?: Person[] } | null;
  verdicts: Verdicts | null;
  body_text: string;
  body_chars: number;
}

/** Loads messages with the start of each body, oldest first. The caller must check access. */
async function loadPlainMessages(ctx: Ctx, ids: readonly number[], maxCharacters: number) {
  const rows = await loadRows(ctx, ids, maxCharacters);
  const contents = rows.map(({ content_id }) => content_id);
  const parts = await loadPartRows(ctx, contents);
  return rows.map(({ recipients, envelope, content_id, verdicts, ...row }) => ({
    ...row,
    to: recipients.to ?? [],
    cc: recipients.cc ?? [],
    bcc: envelope?.bcc ?? [],
    reply_to: recipients.replyTo ?? [],
    recipients_truncated: recipients.isCut ?? false,
    verdicts: toVerdictsView(verdicts),
    encryption: findEncryption(parts.get(content_id) ?? []),
    attachments: (parts.get(content_id) ?? [])
      .filter(isFile)
      .slice(0, MAX_FILE_NAMES)
      .map(({ filename, type, size }) => ({ name: getDisplayName(filename, type), type, size })),
    is_cut: row.body_chars > maxCharacters,
    raw_url: buildFileLink(ctx, row.entry_id, 0),
  }));
}

function loadRows(ctx: Ctx, ids: readonly number[], maxCharacters: number): Promise<PlainRow[]> {
  const workspace = sql.param(ctx.workspace.id);
  return ctx.db.rows<PlainRow>(
    sql`select e.id as entry_id, e.account_id, e.folder_id, e.thread_id, e.content_id, c.subject, c.from_name,
       c.email_from as from_email, c.recipients, e.envelope, ${toIsoSql(sql`e.date`)} as date, e.is_read, e.is_starred,
       e.is_answered, c.message_id, c.in_reply_to, c.verdicts, left(c.text, ${maxCharacters}::int) as body_text,
       char_length(c.text) as body_chars,
       array(select l.label_id from svc_mail_entry_label l
         where l.workspace_id = ${workspace} and l.entry_id = e.id order by l.label_id) as label_ids
     from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${workspace} and c.id = e.content_id
     where e.workspace_id = ${workspace} and e.id = any(${ids}::int8[]) order by e.date, e.id`,
  );
}
