import { type Sql, sql } from '../../src/db/sql.ts';
import type { SqlContext } from '../../src/engine/model/field.ts';
import { CLOSED_STATES } from './task-state.ts';

export const buildClosedSql = (task: Sql): Sql =>
  sql`${task}.state in (${sql.join(CLOSED_STATES.map(sql.literal))})`;

/** Counts the unarchived tasks whose column `link` points to the row and that match `where`. */
export function buildCountTasksSql(
  row: Sql,
  context: SqlContext,
  link: 'project_id' | 'milestone_id' | 'parent_id',
  where?: (task: Sql) => Sql,
): Sql {
  const task = context.alias();
  return sql`(select count(*)::int from ${context.table('project.task')} ${task}
    where ${task}.workspace_id = ${context.workspace} and ${task}.${sql.id(link)} = ${row}.id
      and ${task}.active${where ? sql` and ${where(task)}` : sql.empty})`;
}
