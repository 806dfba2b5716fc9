import { type Ctx, companyRule, defineModel, sql, unlink, type Values } from '../kit/surface.ts';
import { buildPublishedRule, productAccess } from './access.ts';
import { addTemplates, getTemplateIds, writeTemplates } from './product-template.ts';
import { buildReferenceSql } from './template.ts';
import { archiveWithVariants, mirrorVariants, SHARED_FIELDS } from './variants.ts';

/** Template fields that a variant exposes. Writes to them go to the template. */
const TEMPLATE_FIELDS = {
  name: 'Name',
  type: 'Product Type',
  list_price: 'Sales Price',
  categ_id: 'Product Category',
  uom_id: 'Unit',
  company_id: 'Company',
  sale_ok: 'Sales',
  purchase_ok: 'Purchase',
  is_favorite: 'Favorite',
  description: 'Description',
  description_sale: 'Sales Description',
  description_purchase: 'Purchase Description',
  invoice_policy: 'Invoicing Policy',
  service_type: 'Track Service',
  color: 'Color Index',
  image_1920: 'Image',
};
const CURRENCY_FIELDS = { currency_id: 'Currency', cost_currency_id: 'Cost Currency' };

const toTemplatePaths = (names: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(names).map(([name, label]) => [name, { path: `product_tmpl_id.${name}` as const, label }]),
  );

defineModel('product.product', {
  group: 'data',
  display: 'partner_ref',
  searchNames: ['name', 'default_code', 'barcode'],
  nameCode: 'default_code',
  order: 'default_code, name, id',
  access: productAccess,
  rules: [companyRule('product_tmpl_id.company_id'), buildPublishedRule('product_tmpl_id.is_published')],
  mixins: ['mail.thread', 'mail.activity'],
  preview: {
    follows: {
      list_price: ['lst_price'],
      lst_price: ['list_price'],
      product_tmpl_id: [...Object.keys(TEMPLATE_FIELDS), 'lst_price'],
    },
  },
  completes: ['product_tmpl_id'],
  accepts: [...Object.keys(TEMPLATE_FIELDS), 'lst_price'],
  related: toTemplatePaths({ ...TEMPLATE_FIELDS, ...CURRENCY_FIELDS }),
  computed: {
    partner_ref: {
      type: 'char',
      label: 'Customer Ref',
      sql: (row, context) => buildReferenceSql(sql`${row}.default_code`, context.field('name')),
    },
    lst_price: { type: 'float', label: 'Sales Price', sql: (_row, context) => context.field('list_price') },
    price_extra: {
      type: 'float',
      label: 'Variant Price Extra',
      help: 'Amount that attributes add to the sales price. Always 0, because products have no attributes.',
      sql: () => sql`0::float8`,
    },
    product_variant_count: {
      type: 'integer',
      label: '# Product Variants',
      sql: (row, context) => {
        const variant = context.alias();
        return sql`(select count(*)::int from ${context.table('product.product')} ${variant}
          where ${variant}.workspace_id = ${context.workspace}
            and ${variant}.product_tmpl_id = ${row}.product_tmpl_id and ${variant}.active)`;
      },
    },
  },
  prepare: (_ctx, list) => {
    // An empty barcode is stored as null, so that only real barcodes must be unique.
    for (const values of list) {
      if (values.barcode === '') values.barcode = false;
      equalizePrices(values);
    }
  },
  beforeCreate: addTemplates,
  beforeWrite: writeTemplates,
  afterCreate: async (ctx, _ids, list) =>
    mirrorVariants(ctx, [...new Set(list.map((values) => values.product_tmpl_id as number))]),
  afterWrite: syncTemplates,
  beforeUnlink: unlinkTemplates,
});

/** Both prices are equal, because there are no price extras. If both are set, `lst_price` takes precedence. */
function equalizePrices(values: Values): void {
  if (values.lst_price !== undefined) values.list_price = values.lst_price;
  else if (values.list_price !== undefined) values.lst_price = values.list_price;
}

async function syncTemplates(ctx: Ctx, ids: number[], values: Values): Promise<void> {
  const isArchiving = 'active' in values;
  if (!isArchiving && !SHARED_FIELDS.some((name) => name in values)) return;
  const templates = await getTemplateIds(ctx, ids);
  if (isArchiving) await archiveWithVariants(ctx, templates);
  await mirrorVariants(ctx, templates);
}

async function unlinkTemplates(ctx: Ctx, ids: number[]): Promise<void> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select product_tmpl_id as id from product_product where workspace_id = ${ctx.workspace.id}
     and product_tmpl_id in (select product_tmpl_id from product_product
       where workspace_id = ${ctx.workspace.id} and id = any(${ids}))
     group by 1 having bool_and(id = any(${ids}))`,
  );
  if (rows.length)
    await unlink(
      ctx.system(),
      'product.template',
      rows.map((row) => row.id),
    );
}
