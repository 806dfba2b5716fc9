import { sql } from '../../../src/db/sql.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { defineMailboxModel, PERSONAL_ACCESS } from '../accounts/mailbox-access.ts';

const LISTED_JOB_DAYS = 30;

defineMailboxModel(
  'svc.mail.job',
  { type: 'MailJob', one: 'mailJob', many: 'mailJobs' },
  { ...PERSONAL_ACCESS, display: 'kind', order: 'id desc' },
);

definePurgeJob('mail-job-purge', '25 3 * * *', {
  table: 'svc_mail_job',
  time: 'ended_at',
  before: sql`now() - make_interval(days => ${sql.literal(LISTED_JOB_DAYS)})`,
  key: { id: 'bigint' },
});
