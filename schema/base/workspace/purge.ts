import { sql } from '../../../src/db/sql.ts';
import { changeChosen } from '../../../src/engine/work/batch.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { limits } from '../../../src/limits.ts';

/** Idempotency records are kept for a day, across all workspaces. */
defineJob({
  name: 'idempotency-purge',
  cron: '*/20 * * * *',
  run: async ({ db }) => {
    await changeChosen(
      db,
      sql`delete from svc_idempotency`,
      sql`select ctid from svc_idempotency where workspace_id > 0
        and created_at < now() - make_interval(hours => ${limits.call.idempotencyHours})`,
    );
  },
});

/** As above, of the writes of the JSON API. */
defineJob({
  name: 'replay-purge',
  cron: '*/20 * * * *',
  run: async ({ db }) => {
    await changeChosen(
      db,
      sql`delete from svc_replay`,
      sql`select ctid from svc_replay where workspace_id > 0
        and created_at < now() - make_interval(hours => ${limits.call.idempotencyHours})`,
    );
  },
});

/** Dispatched events are deleted after a week. */
defineJob({
  name: 'event-purge',
  cron: '53 2 * * *',
  run: async ({ db }) => {
    await changeChosen(
      db,
      sql`delete from svc_event`,
      sql`select ctid from svc_event where workspace_id > 0 and dispatched_at < now() - interval '7 days'`,
    );
  },
});

/** Contents that attachments left behind when they went along with their records. */
defineJob({
  name: 'blob-purge',
  cron: '23 2 * * *',
  run: async ({ db }) => {
    await changeChosen(
      db,
      sql`delete from svc_blob`,
      sql`select b.ctid from svc_blob b where b.workspace_id > 0 and b.created_at < now() - interval '1 day'
       and not exists (select 1 from ir_attachment a where a.workspace_id = b.workspace_id and a.store_hash = b.hash)`,
    );
  },
});

/** Of the sign-ins of a user the last one is kept, and those of the last weeks. */
defineJob({
  name: 'sign-in-purge',
  cron: '37 2 * * *',
  run: async ({ db }) => {
    await changeChosen(
      db,
      sql`delete from res_users_log`,
      sql`select l.ctid from res_users_log l where l.workspace_id > 0 and l.create_date < now() - interval '90 days'
       and l.create_date < (select max(n.create_date) from res_users_log n
         where n.workspace_id = l.workspace_id and n.create_uid = l.create_uid)`,
    );
  },
});

/** Changes that no subscriber comes back to any more; a minute more, for those that are just being read. */
defineJob({
  name: 'change-purge',
  cron: '*/10 * * * *',
  run: async ({ db }) => {
    await changeChosen(
      db,
      sql`delete from svc_change`,
      sql`select ctid from svc_change where workspace_id > 0
        and created_at < now() - make_interval(mins => ${limits.live.keepMinutes + 1})`,
    );
    await changeChosen(
      db,
      sql`delete from svc_live`,
      sql`select ctid from svc_live where workspace_id > 0 and until < now()`,
    );
  },
});
