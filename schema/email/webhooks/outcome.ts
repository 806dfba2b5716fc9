import { NOW_ROW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import type { DueCall, LeasedWebhook } from './claim.ts';
import type { WebhookResponse } from './post-webhook.ts';

const MAX_CALL_ATTEMPTS = 6;
/** The delay doubles with each further retry. */
export const FIRST_RETRY_PAUSE_MS = 5_000;
/** Consecutive permanently failed calls before a webhook is disabled. */
const MAX_CONSECUTIVE_FAILURES = 30;

interface CallOutcome {
  status: 'DELIVERED' | 'PENDING' | 'FAILED';
  /** Milliseconds until the next attempt if `PENDING`. */
  wait: number;
}

/**
 * Interprets the response to attempt number `attempt`, counted from 1. The delay doubles with each attempt, unless the
 * receiver requests a longer one.
 */
export function computeCallOutcome(
  attempt: number,
  response: WebhookResponse,
  pause: number = FIRST_RETRY_PAUSE_MS,
): CallOutcome {
  if (response.error === null) return { status: 'DELIVERED', wait: 0 };
  if (isGone(response) || attempt >= MAX_CALL_ATTEMPTS) return { status: 'FAILED', wait: 0 };
  return { status: 'PENDING', wait: Math.max(pause * 2 ** (attempt - 1), response.retryAfterMs ?? 0) };
}

/** True if the endpoint has been removed for good (RFC 9110 15.5.11). */
const isGone = ({ status }: WebhookResponse): boolean => status === 410;

export interface FinishedAttempt {
  call: DueCall;
  body: string;
  response: WebhookResponse;
  outcome: CallOutcome;
}

interface WebhookOutcomes {
  /** Ordered by end time. */
  ended: FinishedAttempt[];
  /** Started calls that must wait for the retry of an earlier call. */
  behind: { call: DueCall; wait: number }[];
  /** Started calls that return to the queue with their due time unchanged. */
  back: DueCall[];
}

/** Consecutive failed attempts after which a webhook counts as down. It then pauses and is tested with single calls. */
export const DOWN_AFTER_FAILURES = 10;

const REST_AFTER_FAILURES = sql.literal(DOWN_AFTER_FAILURES);
const MAX_PAUSE_DOUBLINGS = sql.literal(4);

interface WebhookState {
  status: string;
  misses: number;
  rests: boolean;
}

/**
 * Records the outcomes of attempts. Disables the webhook after too many consecutive failed calls, or if its endpoint is
 * gone. While it is down, its pauses grow, so that its calls do not use up their attempts. An overloaded receiver can
 * request a pause for all of its calls.
 * @param pause first pause in milliseconds
 * @returns undefined if the webhook was deleted
 */
export async function recordCallOutcomes(
  db: Database,
  { workspace_id: workspace, id }: LeasedWebhook,
  { ended, behind, back }: WebhookOutcomes,
  pause: number,
): Promise<WebhookState | undefined> {
  const statuses = ended.map(({ outcome }) => outcome.status);
  const lastDelivered = statuses.lastIndexOf('DELIVERED');
  const delivered = lastDelivered >= 0;
  // Failed attempts, and failed calls, since the last delivered call.
  const missed = statuses.length - 1 - lastDelivered;
  const failedCount = statuses.slice(lastDelivered + 1).filter((status) => status === 'FAILED').length;
  const waits = JSON.stringify(behind.map(({ call, wait }) => ({ id: call.call_id, wait: wait / 1000 })));
  const now = new Date().toISOString();
  const [row] = await db.rows<WebhookState>(
    sql`with done as (
       update svc_webhook_call c set status = g.status, attempt = g.attempt,
         run_at = n.now + make_interval(secs => g.wait), payload = g.payload, response_status = g.response_status,
         response_text = g.response_text, response_ms = g.response_ms, last_error = g.error, write_date = now()
       from json_to_recordset(${`[${ended.map(toOutcomeJson).join()}]`}::json) g(id int8, status text, attempt int,
         wait float8, payload jsonb, response_status int, response_text text, response_ms int, error text), ${NOW_ROW}
       where c.workspace_id = ${workspace} and c.id = g.id and c.status = 'IN_PROGRESS'
     ), later as (
       update svc_webhook_call c set status = 'PENDING', run_at = n.now + make_interval(secs => g.wait)
       from json_to_recordset(${waits}::json) g(id int8, wait float8), ${NOW_ROW}
       where c.workspace_id = ${workspace} and c.id = g.id and c.status = 'IN_PROGRESS'
     ), again as (
       update svc_webhook_call c set status = 'PENDING'
       where c.workspace_id = ${workspace} and c.id = any(${back.map((call) => call.call_id)}::bigint[])
         and c.status = 'IN_PROGRESS'
     )
     update svc_webhook w set
       misses = case when ${delivered}::boolean then least(${missed}::int, ${REST_AFTER_FAILURES})
         when ${missed}::int = 0 or w.rests_until > n.now then w.misses
         else greatest(w.misses + 1, least(w.misses + ${missed}::int, ${REST_AFTER_FAILURES})) end,
       rests_until = greatest(
         case when ${delivered}::boolean and ${missed}::int < ${REST_AFTER_FAILURES} then null
           when ${missed}::int = 0 or w.rests_until > n.now
             or w.misses + ${missed}::int < ${REST_AFTER_FAILURES} then w.rests_until
           else n.now + make_interval(secs => ${pause / 1000}::float8
             * power(2, least(greatest(w.misses + 1 - ${REST_AFTER_FAILURES}, 0), ${MAX_PAUSE_DOUBLINGS}))) end,
         n.now + make_interval(secs => ${findRequestedPause(ended)}::float8)),
       failures = ${failedCount}::int + case when ${delivered}::boolean then 0 else failures end,
       last_success_at = case when ${delivered}::boolean then ${now}::timestamp else last_success_at end,
       last_failure_at = case when ${missed}::int > 0 then ${now}::timestamp else last_failure_at end,
       status = case when status = 'ACTIVE' and (${ended.some(({ response }) => isGone(response))}::boolean
         or ${failedCount}::int > 0 and case when ${delivered}::boolean then 0 else failures end
           + ${failedCount}::int >= ${MAX_CONSECUTIVE_FAILURES}::int)
         then 'AUTO_DISABLED' else status end
     from ${NOW_ROW} where w.workspace_id = ${workspace} and w.id = ${id}
     returning w.status, w.misses, coalesce(w.rests_until > ${now}::timestamp, false) as rests`,
  );
  return row;
}

/** Statuses with which a receiver asks to slow down (RFC 9110 15.6.4, RFC 6585 4). */
const OVERLOADED = [429, 503];

const findRequestedPause = (ended: readonly FinishedAttempt[]): number | null =>
  ended.reduce<number | null>(
    (longest, { response: { status, retryAfterMs } }) =>
      retryAfterMs && OVERLOADED.includes(status ?? 0)
        ? Math.max(longest ?? 0, retryAfterMs / 1000)
        : longest,
    null,
  );

function toOutcomeJson({ call, body, response, outcome }: FinishedAttempt): string {
  const row = {
    id: call.call_id,
    status: outcome.status,
    attempt: call.attempt + 1,
    wait: outcome.wait / 1000,
    response_status: response.status,
    response_text: response.text,
    response_ms: response.ms,
    error: response.error,
  };
  return `${JSON.stringify(row).slice(0, -1)},"payload":${body}}`;
}
