import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

const MAX_TRANSPORT_WAIT_MS = 10_000;

export interface TransportResult {
  /** Value of `svc_email.state`. */
  state: string;
  /** Reason for a failed delivery, with the failed recipients if only some failed. */
  reason: string | null;
}

const MIN_POLL_INTERVAL_MS = 20;
const MAX_POLL_INTERVAL_MS = 500;

export async function waitForTransport(ctx: Ctx, emailId: number): Promise<TransportResult> {
  const deadline = Date.now() + MAX_TRANSPORT_WAIT_MS;
  for (let pause = MIN_POLL_INTERVAL_MS; ; pause = Math.min(MAX_POLL_INTERVAL_MS, pause * 1.5)) {
    const [row] = await ctx.db.rows<TransportResult>(
      sql`select m.state, m.reason from svc_email m
       where m.workspace_id = ${ctx.workspace.id} and m.id = ${emailId}`,
    );
    if (!row || (row.state !== 'queued' && row.state !== 'sending')) return row ?? EMAIL_DELETED;
    // A deferred email waits longer than a caller can.
    if (Date.now() + pause >= deadline || row.reason !== null) return row;
    await sleep(pause);
  }
}

const EMAIL_DELETED: TransportResult = { state: 'cancelled', reason: 'It was deleted.' };
