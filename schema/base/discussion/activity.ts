import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { setHookValues } from '../../../src/engine/write/values.ts';
import { adjustActivity, fillActivityDefaults } from './activity-new.ts';
import { findDocumentModel } from './document.ts';
import { buildDueState } from './mixins.ts';

/** Visible to the assignee, the creator and everyone who may read the record. */
defineModel('mail.activity', {
  group: 'data',
  accepts: ['res_model'],
  preview: { adjust: adjustActivity },
  graph: { type: 'Activity', one: 'activity', many: 'activities' },
  display: 'summary',
  searchNames: ['summary', 'res_name'],
  order: 'date_deadline, id',
  access: { 'base.group_user': 'crwu' },
  follows: {
    model: 'res_model',
    id: 'res_id',
    also: ({ userId }, operation) => {
      const ownDomain = ['|', ['user_id', '=', userId ?? 0], ['create_uid', '=', userId ?? 0]];
      return operation === 'create' ? ['&', ['res_id', 'in', [0, false]], ...ownDomain] : ownDomain;
    },
  },
  computed: {
    state: {
      type: 'selection',
      label: 'State',
      selection: [
        ['overdue', 'Overdue'],
        ['today', 'Today'],
        ['planned', 'Planned'],
        ['done', 'Done'],
      ],
      sql: (row, context) =>
        sql`case when not ${row}.active then 'done'
          else ${buildDueState(sql`${row}.date_deadline`, context.today())} end`,
    },
  },
  beforeCreate: fillActivityDefaults,
  beforeWrite: checkMove,
});

/** Requires write access to the new record when an activity is moved. */
async function checkMove(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  if (DOCUMENT.every((name) => values[name] === undefined)) return;
  const target = await findDocumentModel(ctx, values);
  delete values.res_model;
  if (target) setHookValues(values, { res_model_id: target.id, res_model: target.model });
  for (const { model, id } of await loadDocuments(ctx, ids)) {
    const to = {
      model: target?.model ?? model,
      id: values.res_id === undefined ? id : Number(values.res_id),
    };
    if (!to.model || !to.id) continue;
    assertModelAccess(ctx, getModel(ctx, to.model), 'write');
    await assertRowsExist(ctx, getModel(ctx, to.model), [to.id], 'write');
  }
}

const DOCUMENT = ['res_model_id', 'res_model', 'res_id'];

const loadDocuments = (ctx: Ctx, ids: number[]): Promise<{ model: string | null; id: number | null }[]> =>
  ctx.db.rows(
    sql`select distinct res_model as model, res_id as id from mail_activity
     where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
