import type { SqlWords } from '../../src/engine/field.ts';
import type { ModelOptions } from '../../src/engine/model.ts';
import { CLOSED } from './task-state.ts';

const closed = CLOSED.map((state) => `'${state}'`).join(', ');

function subtasks(row: string, sql: SqlWords, where = ''): string {
  const task = sql.alias();
  return `(select count(*)::int from ${sql.table('project.task')} ${task} where ${task}.workspace_id = ${row}.workspace_id and ${task}.parent_id = ${row}.id and ${task}.active${where && ` and ${task}.${where}`})`;
}

/** How many links the task has; `near` and `far` are the columns of the link for it and for the other task. */
function links(row: string, sql: SqlWords, near: string, far: string, where = ''): string {
  const [link, task] = [sql.alias(), sql.alias()];
  return `(select count(*)::int from project_task_dependency_rel ${link} join ${sql.table('project.task')} ${task} on ${task}.workspace_id = ${link}.workspace_id and ${task}.id = ${link}.${far} where ${link}.workspace_id = ${row}.workspace_id and ${link}.${near} = ${row}.id${where && ` and ${task}.${where}`})`;
}

export const computed: ModelOptions['computed'] = {
  is_closed: { type: 'boolean', label: 'Closed state', sql: (row) => `(${row}.state in (${closed}))` },
  subtask_count: { type: 'integer', label: 'Sub-task Count', sql: (row, sql) => subtasks(row, sql) },
  closed_subtask_count: {
    type: 'integer',
    label: 'Closed Sub-tasks Count',
    sql: (row, sql) => subtasks(row, sql, `state in (${closed})`),
  },
  depend_on_count: {
    type: 'integer',
    label: 'Depending on Tasks',
    sql: (row, sql) => links(row, sql, 'task_id', 'depends_on_id'),
  },
  closed_depend_on_count: {
    type: 'integer',
    label: 'Closed Depending on Tasks',
    sql: (row, sql) => links(row, sql, 'task_id', 'depends_on_id', `state in (${closed})`),
  },
  dependent_tasks_count: {
    type: 'integer',
    label: 'Dependent Tasks',
    sql: (row, sql) => links(row, sql, 'depends_on_id', 'task_id'),
  },
  access_url: { type: 'char', label: 'Portal Access URL', sql: (row) => `('/my/tasks/' || ${row}.id)` },
};
