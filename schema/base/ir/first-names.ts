import { type Sql, sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { addCrons } from './cron.ts';

/** Selects Odoo's external identifiers of records that every workspace has. */
const selectFirstNames = (workspace: unknown): Sql => sql`
  select 'main_company' as name, 'res.company' as model,
    (select min(id) from res_company where workspace_id = ${workspace}) as id
  union all
  select 'main_partner', 'res.partner',
    (select partner_id from res_company where workspace_id = ${workspace} order by id limit 1)
  union all
  select * from (
    select unnest(array['user_admin', 'partner_admin']), unnest(array['res.users', 'res.partner']),
      unnest(array[u.id, u.partner_id])
    from (select u.id, u.partner_id from res_users u
      join res_groups_users_rel r on r.workspace_id = ${workspace} and r.uid = u.id
      join res_groups g on g.workspace_id = ${workspace} and g.id = r.gid and g.external_id = 'base.group_system'
      where u.workspace_id = ${workspace} order by u.id limit 1) u
  ) admins
  union all
  select case code when 'GB' then 'uk' else lower(code) end, 'res.country', id
    from res_country where workspace_id = ${workspace}
  union all
  select name, 'res.currency', id from res_currency where workspace_id = ${workspace}
  union all
  select 'lang_' || case code when 'en_US' then 'en' else coalesce(iso_code, code) end, 'res.lang', id
    from res_lang where workspace_id = ${workspace}
  union all
  select 'module_' || name, 'ir.module.module', id from ir_module_module where workspace_id = ${workspace}`;

/**
 * Adds external identifiers of the first company and administrator, countries, currencies, languages and modules. Keeps
 * existing ones. Adds the scheduled actions as soon as there is an administrator.
 */
export async function addFirstRecordNames(ctx: Ctx): Promise<void> {
  await addCrons(ctx);
  const workspace = sql.param(ctx.workspace.id);
  const missingRows = await ctx.db.rows<{ name: string; model: string; id: number }>(
    sql`select x.name, x.model, x.id from (${selectFirstNames(workspace)}) x
     where x.id is not null and not exists (
       select 1 from ir_model_data d where d.workspace_id = ${workspace} and d.module = 'base' and d.name = x.name)`,
  );
  await ctx.db.rows(
    sql`insert into ir_model_data (workspace_id, id, module, name, model, res_id, noupdate)
     select ${workspace}, x.own, 'base', x.name, x.model, x.id, true
     from unnest(${await allocateIds(ctx, 'ir_model_data', missingRows.length)}::int[],
       ${missingRows.map((x) => x.name)}::text[],
       ${missingRows.map((x) => x.model)}::text[], ${missingRows.map((x) => x.id)}::int8[]) x(own, name, model, id)
     on conflict do nothing`,
  );
}
