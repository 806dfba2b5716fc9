import { type Ctx, companyRule, defineModel, errors, isSet, sql, type Values } from '../kit/surface.ts';
import { productAccess } from './access.ts';

defineModel('product.pricelist', {
  group: 'data',
  order: 'sequence, id',
  access: productAccess,
  rules: [companyRule()],
  defaults: { currency_id: getDefaultCurrencyId },
});

async function getDefaultCurrencyId(ctx: Ctx): Promise<number | false> {
  const companyId = ctx.principal?.companyId ?? null;
  const [row] = await ctx.db.rows<{ currency_id: number | null }>(
    sql`select currency_id from res_company
     where workspace_id = ${ctx.workspace.id} and (${companyId}::int is null or id = ${companyId}) order by id limit 1`,
  );
  return row?.currency_id ?? false;
}

defineModel('product.pricelist.item', {
  group: 'data',
  preview: { follows: { price_discount: ['price_markup'], price_markup: ['price_discount'] } },
  display: 'pricelist_id',
  order: 'applied_on, min_quantity desc, categ_id desc, id desc',
  access: productAccess,
  rules: [companyRule('pricelist_id.company_id')],
  related: { currency_id: { path: 'pricelist_id.currency_id', label: 'Currency' } },
  prepare: (_ctx, list, ids) => {
    for (const values of list) {
      if (ids === null) setAppliedOn(values);
      setDiscount(values);
    }
  },
  afterCreate: checkRules,
  afterWrite: async (ctx, ids, values) => {
    if (CHECKED_FIELDS.some((name) => name in values)) await checkRules(ctx, ids);
  },
});

const CHECKED_FIELDS = ['date_start', 'date_end', 'price_min_margin', 'price_max_margin'];

/** Derives a rule's scope from its most specific field unless the caller set the scope. */
function setAppliedOn(values: Values): void {
  if (values.applied_on !== undefined) return;
  if (isSet(values.product_id)) values.applied_on = '0_product_variant';
  else if (isSet(values.product_tmpl_id)) values.applied_on = '1_product';
  else if (isSet(values.categ_id)) values.applied_on = '2_product_category';
}

/**
 * Sets the discount. A markup is a negative discount, so both are stored as one value. A form sends both, one of them
 * with the default 0. If both are set, the markup takes precedence (Odoo 19).
 */
function setDiscount(values: Values): void {
  const { price_discount: discount, price_markup: markup } = values;
  if (discount === undefined && markup === undefined) return;
  const markedUp = Number(markup || 0);
  const percent = markedUp === 0 ? Number(discount || 0) : -markedUp;
  if (!Number.isFinite(percent)) return;
  Object.assign(values, { price_discount: percent, price_markup: 0 - percent });
}

async function checkRules(ctx: Ctx, ids: number[]): Promise<void> {
  const [violation] = await ctx.db.rows<{ isReversed: boolean }>(
    sql`select coalesce(date_start >= date_end, false) as "isReversed" from product_pricelist_item
     where workspace_id = ${ctx.workspace.id} and id = any(${ids})
       and (date_start >= date_end or price_max_margin <> 0 and price_min_margin > price_max_margin) limit 1`,
  );
  if (violation?.isReversed)
    throw errors.validation('A pricelist rule must end after it starts (date_start, date_end).');
  if (violation)
    throw errors.validation(
      'The minimum margin cannot exceed the maximum margin (price_min_margin, price_max_margin).',
    );
}
