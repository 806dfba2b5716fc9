import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { limits } from '../../../src/limits.ts';
import type { DueCall } from './claim.ts';
import type { WebhookAnswer } from './post.ts';

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
export function fateOf(attempt: number, answer: WebhookAnswer, pause: number = limits.webhook.pause): Fate {
  if (answer.error === null) return { status: 'DELIVERED', wait: 0 };
  if (attempt >= limits.webhook.attempts) return { status: 'FAILED', wait: 0 };
  return { status: 'PENDING', wait: pause * 2 ** (attempt - 1) };
}

/** Writes what came of an attempt. Too many calls failed for good, one after another, switch the webhook off. */
const NOTE = sql.prepare<Noted>(
  (p) => sql`
  with done as (
    update svc_webhook_call set status = ${p.status}, attempt = ${p.attempt},
      run_at = now() + make_interval(secs => ${p.wait}), payload = ${p.payload}::jsonb,
      response_status = ${p.responseStatus}, response_text = ${p.responseText}, response_ms = ${p.responseMs},
      last_error = ${p.error}, write_date = now()
    where workspace_id = ${p.workspace} and id = ${p.call} and status = 'IN_PROGRESS' returning 1
  )
  update svc_webhook w set
    failures = case when ${p.status} = 'DELIVERED' then 0 when ${p.status} = 'FAILED' then failures + 1
      else failures end,
    last_success_at = case when ${p.status} = 'DELIVERED' then ${p.now}::timestamp else last_success_at end,
    last_failure_at = case when ${p.status} = 'DELIVERED' then last_failure_at else ${p.now}::timestamp end,
    status = case when ${p.status} = 'FAILED' and status = 'ACTIVE' and failures + 1 >= ${p.most}
      then 'AUTO_DISABLED' else status end
  where workspace_id = ${p.workspace} and id = ${p.webhook} and exists (select 1 from done) returning w.status`,
);

interface Noted {
  now: string;
  workspace: number;
  webhook: number;
  call: number;
  status: Fate['status'];
  attempt: number;
  /** Seconds. */
  wait: number;
  payload: string;
  responseStatus: number | null;
  responseText: string | null;
  responseMs: number;
  error: string | null;
  /** Calls that may fail one after another. */
  most: number;
}

/** @returns the state of the webhook; undefined when the call is not this process's any more */
export async function noteOutcome(
  db: Database,
  call: DueCall,
  payload: string,
  answer: WebhookAnswer,
  fate: Fate,
): Promise<string | undefined> {
  const [row] = await db.rows<{ status: string }>(
    NOTE({
      now: new Date().toISOString(),
      workspace: call.workspace_id,
      webhook: call.id,
      call: call.call_id,
      status: fate.status,
      attempt: call.attempt + 1,
      wait: fate.wait / 1000,
      payload,
      responseStatus: answer.status,
      responseText: answer.text,
      responseMs: answer.ms,
      error: answer.error,
      most: limits.webhook.failures,
    }),
  );
  return row?.status;
}
