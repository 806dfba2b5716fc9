import type { Db, RootDb } from '../../../src/db/db.ts';
import { NOW } from '../../../src/db/now.ts';
import { type Param, type Sql, sql } from '../../../src/db/sql.ts';
import { listDueKinds } from '../../../src/engine/work/due-work.ts';
import { runInBatches } from '../../../src/engine/work/run-in-batches.ts';
import { limits } from '../../../src/limits.ts';
import { type Belongings, buildRemovedRowsCondition, type RemovedPart } from './belongings.ts';
import { updateModuleStates } from './module-rows.ts';

export interface Removal {
  workspaceId: number;
  name: string;
}

/**
 * Completes a removal after its rows are deleted: removes custom fields on other models, access rights, rules, groups
 * and menus.
 * @returns false if transactions that started earlier have added rows in the meantime
 */
export async function finishRemoval(
  db: RootDb,
  { workspaceId, name }: Removal,
  belongings: Belongings,
): Promise<boolean> {
  await deleteCustomValues(db, workspaceId, belongings);
  return db.transaction(async (tx) => {
    const workspace = sql.param(workspaceId);
    const [removal] = await tx.rows<{ apps: string[] }>(
      sql`select apps from svc_app_removal where workspace_id = ${workspace} and name = ${name} for update`,
    );
    if (!removal) return true;
    if (await isLeft(tx, workspaceId, belongings)) return false;
    for (const statement of buildFinalDeletes(workspace, belongings)) await tx.rows(statement);
    await tx.rows(
      sql`delete from svc_due where workspace_id = ${workspace} and kind = any(${listDueKinds(removal.apps)})`,
    );
    await updateModuleStates(tx, workspaceId, removal.apps, 'uninstalled');
    await tx.rows(
      sql`update svc_app_removal set ended_at = ${NOW},
        leased_until = ${NOW} + make_interval(secs => ${FIRST_RECHECK_SECONDS})
       where workspace_id = ${workspace} and name = ${name}`,
    );
    return true;
  });
}

const FIRST_RECHECK_SECONDS = 60;

export async function isLeft(db: Db, workspaceId: number, belongings: Belongings): Promise<boolean> {
  for (const part of belongings.parts) {
    const rows = await db.rows(
      sql`select 1 from ${sql.id(part.table)} f where f.workspace_id = ${workspaceId}
       and ${buildRemovedRowsCondition(belongings, part)} limit 1`,
    );
    if (rows.length > 0) return true;
  }
  return false;
}

async function deleteCustomValues(db: Db, workspaceId: number, { fields }: Belongings): Promise<void> {
  for (const { table, name, modelId } of fields)
    if (table)
      await runInBatches(
        db,
        sql`with chosen as (
           select s.id from ${sql.id(table)} s where s.workspace_id = ${workspaceId} and s.custom ? ${name}
             ${modelId === null ? sql.empty : sql`and s.model_id = ${modelId}`}
           limit ${sql.literal(limits.sql.batchRows)}
         ), changed as (
           update ${sql.id(table)} t set custom = t.custom - ${name}::text
           where t.workspace_id = ${workspaceId} and t.id in (select id from chosen) returning 1
         ) select count(*)::int as n from changed`,
      );
}

/**
 * Builds deletions in which dependents precede the records that they refer to. Platform records that apps ship as
 * examples are kept.
 */
