import { changeChosen } from '../../../src/engine/work/batch.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';

defineJob({
  name: 'session-purge',
  cron: '41 * * * *',
  run: async ({ db }) => {
    await changeChosen(
      db,
      'delete from svc_session',
      `select ctid from svc_session where workspace_id > 0 and expires_at < now()`,
    );
  },
});
