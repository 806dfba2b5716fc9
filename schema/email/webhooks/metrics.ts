import { sql } from '../../../src/db/sql.ts';
import { computeDueLag } from '../../../src/engine/work/due.ts';
import { defineCounter, defineGauge } from '../../../src/engine/work/metrics.ts';
import { WEBHOOK_QUEUE } from '../state/webhook-calls.ts';

export const WEBHOOK_ATTEMPTS = defineCounter(
  'atrium_webhook_attempts_total',
  'Attempts to call a webhook, by outcome: delivered, pending (it will be retried) or failed (given up).',
  ['outcome'],
);

defineGauge(
  'atrium_webhook_calls_waiting',
  'Webhook calls that are due or will be retried, up to 10000.',
  (db) =>
    db.value<number>(
      sql`select count(*)::int from (
       select 1 from svc_webhook_call c where c.workspace_id > 0 and c.status = 'PENDING' limit 10000) waiting`,
    ),
);

defineGauge(
  'atrium_webhook_lag_seconds',
  'Seconds for which calls have been due without being claimed, in the workspace that has waited longest.',
  (db) => computeDueLag(db, WEBHOOK_QUEUE),
);
