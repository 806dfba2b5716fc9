import type { SqlContext } from '../../src/engine/model/field.ts';
import { type ModelOptions, type Sql, sql } from '../kit/surface.ts';
import { buildClosedSql, buildCountTasksSql } from './task-count.ts';

function buildLinkCountSql(
  row: Sql,
  context: SqlContext,
  near: string,
  targetColumn: string,
  where?: (task: Sql) => Sql,
): Sql {
  const [link, task] = [context.alias(), context.alias()];
  return sql`(select count(*)::int from project_task_dependency_rel ${link}
    join ${context.table('project.task')} ${task} on ${task}.workspace_id = ${context.workspace}
      and ${task}.id = ${link}.${sql.id(targetColumn)}
    where ${link}.workspace_id = ${context.workspace} and ${link}.${sql.id(near)} = ${row}.id
      ${where ? sql`and ${where(task)}` : sql.empty})`;
}

export const taskComputed: ModelOptions['computed'] = {
  is_closed: { type: 'boolean', label: 'Closed state', sql: (row) => sql`(${buildClosedSql(row)})` },
  subtask_count: {
    type: 'integer',
    label: 'Sub-task Count',
    sql: (row, context) => buildCountTasksSql(row, context, 'parent_id'),
  },
  closed_subtask_count: {
    type: 'integer',
    label: 'Closed Sub-tasks Count',
    sql: (row, context) => buildCountTasksSql(row, context, 'parent_id', buildClosedSql),
  },
  depend_on_count: {
    type: 'integer',
    label: 'Depending on Tasks',
    sql: (row, context) => buildLinkCountSql(row, context, 'task_id', 'depends_on_id'),
  },
  closed_depend_on_count: {
    type: 'integer',
    label: 'Closed Depending on Tasks',
    sql: (row, context) => buildLinkCountSql(row, context, 'task_id', 'depends_on_id', buildClosedSql),
  },
  dependent_tasks_count: {
    type: 'integer',
    label: 'Dependent Tasks',
    sql: (row, context) => buildLinkCountSql(row, context, 'depends_on_id', 'task_id'),
  },
  access_url: { type: 'char', label: 'Portal Access URL', sql: (row) => sql`('/my/tasks/' || ${row}.id)` },
};
