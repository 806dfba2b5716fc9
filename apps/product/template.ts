import { type Sql, sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { SqlContext } from '../../src/engine/model/field.ts';
import { defineModel } from '../../src/engine/model/registry.ts';
import { findRecordIds } from '../../src/engine/write/first-records.ts';
import { companyCurrency } from '../kit/company-currency.ts';
import { companyRule } from '../kit/company-rule.ts';
import { buildPublishedRule, productAccess } from './access.ts';
import { addVariants, syncVariants } from './variants.ts';

/** Builds SQL for a product's display name, such as `[DESK-160] Desk`, from SQL for its code and name. */
export const buildReferenceSql = (code: Sql, name: Sql): Sql =>
  sql`(coalesce('[' || nullif(${code}, '') || '] ', '') || ${name})`;

/** Builds an aggregate over the template's variants. Archived variants count only if the template is archived. */
function buildVariantsSql(row: Sql, context: SqlContext, value: Sql): Sql {
  const variant = context.alias();
  return sql`(select ${value} from ${context.table('product.product')} ${variant}
    where ${variant}.workspace_id = ${context.workspace} and ${variant}.product_tmpl_id = ${row}.id
      and (${variant}.active or not ${row}.active))`;
}

defineModel('product.template', {
  group: 'data',
  preview: {},
  display: 'partner_ref',
  searchNames: ['name', 'default_code', 'barcode'],
  nameCode: 'default_code',
  order: 'is_favorite desc, name, id',
  access: productAccess,
  rules: [companyRule(), buildPublishedRule('is_published')],
  mixins: ['mail.thread', 'mail.activity'],
  computed: {
    partner_ref: {
      type: 'char',
      label: 'Customer Ref',
      sql: (row, context) => buildReferenceSql(sql`${row}.default_code`, context.field('name')),
    },
    product_variant_count: {
      type: 'integer',
      label: '# Product Variants',
      sql: (row, context) => buildVariantsSql(row, context, sql`count(*)::int`),
    },
    product_variant_id: {
      type: 'many2one',
      relation: 'product.product',
      label: 'Product',
      sql: (row, context) => buildVariantsSql(row, context, sql`min(id)`),
    },
    currency_id: companyCurrency('Currency'),
    cost_currency_id: {
      type: 'many2one',
      relation: 'res.currency',
      label: 'Cost Currency',
      help: 'Currency of the current company. Each company has its own costs.',
      sql: (_row, context) => {
        const company = context.alias();
        return sql`(select ${company}.currency_id from ${context.table('res.company')} ${company}
          where ${company}.workspace_id = ${context.workspace} and ${company}.id = ${context.company()})`;
      },
    },
  },
  defaults: { uom_id: getUnitId },
  afterCreate: addVariants,
  afterWrite: syncVariants,
});

async function getUnitId(ctx: Ctx): Promise<number | false> {
  return (await findRecordIds(ctx, 'uom', ['product_uom_unit'])).get('product_uom_unit') ?? false;
}
