import { sql } from '../../../src/db/sql.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';

const INTAKE_RETENTION_DAYS = 30;

/** Deletes old intake records, which identify redeliveries. Keeps records of unfiled messages. */
definePurgeJob('mail-intake-purge', '37 3 * * *', {
  table: 'svc_mail_intake',
  time: 'received_at',
  before: sql`now() - make_interval(days => ${sql.literal(INTAKE_RETENTION_DAYS)})`,
  key: { id: 'bigint' },
  also: (workspace) => sql`not exists (
    select 1 from svc_mail_delivery d
    where d.workspace_id = ${workspace} and d.intake_id = t.id
      and (d.next_at is not null or d.state = 'failed'))`,
});
