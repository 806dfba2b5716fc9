import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/**
 * Returns the bytes left in the quota; Infinity without a quota. If the caller has locked the mailbox, the result stays
 * valid until the end of the transaction.
 */
export async function getFreeBytes(ctx: Ctx, accountId: number): Promise<number> {
  const [row] = await ctx.db.rows<{ room: number | null }>(
    sql`select case when a.quota is not null then greatest(0, a.quota - c.used_bytes) end as room
     from svc_mail_account a
     join svc_mail_clock c on c.workspace_id = ${ctx.workspace.id} and c.account_id = a.id
     where a.workspace_id = ${ctx.workspace.id} and a.id = ${accountId}`,
  );
  return row?.room ?? Number.POSITIVE_INFINITY;
}

export function selectFittingFilings<T extends { size: number }>(
  filings: readonly T[],
  freeBytes: number,
): T[] {
  let remainingBytes = freeBytes;
  return filings.filter(({ size }) => {
    if (size > remainingBytes) return false;
    remainingBytes -= size;
    return true;
  });
}

export const MAILBOX_FULL = 'The mailbox is full.';
