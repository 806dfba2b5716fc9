import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecords } from '../../../src/engine/operation/record-result.ts';
import { create } from '../../../src/engine/write/write.ts';
import { getRecordId } from '../ir/data.ts';
import { getActivityModel } from './thread.ts';

export const recordActivitySchedule = defineOperation('recordActivitySchedule', {
  effects: ['writes'],
  address: '*/activity_schedule',
  needs: 'activity_ids',
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Schedules an activity on each record and returns the ids of the activities.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    actTypeXmlid: arg.string({ defaultValue: '', description: 'External id of the activity type.' }),
    dateDeadline: arg.string({ description: 'Due date. By default, it is derived from the activity type.' }),
    summary: arg.string({ defaultValue: '', description: 'Title of the activity.' }),
    note: arg.string({ defaultValue: '', description: 'Details of the activity.' }),
    activityTypeId: arg.recordId({ description: 'Id of the activity type. Alternative to `actTypeXmlid`.' }),
    userId: arg.recordId({ description: 'User to assign. Defaults to the caller.' }),
  }),
  ...returnRecords('mail.activity', facadeResult.ids, (ids: number[]) => ids),
  run: (ctx, { model, ids, actTypeXmlid: xmlid, activityTypeId: type, dateDeadline, userId, ...texts }) =>
    ctx.tx(async (tx) => {
      const target = getActivityModel(tx, model, 'activity_schedule');
      assertModelAccess(tx, target, 'write');
      await assertRowsExist(tx, target, ids, 'write');
      const typeId = xmlid ? await getRecordId(tx, 'mail.activity.type', xmlid) : false;
      const values = { ...texts, date_deadline: dateDeadline, user_id: userId };
      const activity = { ...omitUnset(values), activity_type_id: type ?? typeId };
      const activityIds = await create(
        tx,
        'mail.activity',
        ids.map((id) => ({ ...activity, res_model: model, res_id: id })),
      );
      await tx.db.rows(
        sql`update mail_activity set automated = true
         where workspace_id = ${tx.workspace.id} and id = any(${activityIds}::int[])`,
      );
      return activityIds;
    }),
});

const omitUnset = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );
