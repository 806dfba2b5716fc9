import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { purgeRows } from '../../../src/engine/work/purge.ts';
import { ADMIN_GROUP } from '../roles.ts';

const INVITATION_RETENTION_DAYS = 365;

defineModel('svc.user.invitation', {
  group: 'data',
  display: 'email',
  searchNames: ['email', 'name'],
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: { [ADMIN_GROUP]: 'r' },
  graph: { type: 'UserInvitation', one: 'userInvitation', many: 'userInvitations', writes: false },
});

defineJob({
  name: 'user-invitation-expire',
  cron: '*/10 * * * *',
  run: async ({ db }) => {
    await purgeRows(db, {
      table: 'svc_user_invitation',
      time: 'expires_at',
      before: NOW,
      key: { id: 'bigint' },
      also: () => sql`t.state = 'waiting'`,
      change: sql`update svc_user_invitation t set state = 'expired'`,
    });
  },
});

defineJob({
  name: 'user-invitation-purge',
  cron: '37 3 * * *',
  run: async ({ db }) => {
    await purgeRows(db, {
      table: 'svc_user_invitation',
      time: 'create_date',
      before: sql`now() - make_interval(days => ${sql.literal(INVITATION_RETENTION_DAYS)})`,
      key: { id: 'bigint' },
      also: () => sql`t.state <> 'waiting'`,
    });
  },
});
