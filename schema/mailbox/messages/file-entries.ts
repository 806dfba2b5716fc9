import { createHash } from 'node:crypto';
import { sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { ThreadKeys } from '../../../src/message/thread/refs.ts';
import { addUsedBytes, advanceModseqs, recordMailboxChanges, revertModseqs } from '../accounts/modseq.ts';
import { toDayNumber, updateFolderCounts } from './folder-counts.ts';
import { ATTACHMENT_KEY, buildEntryKeys } from './index-keys.ts';
import { updateLabelCounts } from './label-counts.ts';
import {
  assignThreads,
  type FilingChange,
  loadKnownThreads,
  type MailboxKeys,
  storeThreadRefs,
} from './threads.ts';

export interface Filing {
  folderId: number;
  contentId: number;
  size: number;
  /** Time of receipt; time of sending for an imported message. */
  date: Date;
  /** Result of `computeMessageKey`, which identifies the message within its mailbox. */
  key: Buffer;
  threads: ThreadKeys;
  /** Result of `extractMessageWords`. */
  words: string[];
  isRead?: boolean;
  isStarred?: boolean;
  source: 'smtp' | 'local' | 'import' | 'sent';
  envelope?: object | null;
  emailId?: number | null;
  labelIds?: number[];
}

/** Computes a message's key within its mailbox from its Message-ID (case-sensitive), or else from its content. */
export const computeMessageKey = (messageId: string | null, rawHash: string): Buffer =>
  createHash('sha256')
    .update(messageId?.trim() ? `id:${messageId.trim()}` : `raw:${rawHash}`)
    .digest()
    .subarray(0, 16);

interface MailboxFilings {
  accountId: number;
  filings: readonly Filing[];
}

/**
 * Files messages into one mailbox (see `fileIntoMailboxes`).
 * @param choose runs after the mailbox is locked and returns the messages to file
 * @returns the entry ids, in that order
 */
export async function fileEntries(
  ctx: Ctx,
  accountId: number,
  filings: readonly Filing[],
  choose: (ctx: Ctx, change: FilingChange) => Promise<readonly Filing[]> = async () => filings,
): Promise<number[]> {
  const ids = await fileIntoMailboxes(ctx, [{ accountId, filings }], async (lockedCtx, changes) => [
    { accountId, filings: await choose(lockedCtx, changes.get(accountId)!) },
  ]);
  return ids.get(accountId)!;
}

/**
 * Files messages into mailboxes: inserts entries, threads, search terms, counts and labels, and logs the changes for
 * clients that synchronize. Requires a transaction that has not locked any of these mailboxes yet.
 * @param mailboxes each mailbox once
 * @param choose runs after the mailboxes are locked and returns the messages to file
 * @returns the entry ids by mailbox, in that order
 */
export async function fileIntoMailboxes(
  ctx: Ctx,
  mailboxes: readonly MailboxFilings[],
  choose: (ctx: Ctx, changes: ReadonlyMap<number, FilingChange>) => Promise<readonly MailboxFilings[]>,
): Promise<Map<number, number[]>> {
  const maxEntries = mailboxes.reduce((sum, { filings }) => sum + filings.length, 0);
  const ids = await allocateIds(ctx, 'svc_mail_entry', maxEntries);
  const accountIds = mailboxes.map(({ accountId }) => accountId);
  const numbers = await advanceModseqs(ctx, accountIds);
  const changes = new Map(
    mailboxes.map(({ accountId }) => [accountId, { modseq: numbers.get(accountId)!, updated: [] }]),
  );
  const [choices, knownThreads] = await Promise.all([
    choose(ctx, changes),
    loadKnownThreads(ctx, mailboxes.flatMap(toMailboxKeys)),
  ]);
  await revertModseqs(
    ctx,
    choices.flatMap(({ accountId, filings }) => (filings.length === 0 ? [accountId] : [])),
  );
  const entries: FiledEntry[] = [];
  for (const { accountId, filings } of choices) {
    const change = changes.get(accountId)!;
    const mailboxIds = ids.splice(0, filings.length);
    const keys = filings.map((filing) => filing.threads);
    const threading = { ids: mailboxIds, keys, threadIds: knownThreads.get(accountId)! };
    const threads = await assignThreads(ctx, accountId, threading, change);
    for (const [i, filing] of filings.entries())
      entries.push({ accountId, id: mailboxIds[i]!, modseq: change.modseq, threadId: threads[i]!, filing });
  }
  if (entries.length > 0) await insertFiled(ctx, entries, changes);
  const byMailbox = Map.groupBy(entries, ({ accountId }) => accountId);
  return new Map(
    mailboxes.map(({ accountId }) => [accountId, (byMailbox.get(accountId) ?? []).map(({ id }) => id)]),
  );
}

const toMailboxKeys = ({ accountId, filings }: MailboxFilings): MailboxKeys[] =>
  filings.map(({ threads }) => ({ ...threads, accountId }));

interface FiledEntry {
  accountId: number;
  id: number;
  modseq: number;
  threadId: number;
  filing: Filing;
}

/** Issues all queries in one turn of the event loop, so that they share a round trip. */
async function insertFiled(
  ctx: Ctx,
  filedEntries: readonly FiledEntry[],
  changes: ReadonlyMap<number, FilingChange>,
): Promise<void> {
  const byMailbox = Map.groupBy(filedEntries, ({ accountId }) => accountId);
  await Promise.all([
    insertEntries(ctx, filedEntries),
    insertWords(ctx, filedEntries),
    storeThreadRefs(
      ctx,
      filedEntries.map(({ accountId, filing }) => ({ ...filing.threads, accountId })),
      filedEntries.map(({ threadId }) => threadId),
    ),
    attachLabels(ctx, filedEntries),
    updateFolderCounts(
      ctx,
      filedEntries.map(({ accountId, filing: { folderId, date, isRead = false } }) => ({
        accountId,
        folderId,
        day: toDayNumber(date),
        isRead,
        by: 1,
      })),
    ),
    addUsedBytes(
      ctx,
      new Map(
        [...byMailbox].map(([id, entries]) => [
          id,
          entries.reduce((sum, { filing }) => sum + filing.size, 0),
        ]),
      ),
    ),
    recordMailboxChanges(
      ctx,
      [...byMailbox].map(([accountId, entries]) => ({
        accountId,
        modseq: changes.get(accountId)!.modseq,
        change: {
          kind: 'file',
          created: entries.map(({ id }) => id),
          updated: changes.get(accountId)!.updated,
          folders: [...new Set(entries.map(({ filing }) => filing.folderId))],
          threads: [...new Set(entries.map(({ threadId }) => threadId))],
        },
      })),
    ),
  ]);
}

async function insertEntries(ctx: Ctx, entries: readonly FiledEntry[]): Promise<void> {
  const filings = entries.map(({ filing }) => filing);
  await ctx.db.rows(
    sql`insert into svc_mail_entry (workspace_id, id, account_id, content_id, folder_id, thread_id, date, message_key,
       is_read, is_starred, source, envelope, email_id, modseq)
     select a.workspace_id, e.id, a.id, e.content_id, e.folder_id, e.thread_id, e.date, e.message_key,
       e.is_read, e.is_starred, e.source, e.envelope, e.email_id, e.modseq
     from unnest(${entries.map(({ accountId }) => accountId)}::int[],
       ${entries.map(({ modseq }) => modseq)}::int8[], ${entries.map(({ id }) => id)}::int8[],
       ${filings.map(({ contentId }) => contentId)}::int8[], ${filings.map(({ folderId }) => folderId)}::int[],
       ${entries.map(({ threadId }) => threadId)}::int8[],
       ${filings.map(({ date }) => date.toISOString())}::timestamp[], ${filings.map(({ key }) => key)}::bytea[],
       ${filings.map(({ isRead = false }) => isRead)}::boolean[],
       ${filings.map(({ isStarred = false }) => isStarred)}::boolean[],
       ${filings.map(({ source }) => source)}::text[],
       ${filings.map(({ envelope }) => (envelope ? JSON.stringify(envelope) : null))}::jsonb[],
       ${filings.map(({ emailId }) => emailId ?? null)}::int8[])
       e(account_id, modseq, id, content_id, folder_id, thread_id, date, message_key, is_read, is_starred, source,
         envelope, email_id)
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = e.account_id`,
  );
}

async function insertWords(ctx: Ctx, entries: readonly FiledEntry[]): Promise<void> {
  const workspace = ctx.workspace.id;
  const words = entries.map(({ accountId, filing: { words, date, size } }) =>
    [...words, ...buildEntryKeys(workspace, accountId, toDayNumber(date), size)].join(' '),
  );
  await ctx.db.rows(
    sql`insert into svc_mail_search (workspace_id, entry_id, account_id, date, words)
     select c.workspace_id, s.id, s.account_id, s.date, array_to_tsvector(string_to_array(s.words
       || case when c.attachment_count > 0 then ${sql.literal(` ${ATTACHMENT_KEY}`)} else '' end, ' '))
     from unnest(${entries.map(({ accountId }) => accountId)}::int[], ${entries.map(({ id }) => id)}::int8[],
       ${entries.map(({ filing }) => filing.contentId)}::int8[],
       ${entries.map(({ filing }) => filing.date.toISOString())}::timestamp[], ${words}::text[])
       s(account_id, id, content_id, date, words)
     join svc_mail_message c on c.workspace_id = ${workspace} and c.id = s.content_id`,
  );
}

async function attachLabels(ctx: Ctx, entries: readonly FiledEntry[]): Promise<void> {
  const pairs = entries.flatMap(({ id, filing: { labelIds = [], folderId, date } }) =>
    [...new Set(labelIds)].map((label) => ({ entry: id, label, folderId, date })),
  );
  if (pairs.length === 0) return;
  const workspace = ctx.workspace.id;
  await ctx.db.rows(
    sql`insert into svc_mail_entry_label (workspace_id, entry_id, label_id, folder_id, date)
     select b.workspace_id, l.entry_id, b.id, l.folder_id, l.date
     from unnest(${pairs.map(({ entry }) => entry)}::int8[], ${pairs.map(({ label }) => label)}::int[],
       ${pairs.map(({ folderId }) => folderId)}::int[], ${pairs.map(({ date }) => date.toISOString())}::timestamp[])
       l(entry_id, label_id, folder_id, date)
     join svc_mail_label b on b.workspace_id = ${workspace} and b.id = l.label_id`,
  );
  await updateLabelCounts(
    ctx,
    pairs.map(({ label, folderId, date }) => ({ labelId: label, folderId, day: toDayNumber(date), by: 1 })),
  );
}
