import { defineJob } from '../../src/engine/jobs.ts';

defineJob({
  name: 'session-purge',
  cron: '41 * * * *',
  run: async ({ db }) => {
    await db.rows(`delete from svc_session where workspace_id > 0 and expires_at < now()`);
  },
});
