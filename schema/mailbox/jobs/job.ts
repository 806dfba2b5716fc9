import { sql } from '../../../src/db/sql.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { buildMailboxAccess, MAILBOX_GRAPH_NAMES } from '../accounts/mailbox-access.ts';

const LISTED_JOB_DAYS = 30;

const access = buildMailboxAccess('account_id.');

/** Even in a shared mailbox, only the user who started a job can read its plan and error. */
defineModel('svc.mail.job', {
  group: 'mail',
  ...access,
  own: (principal) => {
    const mailboxes = access.own(principal);
    return mailboxes && ['&', ['user_id', '=', principal.userId], ...mailboxes];
  },
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
