import type { Database } from '../../../src/db/pool.ts';
import { limits } from '../../../src/limits.ts';
import type { DueCall } from './claim.ts';
import type { Answer } from './post.ts';

/** What an attempt makes of its call. */
interface Fate {
  status: 'DELIVERED' | 'PENDING' | 'FAILED';
  /** Milliseconds to the next attempt, for `PENDING`. */
  wait: number;
}

/**
 * What the answer to attempt number `attempt` (from 1) means: pauses double from `pause` on, and after the last attempt
 * the call has failed. Pure.
 */
export function fateOf(attempt: number, answer: Answer, pause: number = limits.webhookPause): Fate {
  if (answer.error === null) return { status: 'DELIVERED', wait: 0 };
  if (attempt >= limits.webhookAttempts) return { status: 'FAILED', wait: 0 };
  return { status: 'PENDING', wait: pause * 2 ** (attempt - 1) };
}

/** Writes what came of an attempt. Too many calls failed for good, one after another, switch the webhook off. */
const NOTE = `
  with done as (
    update svc_webhook_call set status = $4, attempt = $5, run_at = now() + make_interval(secs => $6), payload = $7::jsonb,
      response_status = $8, response_text = $9, response_ms = $10, last_error = $11, write_date = now()
    where workspace_id = $1 and id = $3 and status = 'IN_PROGRESS' returning 1
  )
  update svc_webhook w set
    failures = case $4 when 'DELIVERED' then 0 when 'FAILED' then failures + 1 else failures end,
    last_success_at = case when $4 = 'DELIVERED' then now() else last_success_at end,
    last_failure_at = case when $4 = 'DELIVERED' then last_failure_at else now() end,
    status = case when $4 = 'FAILED' and status = 'ACTIVE' and failures + 1 >= $12 then 'AUTO_DISABLED' else status end
  where workspace_id = $1 and id = $2 and exists (select 1 from done) returning w.status`;

/** @returns the state of the webhook; undefined when the call is not this process's any more */
export async function noteOutcome(
  db: Database,
  call: DueCall,
  payload: string,
  answer: Answer,
  fate: Fate,
): Promise<string | undefined> {
  const [row] = await db.rows<{ status: string }>(NOTE, [
    call.workspace_id,
    call.id,
    call.call_id,
    fate.status,
    call.attempt + 1,
    fate.wait / 1000,
    payload,
    answer.status,
    answer.text,
    answer.ms,
    answer.error,
    limits.webhookFailures,
  ]);
  return row?.status;
}
