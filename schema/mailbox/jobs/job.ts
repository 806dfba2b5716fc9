import { sql } from '../../../src/db/sql.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { MAILBOX_GRAPH_NAMES, PERSONAL_ACCESS } from '../accounts/mailbox-access.ts';

const LISTED_JOB_DAYS = 30;

defineModel('svc.mail.job', {
  group: 'mail',
  ...PERSONAL_ACCESS,
  display: 'kind',
  order: 'id desc',
  graph: { type: 'MailJob', one: 'mailJob', many: 'mailJobs', ...MAILBOX_GRAPH_NAMES, writes: false },
});

definePurgeJob('mail-job-purge', '25 3 * * *', {
  table: 'svc_mail_job',
  time: 'ended_at',
  before: sql`now() - make_interval(days => ${sql.literal(LISTED_JOB_DAYS)})`,
  key: { id: 'bigint' },
});
