import type { SqlContext } from '../../src/engine/model/field.ts';
import { extendModel } from '../../src/engine/model/registry.ts';
import { type Ctx, companyRule, defineModel, errors, type Sql, sql } from '../kit/surface.ts';
import { buildClosedSql, buildCountTasksSql } from './task-count.ts';
import { updateProjectStates } from './task-dependencies.ts';

/** Builds SQL for the number of the project's tasks, excluding templates. */
const buildTasksSql = (row: Sql, context: SqlContext, where: (task: Sql) => Sql = () => sql`true`): Sql =>
  buildCountTasksSql(row, context, 'project_id', (task) => sql`not ${task}.is_template and ${where(task)}`);

defineModel('project.project', {
  group: 'data',
  order: 'sequence, name, id',
  expands: { stage_id: () => [] },
  access: { 'project.group_project_user': 'r', 'project.group_project_manager': 'crwu' },
  rules: [
    companyRule(),
    {
      name: 'that all of the company may see, or managed by oneself',
      group: 'project.group_project_user',
      domain: "['|', ('privacy_visibility', 'in', ['employees', 'portal']), ('user_id', '=', user.id)]",
    },
    { name: 'every project', group: 'project.group_project_manager', domain: "[(1, '=', 1)]" },
  ],
  mixins: ['mail.thread', 'mail.activity'],
  defaults: { user_id: (ctx) => ctx.principal?.userId ?? false, stage_id: getFirstStage },
  computed: {
    task_count: { type: 'integer', label: 'Task Count', sql: (row, context) => buildTasksSql(row, context) },
    open_task_count: {
      type: 'integer',
      label: 'Open Task Count',
      sql: (row, context) => buildTasksSql(row, context, (task) => sql`not ${buildClosedSql(task)}`),
    },
    closed_task_count: {
      type: 'integer',
      label: 'Closed Task Count',
      sql: (row, context) => buildTasksSql(row, context, buildClosedSql),
    },
  },
  // The legacy name, which clients still request.
  lists: { tasks: { label: 'Task Activities', relation: 'project.task', inverse: 'project_id' } },
  afterCreate: checkDates,
  afterWrite: async (ctx, ids, values) => {
    if ('date_start' in values || 'date' in values) await checkDates(ctx, ids);
    if ('allow_task_dependencies' in values) await updateProjectStates(ctx, ids);
  },
  beforeUnlink: rejectProjectsWithTasks,
});

extendModel('res.partner', {
  lists: {
    project_ids: { label: 'Projects', relation: 'project.project', inverse: 'partner_id', readonly: true },
  },
});

defineModel('project.tags', {
  group: 'data',
  graph: { type: 'ProjectTag', one: 'projectTag', many: 'projectTags' },
  order: 'name, id',
  access: { 'project.group_project_user': 'cr', 'project.group_project_manager': 'crwu' },
});

async function getFirstStage(ctx: Ctx): Promise<number | false> {
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`select id from project_project_stage
     where workspace_id = ${ctx.workspace.id} and active order by sequence, id limit 1`,
  );
  return row?.id ?? false;
}

async function checkDates(ctx: Ctx, ids: number[]): Promise<void> {
  const [violation] = await ctx.db.rows(
    sql`select 1 from project_project
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and date < date_start limit 1`,
  );
  if (violation) throw errors.validation('A project cannot end before it starts (date_start, date).');
}

async function rejectProjectsWithTasks(ctx: Ctx, ids: number[]): Promise<void> {
  const [task] = await ctx.db.rows(
    sql`select 1 from project_task where workspace_id = ${ctx.workspace.id} and project_id = any(${ids}) limit 1`,
  );
  if (task)
    throw errors.user('A project that has tasks cannot be deleted; archive it, or delete its tasks first.');
}
