import { type Sql, sql } from '../../../src/db/sql.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';

const CHANGE_RETENTION_DAYS = 30;
/** The rate limit needs only the last hour. */
const SEND_LOG_DAYS = 2;
/** Exceeds the week during which a sender gets no second auto-reply. */
const AUTO_REPLY_DAYS = 14;

const buildDaysAgoSql = (days: number): Sql => sql`now() - make_interval(days => ${sql.literal(days)})`;

definePurgeJob(
  'mail-log-purge',
  '*/30 * * * *',
  {
    table: 'svc_mail_change',
    time: 'at',
    before: buildDaysAgoSql(CHANGE_RETENTION_DAYS),
    key: { account_id: 'bigint', modseq: 'bigint' },
  },
  {
    table: 'svc_mail_send_log',
    time: 'at',
    before: buildDaysAgoSql(SEND_LOG_DAYS),
    key: { account_id: 'bigint', email_id: 'bigint' },
  },
  {
    table: 'svc_mail_autoreply_sent',
    time: 'at',
    before: buildDaysAgoSql(AUTO_REPLY_DAYS),
    key: { account_id: 'bigint', sender: 'text', revision: 'bigint', week: 'bigint' },
  },
);
