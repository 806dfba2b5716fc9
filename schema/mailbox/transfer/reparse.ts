import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { advanceModseq, recordMailboxChange } from '../accounts/modseq.ts';
import { formatRecipient } from '../compose/recipient-list.ts';
import { ATTACHMENT_KEY, buildEntryKeys } from '../messages/index-keys.ts';
import { loadRawMail } from '../messages/raw.ts';
import { type ReadMail, readMail } from '../messages/read-content.ts';
import { PARSER_VERSION, type Person, replaceContent } from '../messages/store-content.ts';

// Parses stored messages again. Each message takes one transaction, which locks the content and then its mailboxes in
// ascending id order. Folders and threads do not change.

interface ReparseOptions {
  all: boolean;
  /** Only messages with a higher id are parsed. */
  after: number;
}

interface ReparseProgress {
  messages: number;
  unreadable: number;
  /** Number of messages left unchanged because their raw messages are missing. */
  missing: number;
  /** Id of the last processed message, to continue after it. */
  last: number;
}

const PAGE_SIZE = 100;

interface ContentRow {
  id: number;
  raw_hash: string;
  size: number;
}

/**
 * Parses a workspace's stored messages again. Skips messages that were stored without their files, which would
 * otherwise appear empty.
 * @param show called after each message
 */
export async function reparse(
  ctx: Ctx,
  { all, after }: ReparseOptions,
  show: (done: ReparseProgress) => void,
): Promise<ReparseProgress> {
  const result: ReparseProgress = { messages: 0, unreadable: 0, missing: 0, last: after };
  for (;;) {
    const rows = await ctx.db.rows<ContentRow>(
      sql`select id, raw_hash, size from svc_mail_message
       where workspace_id = ${ctx.workspace.id} and id > ${result.last} and raw_whole
         and (${all} or parser < ${PARSER_VERSION} or state = 'placeholder') order by id
           limit ${sql.literal(PAGE_SIZE)}`,
    );
    for (const row of rows) {
      const mail = await rereadMail(ctx, row);
      if (mail) await storeReparsed(ctx, row, mail);
      else result.missing++;
      if (mail?.content.state === 'placeholder') result.unreadable++;
      result.messages++;
      result.last = row.id;
      show(result);
    }
    if (rows.length < PAGE_SIZE) return result;
  }
}

/** @returns null if the raw message no longer exists */
async function rereadMail(ctx: Ctx, { raw_hash: hash, size }: ContentRow): Promise<ReadMail | null> {
  const blobRows = await ctx.db.rows(
    sql`select 1 from svc_blob where workspace_id = ${ctx.workspace.id} and hash = ${hash}`,
  );
  return blobRows.length > 0 ? readMail(await loadRawMail(ctx, hash, size), hash, ctx.workspace.id) : null;
}

interface ReparsedEntry {
  id: number;
  account_id: number;
  day: number;
  bcc: Person[] | null;
}

const storeReparsed = (ctx: Ctx, { id }: ContentRow, mail: ReadMail): Promise<void> =>
  ctx.tx(async (tx) => {
    const workspace = tx.workspace.id;
    if (!(await replaceContent(tx, id, mail.content))) return;
    const accounts = await tx.db.rows<{ account_id: number }>(
      sql`select distinct account_id from svc_mail_entry
       where workspace_id = ${workspace} and content_id = ${id} order by account_id`,
    );
    for (const { account_id } of accounts) await updateMailboxEntries(tx, account_id, id, mail);
  });

async function updateMailboxEntries(
  ctx: Ctx,
  account: number,
  contentId: number,
  mail: ReadMail,
): Promise<void> {
  const workspace = ctx.workspace.id;
  const modseq = await advanceModseq(ctx, account);
  const entries = await ctx.db.rows<ReparsedEntry>(
    sql`update svc_mail_entry set modseq = ${modseq}
     where workspace_id = ${workspace} and account_id = ${account} and content_id = ${contentId}
     returning id, account_id, (date::date - date '1970-01-01') as day, envelope->'bcc' as bcc`,
  );
  const { size, parts } = mail.content;
  const attached = parts.some(({ role }) => role === 'attachment') ? [ATTACHMENT_KEY] : [];
  for (const { id, day, bcc } of entries) {
    const bccWords = await mail.words(
      (bcc ?? []).map(({ name, email }) => formatRecipient({ name, address: email })),
    );
    const words = [...bccWords, ...attached, ...buildEntryKeys(workspace, account, day, size)];
    await ctx.db.rows(
      sql`update svc_mail_search set words = array_to_tsvector(string_to_array(${words.join(' ')}, ' '))
       where workspace_id = ${workspace} and entry_id = ${id}`,
    );
  }
  await recordMailboxChange(ctx, account, modseq, { kind: 'flags', updated: entries.map(({ id }) => id) });
}
