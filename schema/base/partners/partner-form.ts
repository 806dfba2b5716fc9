import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';

/** Sets the country of a new state, and clears a state that is not in the new country (as in Odoo 19). */
export async function adjustAddress(ctx: Ctx, values: Values, changed: string[]): Promise<Values> {
  const { state_id: state, country_id: country } = values;
  if (typeof state !== 'number' || !(changed.includes('state_id') || changed.includes('country_id')))
    return {};
  const [row] = await ctx.db.rows<{ country_id: number }>(
    sql`select country_id from res_country_state where workspace_id = ${ctx.workspace.id} and id = ${state}`,
  );
  if (!row || row.country_id === country) return {};
  if (changed.includes('state_id')) return { country_id: row.country_id };
  return country ? { state_id: false } : {};
}
