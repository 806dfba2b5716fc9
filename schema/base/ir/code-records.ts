import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { errors } from '../../../src/errors.ts';

// Built-in records (state `base`) are read-only. Custom records (state `manual`) are in a separate table.

/** Returns the custom rows among `ids`. @param columns select list */
export const loadWorkspaceRows = <T extends object>(
  ctx: Ctx,
  table: string,
  columns: Sql,
  ids: number[],
): Promise<T[]> =>
  ctx.db.rows<T>(
    sql`select ${columns} from ${sql.id(table)} where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );

/** Rejects new records in a state other than `manual`. @throws USER_ERROR */
export function checkManualState(values: Values, label: string): void {
  const { state } = values;
  delete values.state;
  if (state !== undefined && state !== false && state !== null && state !== 'manual')
    throw errors.user(`A new ${label} must have the state 'manual'.`);
}
