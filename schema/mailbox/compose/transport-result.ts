import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

const MAX_TRANSPORT_WAIT_MS = 10_000;

export interface TransportResult {
  /** State in `svc.email`: queued, sending, sent, failed, unknown, cancelled or suppressed. */
  state: string;
  /** Reason for a failed delivery, or the failed recipients. */
  reason: string | null;
}

/** Initial and maximum polling interval, in milliseconds. */
const MIN_POLL_INTERVAL_MS = 20;
const MAX_POLL_INTERVAL_MS = 500;

/** Waits for the provider's response to an email, at most as long as a call may wait. */
export async function waitForTransport(ctx: Ctx, emailId: number): Promise<TransportResult> {
  const deadline = Date.now() + MAX_TRANSPORT_WAIT_MS;
  for (let pause = MIN_POLL_INTERVAL_MS; ; pause = Math.min(MAX_POLL_INTERVAL_MS, pause * 1.5)) {
    const [row] = await ctx.db.rows<TransportResult>(
      sql`select m.state, m.reason from svc_email m
       where m.workspace_id = ${ctx.workspace.id} and m.id = ${emailId}`,
    );
    if (!row || (row.state !== 'queued' && row.state !== 'sending')) return row ?? EMAIL_DELETED;
    // A deferred email waits longer than a caller can, so return immediately.
    if (Date.now() + pause >= deadline || row.reason !== null) return row;
    await sleep(pause);
  }
}

const EMAIL_DELETED: TransportResult = { state: 'cancelled', reason: 'It was deleted.' };
