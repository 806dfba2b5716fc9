import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { queryByKey } from '../../../src/engine/ctx/query-by-key.ts';

/** Sets the derived fields of new contacts. Most have no parent, and a simple update suffices for them. */
export async function updateNewPartners(ctx: Ctx, ids: number[]): Promise<void> {
  const settledRows = await ctx.db.rows<{ id: number }>(
    sql`update res_partner set commercial_partner_id = id,
        commercial_company_name = case when is_company then name else nullif(company_name, '') end,
        complete_name = coalesce(case when not is_company then nullif(company_name, '') || ', ' end, '') || name
      where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and parent_id is null returning id`,
  );
  if (settledRows.length === ids.length) return;
  const settledIds = new Set(settledRows.map(({ id }) => id));
  await updatePartnerTree(
    ctx,
    ids.filter((id) => !settledIds.has(id)),
  );
}

/**
 * Computes the commercial entity and complete name (`Company, Name`) of the given contacts and their descendants. The
 * entity is the nearest company among the ancestors, or else the topmost contact (Odoo 19). If several paths reach a
 * contact, the longest one applies, because it starts from the most recent values. Cycles in the data are cut.
 */
export async function updatePartnerTree(ctx: Ctx, ids: number[]): Promise<void> {
  await queryByKey(
    ctx,
    sql`with recursive tree(id, entity, path) as (
       select p.id, case when p.is_company or u.id is null then p.id else coalesce(u.commercial_partner_id, u.id) end,
         array[p.id]
       from unnest(${ids}::int[]) w(id)
       cross join lateral (select id, is_company, parent_id from res_partner
         where workspace_id = ${ctx.workspace.id} and id = w.id offset 0) p
       left join lateral (select id, commercial_partner_id from res_partner
         where workspace_id = ${ctx.workspace.id} and id = p.parent_id offset 0) u on true
       union all
       select c.id, case when c.is_company then c.id else tree.entity end, tree.path || c.id
       from tree cross join lateral (select id, is_company from res_partner
         where workspace_id = ${ctx.workspace.id} and parent_id = tree.id and id <> all(tree.path) offset 0) c
     ), placed as (
       select distinct on (id) id, entity from tree order by id, cardinality(path) desc
     ), named as (
       select p.id, placed.entity, p.name, p.is_company, u.name as above,
         case when e.is_company then e.name else nullif(p.company_name, '') end as company
       from placed
       cross join lateral (select id, name, is_company, company_name, parent_id from res_partner
         where workspace_id = ${ctx.workspace.id} and id = placed.id offset 0) p
       left join lateral (select name, is_company from res_partner
         where workspace_id = ${ctx.workspace.id} and id = placed.entity offset 0) e on true
       left join lateral (select name from res_partner
         where workspace_id = ${ctx.workspace.id} and id = p.parent_id offset 0) u on true
     ) update res_partner r set commercial_partner_id = named.entity, commercial_company_name = named.company,
         complete_name = coalesce(
           case when not named.is_company then coalesce(named.company, named.above) || ', ' end, '') || named.name
       from named where r.workspace_id = ${ctx.workspace.id} and r.id = named.id
         and r.id = any(array(select id from placed))`,
  );
}
