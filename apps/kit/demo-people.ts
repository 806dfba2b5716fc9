import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';

/** People for demo records: companies with one contact person each, and users. */
export interface DemoPeople {
  companies: { id: number; name: string; email: string | null; city: string | null; person: string | null }[];
  users: number[];
}

export async function loadDemoPeople(ctx: Ctx): Promise<DemoPeople> {
  const [row] = await ctx.db.rows<DemoPeople>(
    sql`select
       (select coalesce(json_agg(x), '[]') from (
         select p.id, p.name, p.email, p.city,
           (select c.name from res_partner c
             where c.workspace_id = ${ctx.workspace.id} and c.parent_id = p.id and c.active
             order by c.id limit 1) as person
         from res_partner p where p.workspace_id = ${ctx.workspace.id} and p.is_company and p.active
           and not exists (select 1 from res_company o
             where o.workspace_id = ${ctx.workspace.id} and o.partner_id = p.id)
         order by p.id limit 30) x) as companies,
       array(select u.id from res_users u
         where u.workspace_id = ${ctx.workspace.id} and u.active order by u.id limit 3) as users`,
  );
  return row!;
}

/** Returns the item at `index`, wrapping around at the end. Undefined for an empty list. */
export const pickInTurn = <T>(list: T[], index: number): T | undefined =>
  list[index % Math.max(1, list.length)];