function buildFinalDeletes(
  workspace: Param,
  { models, parts, fields, groups, privileges, modules, parameters }: Belongings,
): Sql[] {
  const selectNamedIds = (model: string) => sql`select d.res_id from ir_model_data d
    where d.workspace_id = ${workspace} and d.module = any(${modules}) and d.model = ${model}`;
  const describedSql = sql`select s.id from ir_model_stock s where s.model = any(${models})`;
  const groupedSql = sql`select g.id from res_groups g where g.workspace_id = ${workspace}
    and g.external_id = any(${groups})`;
  const actions = sql`select a.id from ir_actions_act_window a where a.workspace_id = ${workspace}
    and (a.res_model = any(${models}) or a.id in (${selectNamedIds('ir.actions.act_window')}))`;
  const menus = sql`select m.id from ir_ui_menu m where m.workspace_id = ${workspace}
    and (m.id in (${selectNamedIds('ir.ui.menu')})
      or m.action in (select 'ir.actions.act_window,' || x.id from (${actions}) x))`;
  const ruledSql = sql`select r.id from ir_rule r where r.workspace_id = ${workspace}
    and (r.model_id in (${describedSql})
    or r.id in (select l.rule_group_id from rule_group_rel l where l.workspace_id = ${workspace}
      group by l.rule_group_id having bool_and(l.group_id in (${groupedSql}))))`;
  const buildCondition = (table: string, condition: Sql) =>
    sql`delete from ${sql.id(table)} t where t.workspace_id = ${workspace} and ${condition}`;
  return [
    sql`update res_users set action_id = null where workspace_id = ${workspace} and action_id in (${actions})`,
    sql`update ir_ui_menu set parent_id = null where workspace_id = ${workspace} and parent_id in (${menus})`,
    buildCondition('ir_ui_menu', sql`t.id in (${menus})`),
    buildCondition('ir_actions_act_window', sql`t.id in (${actions})`),
    buildCondition('ir_sequence', sql`t.id in (${selectNamedIds('ir.sequence')})`),
    buildCondition('ir_model_fields', sql`t.id = any(${fields.map(({ id }) => id)})`),
    buildCondition(
      'ir_model_access',
      sql`(t.model_id in (${describedSql}) or t.group_id in (${groupedSql}))`,
    ),
    sql`with going as (${ruledSql}), unlinked as (
       delete from rule_group_rel t where t.workspace_id = ${workspace}
         and (t.rule_group_id in (select id from going) or t.group_id in (${groupedSql}))
     ) delete from ir_rule t where t.workspace_id = ${workspace} and t.id in (select id from going)`,
    buildCondition(
      'mail_activity_type',
      sql`t.res_model = any(${models}) and ${isUnusedGroup(workspace, 'mail_activity', 'activity_type_id')}`,
    ),
    buildCondition(
      'mail_message_subtype',
      sql`t.res_model = any(${models}) and ${isUnusedGroup(workspace, 'mail_message', 'subtype_id')}`,
    ),
    buildCondition('res_groups', sql`t.external_id = any(${groups})`),
    buildCondition(
      'res_groups_privilege',
      sql`t.name = any(${privileges}) and ${isUnusedGroup(workspace, 'res_groups', 'privilege_id')}`,
    ),
    buildCondition('ir_config_parameter', sql`t.key = any(${parameters})`),
    ...[...REMAINING_PARTS, ...parts.filter((part) => part.model)].map(({ table, model }) =>
      buildCondition(
        'ir_model_data',
        sql`t.module = any(${modules}) and t.model = ${model!} and not exists (
          select 1 from ${sql.id(table)} r where r.workspace_id = ${workspace} and r.id = t.res_id)`,
      ),
    ),
  ];
}

/** Records that `buildFinalDeletes` deletes without the record engine, which would also delete their external ids. */
const REMAINING_PARTS: RemovedPart[] = [
  { table: 'ir_ui_menu', model: 'ir.ui.menu' },
  { table: 'ir_actions_act_window', model: 'ir.actions.act_window' },
  { table: 'ir_sequence', model: 'ir.sequence' },
  { table: 'ir_model_fields', model: 'ir.model.fields' },
  { table: 'ir_model_access', model: 'ir.model.access' },
  { table: 'ir_rule', model: 'ir.rule' },
  { table: 'mail_activity_type', model: 'mail.activity.type' },
  { table: 'mail_message_subtype', model: 'mail.message.subtype' },
  { table: 'res_groups', model: 'res.groups' },
  { table: 'res_groups_privilege', model: 'res.groups.privilege' },
  { table: 'ir_config_parameter', model: 'ir.config_parameter' },
];

const isUnusedGroup = (workspace: Param, table: string, column: string): Sql =>
  sql`not exists (select 1 from ${sql.id(table)} u where u.workspace_id = ${workspace} and u.${sql.id(column)} = t.id)`;
