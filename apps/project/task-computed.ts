import type { SqlWords } from '../../src/engine/model/field.ts';
import type { ModelOptions } from '../../src/engine/model/model.ts';
import { closedSql, countTasks } from './task-count.ts';

/** How many links the task has; `near` and `far` are the columns of the link for it and for the other task. */
function links(
  row: string,
  sql: SqlWords,
  near: string,
  far: string,
  where?: (task: string) => string,
): string {
  const [link, task] = [sql.alias(), sql.alias()];
  return `(select count(*)::int from project_task_dependency_rel ${link} join ${sql.table('project.task')} ${task} on ${task}.workspace_id = ${link}.workspace_id and ${task}.id = ${link}.${far} where ${link}.workspace_id = ${row}.workspace_id and ${link}.${near} = ${row}.id${where ? ` and ${where(task)}` : ''})`;
}

export const taskComputed: ModelOptions['computed'] = {
  is_closed: { type: 'boolean', label: 'Closed state', sql: (row) => `(${closedSql(row)})` },
  subtask_count: {
    type: 'integer',
    label: 'Sub-task Count',
    sql: (row, sql) => countTasks(row, sql, 'parent_id'),
  },
  closed_subtask_count: {
    type: 'integer',
    label: 'Closed Sub-tasks Count',
    sql: (row, sql) => countTasks(row, sql, 'parent_id', closedSql),
  },
  depend_on_count: {
    type: 'integer',
    label: 'Depending on Tasks',
    sql: (row, sql) => links(row, sql, 'task_id', 'depends_on_id'),
  },
  closed_depend_on_count: {
    type: 'integer',
    label: 'Closed Depending on Tasks',
    sql: (row, sql) => links(row, sql, 'task_id', 'depends_on_id', closedSql),
  },
  dependent_tasks_count: {
    type: 'integer',
    label: 'Dependent Tasks',
    sql: (row, sql) => links(row, sql, 'depends_on_id', 'task_id'),
  },
  access_url: { type: 'char', label: 'Portal Access URL', sql: (row) => `('/my/tasks/' || ${row}.id)` },
};
