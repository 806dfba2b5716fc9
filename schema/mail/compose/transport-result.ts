import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';

/** What is known of a message on its way. */
export interface TransportResult {
  /** As `svc.email` has it: queued, sending, sent, failed, unknown, cancelled or suppressed. */
  state: string;
  /** Why it has not gone out, or to whom it has not. */
  reason: string | null;
}

/** Milliseconds between two looks; they become rarer. */
const MIN_POLL_INTERVAL_MS = 20;
const MAX_POLL_INTERVAL_MS = 500;

/** Waits for what the provider says of an email, for as long as a call may wait. */
export async function waitForTransport(ctx: Ctx, emailId: number): Promise<TransportResult> {
  const until = Date.now() + limits.mail.transportWait;
  for (let pause = MIN_POLL_INTERVAL_MS; ; pause = Math.min(MAX_POLL_INTERVAL_MS, pause * 1.5)) {
    const [row] = await ctx.db.rows<TransportResult>(
      sql`select m.state, m.reason from svc_email m
       where m.workspace_id = ${ctx.workspace.id} and m.id = ${emailId}`,
    );
    if (!row || (row.state !== 'queued' && row.state !== 'sending')) return row ?? EMAIL_DELETED;
    // One that the provider does not take now waits for longer than a caller does.
    if (Date.now() + pause >= until || row.reason !== null) return row;
    await sleep(pause);
  }
}

const EMAIL_DELETED: TransportResult = { state: 'cancelled', reason: 'It was deleted.' };
