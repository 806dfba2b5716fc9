import { type Ctx, defineModel, sql } from '../kit/surface.ts';

defineModel('account.tax', {
  group: 'data',
  order: 'sequence, id',
  access: { 'base.group_user': 'r', 'sales_team.group_sale_manager': 'crwu' },
  rules: [
    // A branch also uses the taxes of its parent companies (Odoo 19).
    { name: 'of the own companies', domain: "[('company_id', 'parent_of', company_ids)]" },
  ],
  defaults: { company_id: getDefaultCompanyId },
});

async function getDefaultCompanyId(ctx: Ctx): Promise<number | false> {
  if (ctx.principal?.companyId) return ctx.principal.companyId;
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`select id from res_company where workspace_id = ${ctx.workspace.id} order by sequence, id limit 1`,
  );
  return row?.id ?? false;
}
