import { defineJob } from '../../src/engine/jobs.ts';
import { limits } from '../../src/limits.ts';

/** Idempotency records are kept for a day, across all workspaces. */
defineJob({
  name: 'idempotency-purge',
  cron: '*/20 * * * *',
  run: async ({ db }) => {
    await db.rows(
      `delete from svc_idempotency where workspace_id > 0 and created_at < now() - make_interval(hours => $1)`,
      [limits.idempotencyHours],
    );
  },
});

/** As above, of the writes of the JSON API. */
defineJob({
  name: 'replay-purge',
  cron: '*/20 * * * *',
  run: async ({ db }) => {
    await db.rows(
      `delete from svc_replay where workspace_id > 0 and created_at < now() - make_interval(hours => $1)`,
      [limits.idempotencyHours],
    );
  },
});

/** Events that have been told are of no more use after a week. */
defineJob({
  name: 'event-purge',
  cron: '53 2 * * *',
  run: async ({ db }) => {
    await db.rows(
      `delete from svc_event where workspace_id > 0 and dispatched_at < now() - interval '7 days'`,
    );
  },
});
