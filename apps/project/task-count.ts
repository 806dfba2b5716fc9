import type { SqlWords } from '../../src/engine/model/field.ts';
import { CLOSED } from './task-state.ts';

/** Whether a task, the row `task`, has come to its end. */
export const closedSql = (task: string): string =>
  `${task}.state in (${CLOSED.map((state) => `'${state}'`).join(', ')})`;

/** How many tasks lead to the row by `link` and are not archived; `where` narrows them. */
export function countTasks(
  row: string,
  sql: SqlWords,
  link: 'project_id' | 'milestone_id' | 'parent_id',
  where?: (task: string) => string,
): string {
  const task = sql.alias();
  return `(select count(*)::int from ${sql.table('project.task')} ${task} where ${task}.workspace_id = ${row}.workspace_id and ${task}.${link} = ${row}.id and ${task}.active${where ? ` and ${where(task)}` : ''})`;
}
