import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { errors } from '../../../src/errors.ts';

const NOTIFICATION_RETENTION_DAYS = 90;
const MAX_READ_IDS = 500;

defineModel('svc.notification', {
  group: 'data',
  display: 'title',
  order: 'id desc',
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
  own: ({ userId }) => [['user_id', '=', userId]],
  graph: { type: 'Notification', one: 'notification', many: 'notifications', writes: false },
});

export const notificationsRead = defineOperation('notificationsRead', {
  effects: ['writes'],
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Marks your notifications as read and returns how many were unread.',
  args: (arg) => ({
    ids: arg.recordIds({
      description: `Up to ${MAX_READ_IDS} notifications to mark. Defaults to all.`,
    }),
  }),
  type: 'Int',
  run: async (ctx, { ids }) => {
    if (ids && ids.length > MAX_READ_IDS)
      throw errors.badValue(`ids: must contain at most ${MAX_READ_IDS} ids`);
    const readRows = await ctx.db.rows(
      sql`update svc_notification set read_at = ${NOW}
       where workspace_id = ${ctx.workspace.id} and user_id = ${ctx.principal!.userId} and read_at is null
         and (${ids ?? null}::int[] is null or id = any(${ids ?? null}::int[])) returning id`,
    );
    return readRows.length;
  },
});

definePurgeJob('notification-purge', '33 3 * * *', {
  table: 'svc_notification',
  time: 'create_date',
  before: sql`now() - make_interval(days => ${sql.literal(NOTIFICATION_RETENTION_DAYS)})`,
  key: { id: 'bigint' },
});
