import { type Sql, sql } from '../../../src/db/sql.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { purgeRows } from '../../../src/engine/work/purge.ts';
import { limits } from '../../../src/limits.ts';

const buildDaysAgoSql = (days: number): Sql => sql`now() - make_interval(days => ${sql.literal(days)})`;

/** Expires short-lived logs of mailboxes: changes, sent messages and auto-replies. */
defineJob({
  name: 'mail-log-purge',
  cron: '*/30 * * * *',
  run: async ({ db }) => {
    await purgeRows(db, {
      table: 'svc_mail_change',
      time: 'at',
      before: buildDaysAgoSql(limits.mail.changeDays),
      key: { account_id: 'bigint', modseq: 'bigint' },
    });
    await purgeRows(db, {
      table: 'svc_mail_send_log',
      time: 'at',
      before: buildDaysAgoSql(limits.mail.sendLogDays),
      key: { account_id: 'bigint', email_id: 'bigint' },
    });
    await purgeRows(db, {
      table: 'svc_mail_autoreply_sent',
      time: 'at',
      before: buildDaysAgoSql(limits.mail.autoReplyDays),
      key: { account_id: 'bigint', sender: 'text', revision: 'bigint', week: 'bigint' },
    });
  },
});
