import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
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

definePurgeJob('user-invitation-expire', '*/10 * * * *', {
  table: 'svc_user_invitation',
  time: 'expires_at',
  before: NOW,
  key: { id: 'bigint' },
  also: () => sql`t.state = 'waiting'`,
  change: sql`update svc_user_invitation t set state = 'expired'`,
});

definePurgeJob('user-invitation-purge', '37 3 * * *', {
  table: 'svc_user_invitation',
  time: 'create_date',
  before: sql`now() - make_interval(days => ${sql.literal(INVITATION_RETENTION_DAYS)})`,
  key: { id: 'bigint' },
  also: () => sql`t.state <> 'waiting'`,
});
