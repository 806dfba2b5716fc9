import { type Sql, sql } from '../../../src/db/sql.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { sweepDueWorkspaces } from '../../../src/engine/work/sweep.ts';
import { limits } from '../../../src/limits.ts';

defineJob({ name: 'due-sweep', cron: '* * * * *', run: sweepDueWorkspaces });

const before = (interval: Sql): Sql => sql`now() - ${interval}`;
const IDEMPOTENCY_CUTOFF = before(sql`make_interval(hours => ${sql.literal(limits.call.idempotencyHours)})`);

definePurgeJob('idempotency-purge', '*/20 * * * *', {
  table: 'svc_idempotency',
  time: 'created_at',
  before: IDEMPOTENCY_CUTOFF,
  key: { key: 'text' },
});

/** Idempotency records of writes through the JSON API. */
definePurgeJob('replay-purge', '*/20 * * * *', {
  table: 'svc_replay',
  time: 'created_at',
  before: IDEMPOTENCY_CUTOFF,
  key: { principal: 'text', key: 'text' },
});

definePurgeJob('event-purge', '53 2 * * *', {
  table: 'svc_event',
  time: 'dispatched_at',
  before: before(sql`interval '7 days'`),
  key: { id: 'bigint' },
});

/** Sign-ins are deleted after 90 days, except each user's last one. */
definePurgeJob('sign-in-purge', '37 2 * * *', {
  table: 'res_users_log',
  time: 'create_date',
  before: before(sql`interval '90 days'`),
  key: { id: 'bigint' },
  also: (workspace) => sql`t.create_date < (select max(n.create_date) from res_users_log n
    where n.workspace_id = ${workspace} and n.create_uid = t.create_uid)`,
});

/** Changes are kept while subscribers can resume from them, plus a minute for changes that are being read. */
definePurgeJob(
  'change-purge',
  '*/10 * * * *',
  {
    table: 'svc_change',
    time: 'created_at',
    before: before(sql`make_interval(mins => ${sql.literal(limits.live.keepMinutes + 1)})`),
    key: { xid: 'bigint', seq: 'bigint' },
  },
  { table: 'svc_live', time: 'until', before: sql`now()`, key: { topic: 'text' } },
);
