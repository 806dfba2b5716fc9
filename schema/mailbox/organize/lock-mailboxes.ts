import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import { createMailAccessError } from '../accounts/member-access.ts';
import { advanceModseq, recordMailboxChange } from '../accounts/modseq.ts';
import { MailError } from '../kit/operation.ts';
import { type Feature, requireFeature } from '../settings/features.ts';

interface AffectedMailbox {
  id: number;
  company_id: number | null;
}

/**
 * Finds the messages' mailboxes, by ascending id.
 * @throws MailError if no messages are given, or too many
 * @throws ACCESS_ERROR if a message does not exist, or the caller is not a member of its mailbox
 */
export async function getEntryMailboxes(ctx: Ctx, entryIds: readonly number[]): Promise<AffectedMailbox[]> {
  const ids = [...new Set(entryIds)];
  if (ids.length === 0) throw new MailError('Specify at least one message.');
  if (ids.length > limits.mail.changed)
    throw new MailError(`At most ${limits.mail.changed} messages can be changed at a time.`);
  const rows = await ctx.db.rows<AffectedMailbox & { n: number }>(
    sql`select a.id, a.company_id, count(*)::int as n
     from svc_mail_entry e
     join svc_mail_member m on m.workspace_id = ${ctx.workspace.id} and m.account_id = e.account_id
       and m.user_id = ${ctx.principal?.userId ?? 0}
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = e.account_id and a.active
     where e.workspace_id = ${ctx.workspace.id} and e.id = any(${ids}::int8[])
     group by a.id, a.company_id order by a.id`,
  );
  if (rows.reduce((sum, { n }) => sum + n, 0) < ids.length)
    throw createMailAccessError(ctx, 'Message', 'svc.mail.entry');
  return rows;
}

/** @throws MailError if the feature is off for the company of any mailbox */
export async function requireFeatureIn(
  ctx: Ctx,
  mailboxes: readonly AffectedMailbox[],
  feature: Feature,
): Promise<void> {
  for (const company of new Set(mailboxes.map(({ company_id }) => company_id)))
    await requireFeature(ctx, company, feature);
}

interface AppliedChange {
  id: number;
  account_id: number;
  folderIds: number[];
}

/**
 * Changes messages in a transaction that locks their mailboxes, and logs the change for clients that synchronize.
 * @param change receives the modification sequence by mailbox
 */
export function withLockedMailboxes<T extends AppliedChange>(
  ctx: Ctx,
  accountIds: readonly number[],
  kind: 'flags' | 'move' | 'labels',
  change: (tx: Ctx, numbers: ReadonlyMap<number, number>) => Promise<T[]>,
): Promise<T[]> {
  return ctx.tx(async (tx) => {
    const numbers = new Map<number, number>();
    for (const id of accountIds) numbers.set(id, await advanceModseq(tx, id));
    const result = await change(tx, numbers);
    const byAccount = Map.groupBy(result, (item) => item.account_id);
    for (const [account, number] of numbers) {
      const items = byAccount.get(account) ?? [];
      const folders = [...new Set(items.flatMap(({ folderIds }) => folderIds))];
      await recordMailboxChange(tx, account, number, { kind, updated: items.map(({ id }) => id), folders });
    }
    return result;
  });
}
