import { type Sql, sql } from '../../src/db/sql.ts';
import { filterReadableIds } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { setHookValues } from '../../src/engine/write/values.ts';
import { forEachYielding } from '../../src/loop/yield.ts';
import { findTeam, loadPipeline } from '../crm/pipeline.ts';
import { linkId, linkIds } from '../kit/values.ts';
import { buildGivenPricelistsSql } from '../product/partner-pricelist.ts';
import { buildJsonRowsSql } from './price-book-sql.ts';

interface OrderDefaults {
  companies: { id: number; currency_id: number | null }[];
  pricelists: { id: number; currency_id: number; company_id: number | null }[];
  partners: {
    id: number;
    invoice: number;
    shipping: number;
    user_id: number | null;
    company_id: number | null;
    given: Record<number, number> | null;
  }[];
}

/**
 * Fills in missing values of new orders from their customer, salesperson and company. Runs one query per call and loads
 * the pipeline.
 */
export async function prepareOrders(ctx: Ctx, list: Values[]): Promise<void> {
  const start = await loadDefaults(ctx, linkIds(list, 'partner_id'));
  const pipeline = await loadPipeline(ctx);
  const partners = new Map(start.partners.map((partner) => [partner.id, partner]));
  await forEachYielding(list, (values) => {
    const partner = partners.get(linkId(values.partner_id) ?? 0);
    setAddresses(values, partner);
    values.company_id ??= partner?.company_id ?? ctx.principal?.companyId ?? start.companies[0]?.id ?? false;
    if (values.user_id === undefined) values.user_id = partner?.user_id ?? getSeller(ctx) ?? false;
    const user = linkId(values.user_id);
    if (values.team_id === undefined && user !== null) values.team_id = findTeam(pipeline, user)?.id ?? false;
    setCurrency(values, start, partner?.given);
  });
}

export const getSeller = (ctx: Ctx): number | null =>
  ctx.principal?.groups.has('sales_team.group_sale_salesman') ? ctx.principal.userId : null;

/**
 * Sets the invoice and delivery addresses. Each is the caller's value, or else the customer's address of that type, or
 * else the customer.
 */
export function setAddresses(values: Values, partner: OrderDefaults['partners'][number] | undefined): void {
  const customer = linkId(values.partner_id);
  if (customer === null) return;
  values.partner_invoice_id ??= partner?.invoice ?? customer;
  values.partner_shipping_id ??= partner?.shipping ?? customer;
}

/**
 * Sets the customer's pricelist, or else the company's first pricelist, and the pricelist's currency. Without a
 * pricelist, the company's currency applies.
 */
export function setCurrency(
  values: Values,
  start: OrderDefaults,
  currencies: Record<number, number> | null = null,
): void {
  if (values.pricelist_id === undefined) {
    const ofCompany = start.pricelists.filter(
      (pricelist) => pricelist.company_id === null || pricelist.company_id === values.company_id,
    );
    const currencyId = currencies?.[values.company_id as number];
    values.pricelist_id = (ofCompany.find(({ id }) => id === currencyId) ?? ofCompany[0])?.id ?? false;
  }
  setHookValues(values, { currency_id: getCurrency(start, values.pricelist_id, values.company_id) });
}

const getCurrency = (
  { companies, pricelists }: OrderDefaults,
  pricelist: unknown,
  company: unknown,
): number | false =>
  pricelists.find(({ id }) => id === pricelist)?.currency_id ??
  companies.find(({ id }) => id === company)?.currency_id ??
  false;

export async function loadDefaults(ctx: Ctx, partners: number[]): Promise<OrderDefaults> {
  const ids = await filterReadableIds(ctx, 'res.partner', partners);
  const [row] = await ctx.db.rows<OrderDefaults>(defaultsSql({ workspace: ctx.workspace.id, partners: ids }));
  return row!;
}

const defaultsSql = sql.prepare<{ workspace: number; partners: number[] }>(
  ({ workspace, partners }) => sql`select
    ${buildJsonRowsSql(sql`
      select id, currency_id from res_company where workspace_id = ${workspace} order by sequence, id`)} as companies,
    ${buildJsonRowsSql(sql`
      select id, currency_id, company_id from product_pricelist
      where workspace_id = ${workspace} and active order by sequence, id`)} as pricelists,
    ${buildJsonRowsSql(sql`
      select p.id, p.company_id, coalesce(p.user_id, c.user_id) as user_id,
        ${buildGivenPricelistsSql(sql`c`)} as given,
        ${buildAddressSql(workspace, 'invoice')} as invoice, ${buildAddressSql(workspace, 'delivery')} as shipping
      from res_partner p left join res_partner c
        on c.workspace_id = ${workspace} and c.id = coalesce(p.commercial_partner_id, p.parent_id)
      where p.workspace_id = ${workspace} and p.id = any(${partners})`)} as partners`,
);

/**
 * Builds SQL for the id of the invoice or delivery address of the contact `p`. Uses the contact if it has this type, or
 * else an address of this type below the contact. For a person, also searches below the parent and the commercial
 * entity. Without a match, uses the contact, or its parent if the contact is an address of another type.
 */
const buildAddressSql = (workspace: unknown, type: 'invoice' | 'delivery'): Sql =>
  sql`case when p.type = ${sql.literal(type)} then p.id else coalesce((select a.id from res_partner a
    where a.workspace_id = ${workspace} and a.active and a.type = ${sql.literal(type)} and not a.is_company
      and (a.parent_id = p.id or not p.is_company and a.parent_id in (p.parent_id, p.commercial_partner_id))
    order by (a.parent_id = p.id) desc, (a.parent_id = p.parent_id) desc nulls last, a.id limit 1),
    case when p.is_company or coalesce(p.type, 'contact') = 'contact' then p.id
      else coalesce(p.parent_id, p.id) end) end`;
