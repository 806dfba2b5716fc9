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
