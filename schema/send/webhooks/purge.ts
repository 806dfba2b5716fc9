import { sql } from '../../../src/db/sql.ts';
import { changeChosen } from '../../../src/engine/work/batch.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { limits } from '../../../src/limits.ts';

/** A call that has been pending for days, behind others or while its webhook was paused, is no longer of use. */
defineJob({
  name: 'webhook-discard',
  cron: '23 * * * *',
  run: async ({ db }) => {
    await changeChosen(
      db,
      sql`update svc_webhook_call set status = 'DISCARDED', write_date = now()`,
      sql`select c.ctid from svc_webhook w
       join svc_webhook_call c on c.workspace_id = w.workspace_id and c.webhook_id = w.id
       where w.workspace_id > 0 and c.status = 'PENDING'
         and c.run_at < now() - make_interval(days => ${limits.webhook.waitDays})`,
    );
  },
});

defineJob({
  name: 'webhook-purge',
  cron: '41 3 * * *',
  run: async ({ db }) => {
    await changeChosen(
      db,
      sql`delete from svc_webhook_call`,
      sql`select ctid from svc_webhook_call where workspace_id > 0
        and create_date < now() - make_interval(days => ${limits.webhook.callDays})`,
    );
  },
});
