import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';

const ORDER_TERM_PATTERN = /^([a-z_]\w*)(\s+(asc|desc))?(\s+nulls\s+(first|last))?$/i;

const LOG_COLUMNS = new Set(['id', 'create_date', 'create_uid', 'write_date', 'write_uid']);

/** Returns null if the clause is invalid. */
export function parseOrderFields(order: string): string[] | null {
  const names = order.split(',').map((term) => ORDER_TERM_PATTERN.exec(term.trim())?.[1]);
  return names.every((name) => name !== undefined) ? names : null;
}

/** Checks that custom models sort only by their own stored fields. @throws VALIDATION */
export async function checkModelOrders(ctx: Ctx, ids: number[]): Promise<void> {
  const rows = await ctx.db.rows<{ order: string; fields: string[] }>(
    sql`select m."order",
       array(select f.name from ir_model_fields f
         where f.workspace_id = ${ctx.workspace.id} and f.model_id = m.id and f.store
           and f.ttype not in ('one2many', 'many2many')) as fields
     from ir_model m where m.workspace_id = ${ctx.workspace.id} and m.id = any(${ids})`,
  );
  for (const { order, fields } of rows) {
    const names = parseOrderFields(order);
    if (!names)
      throw errors.validation(
        `Unable to order by ${order.slice(0, 80)}: a sort order is a list of field names separated by ` +
          'commas, each optionally followed by asc or desc.',
      );
    const unknownName = names.find((name) => !LOG_COLUMNS.has(name) && !fields.includes(name));
    if (unknownName)
      throw errors.validation(`Unable to order by ${unknownName}: it must be a stored field of the model.`);
  }
}
