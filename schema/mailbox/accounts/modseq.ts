import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

// The transaction of every mailbox change begins with `advanceModseq`. It locks the mailbox's `svc_mail_clock` row,
// which serializes changes, and returns the modification sequence that clients use to synchronize. Lock several
// mailboxes in ascending id order. Do nothing slow while holding the lock: no parsing, no network, no blobs.

/** A row of `svc_mail_change`. */
interface MailboxChange {
  kind: 'file' | 'flags' | 'move' | 'labels' | 'delete' | 'folders';
  created?: number[];
  updated?: number[];
  destroyed?: number[];
  folders?: number[];
  threads?: number[];
}

const MAX_IDS_PER_CHANGE = 500;

/** Locks the mailbox until the end of the transaction. @returns its next modification sequence */
export const advanceModseq = async (ctx: Ctx, accountId: number): Promise<number> =>
  (await advanceModseqs(ctx, [accountId])).get(accountId)!;

/**
 * Locks mailboxes in ascending id order until the end of the transaction.
 * @returns the next modification sequence by mailbox
 */
export async function advanceModseqs(ctx: Ctx, accountIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await ctx.db.rows<{ account_id: number; modseq: number }>(
    sql`with held as (
       select h.account_id from svc_mail_clock h
       where h.workspace_id = ${ctx.workspace.id} and h.account_id = any(${accountIds}::int[])
       order by h.account_id for no key update
     )
     update svc_mail_clock c set modseq = c.modseq + 1 from held
     where c.workspace_id = ${ctx.workspace.id} and c.account_id = held.account_id returning c.account_id, c.modseq`,
  );
  return new Map(rows.map(({ account_id, modseq }) => [account_id, modseq]));
}

/** Restores the modification sequences if nothing changed. The mailboxes stay locked. */
export async function revertModseqs(ctx: Ctx, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  await ctx.db.rows(
    sql`update svc_mail_clock set modseq = modseq - 1
     where workspace_id = ${ctx.workspace.id} and account_id = any(${accountIds}::int[])`,
  );
}

/** Adds to each mailbox's used bytes. Values are negative for removed messages. The mailboxes must be locked. */
export async function addUsedBytes(ctx: Ctx, bytes: ReadonlyMap<number, number>): Promise<void> {
  await ctx.db.rows(
    sql`update svc_mail_clock c set used_bytes = greatest(0, c.used_bytes + b.bytes)
     from unnest(${[...bytes.keys()]}::int[], ${[...bytes.values()]}::int8[]) b(account_id, bytes)
     where c.workspace_id = ${ctx.workspace.id} and c.account_id = b.account_id`,
  );
}

interface ChangeToRecord {
  accountId: number;
  modseq: number;
  change: MailboxChange;
}

/**
 * Writes a change to the change log. Splits a long list of ids into several rows, each with its own modification
 * sequence.
 */
export const recordMailboxChange = (
  ctx: Ctx,
  accountId: number,
  modseq: number,
  change: MailboxChange,
): Promise<void> => recordMailboxChanges(ctx, [{ accountId, modseq, change }]);

/** Locks the mailbox until the end of the transaction, and writes a change to the change log. */
export const lockForChange = async (ctx: Ctx, accountId: number, change: MailboxChange): Promise<void> =>
  recordMailboxChange(ctx, accountId, await advanceModseq(ctx, accountId), change);

export async function recordMailboxChanges(ctx: Ctx, all: readonly ChangeToRecord[]): Promise<void> {
  const rows: ChangeRow[] = [];
  for (const { accountId, modseq, change } of all) {
    const { kind, created = [], updated = [], destroyed = [], folders = [], threads = [] } = change;
    const longestList = Math.max(created.length, updated.length, destroyed.length);
    for (let from = 0; from === 0 || from < longestList; from += MAX_IDS_PER_CHANGE) {
      const part = (ids: number[]) => ids.slice(from, from + MAX_IDS_PER_CHANGE);
      rows.push({
        account: accountId,
        modseq: from === 0 ? modseq : await advanceModseq(ctx, accountId),
        kind,
        created: part(created),
        updated: part(updated),
        destroyed: part(destroyed),
        folders,
        threads,
      });
    }
  }
  await ctx.db.rows(
    sql`insert into svc_mail_change
       (workspace_id, account_id, modseq, kind, created, updated, destroyed, folders, threads)
     select a.workspace_id, a.id, n.modseq, n.kind, n.created, n.updated, n.destroyed, n.folders, n.threads
     from json_to_recordset(${JSON.stringify(rows)}::json) n(account int, modseq int8, kind text,
       created int8[], updated int8[], destroyed int8[], folders int[], threads int8[])
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = n.account`,
  );
}

interface ChangeRow extends Required<MailboxChange> {
  account: number;
  modseq: number;
}
