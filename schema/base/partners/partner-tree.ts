import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/**
 * Whom the given contacts and everybody below them do business as, and their complete names (`Company, Name`). The
 * commercial entity is the nearest company above, else the contact on top (Odoo 19). A contact that is met on several
 * ways takes the longest, whose beginning is as new as it gets; a loop that is in the data ends where it closes.
 */
export async function settleTree(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`with recursive tree(id, entity, path) as (
       select p.id, case when p.is_company or u.id is null then p.id else coalesce(u.commercial_partner_id, u.id) end,
         array[p.id]
       from res_partner p left join res_partner u on u.workspace_id = ${ctx.workspace.id} and u.id = p.parent_id
       where p.workspace_id = ${ctx.workspace.id} and p.id = any(${ids})
       union all
       select c.id, case when c.is_company then c.id else tree.entity end, tree.path || c.id
       from res_partner c join tree on c.parent_id = tree.id
       where c.workspace_id = ${ctx.workspace.id} and c.id <> all(tree.path)
     ), placed as (
       select distinct on (id) id, entity from tree order by id, cardinality(path) desc
     ), named as (
       select p.id, placed.entity, p.name, p.is_company, u.name as above,
         case when e.is_company then e.name else nullif(p.company_name, '') end as company
       from placed join res_partner p on p.workspace_id = ${ctx.workspace.id} and p.id = placed.id
       left join res_partner e on e.workspace_id = ${ctx.workspace.id} and e.id = placed.entity
       left join res_partner u on u.workspace_id = ${ctx.workspace.id} and u.id = p.parent_id
     ) update res_partner r set commercial_partner_id = named.entity, commercial_company_name = named.company,
         complete_name = coalesce(
           case when not named.is_company then coalesce(named.company, named.above) || ', ' end, '') || named.name
       from named where r.workspace_id = ${ctx.workspace.id} and r.id = named.id`,
  );
}
