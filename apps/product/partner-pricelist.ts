import { type Sql, sql } from '../../src/db/sql.ts';
import { assertRowsAllowed } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { buildCompanyKey } from '../../src/engine/model/company-values.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { extendModel } from '../../src/engine/model/registry.ts';
import { excludeIds } from '../../src/engine/value/exclude-ids.ts';
import { errors } from '../../src/errors.ts';
import { linkId, linkIds } from '../kit/values.ts';

// A commercial entity's contacts share one pricelist per company. It is stored in the entity's JSON, with other
// company-dependent values.

const FIELD = 'property_product_pricelist';

/** Builds SQL for the pricelists assigned to the entity `row`, as a JSON object keyed by company. */
export const buildGivenPricelistsSql = (row: Sql): Sql =>
  sql`(select json_object_agg(substr(g.key, ${sql.literal(FIELD.length + 2)}), g.value)
    from jsonb_each(${row}.custom) g where starts_with(g.key, ${sql.literal(`${FIELD}@`)}))`;

extendModel('res.partner', {
  computed: {
    [FIELD]: {
      type: 'many2one',
      relation: 'product.pricelist',
      label: 'Pricelist',
      help:
        'Pricelist for new orders in the current company: the one assigned to the customer, otherwise ' +
        'the first one.',
      sql: (row, context) => {
        const [entity, list] = [context.alias(), context.alias()];
        const company = context.company();
        const storedId = sql`${entity}.custom->>(${sql.literal(`${FIELD}@`)} || ${company})`;
        return sql`(select ${list}.id from ${context.table('product.pricelist')} ${list}
          where ${list}.workspace_id = ${context.workspace} and ${list}.active
            and (${list}.company_id is null or ${list}.company_id = ${company})
          order by ${list}.id = (select (${storedId})::int from ${context.table('res.partner')} ${entity}
              where ${entity}.workspace_id = ${context.workspace}
                and ${entity}.id = coalesce(${row}.commercial_partner_id, ${row}.id)) desc nulls last,
            ${list}.sequence, ${list}.id limit 1)`;
      },
    },
  },
  accepts: [FIELD],
  prepare: checkGivenPricelists,
  afterCreate: async (ctx, ids, list) => {
    for (const [index, values] of list.entries())
      if (FIELD in values && values[FIELD]) await assignPricelist(ctx, [ids[index]!], values[FIELD]);
  },
  afterWrite: async (ctx, ids, values) => {
    if (FIELD in values) await assignPricelist(ctx, ids, values[FIELD]);
  },
});

async function checkGivenPricelists(ctx: Ctx, list: Values[]): Promise<void> {
  const priceListIds = linkIds(list, FIELD);
  for (const { [FIELD]: value } of list)
    if (value && linkId(value) === null) throw errors.wrongValue('res.partner', FIELD, value);
  const pricelists = ctx.catalog.registry.get('product.pricelist');
  if (priceListIds.length === 0 || !pricelists) return;
  const absentIds = excludeIds(priceListIds, await assertRowsAllowed(ctx, pricelists, priceListIds, 'read'));
  if (absentIds.length > 0) throw errors.absentLink('Pricelist', FIELD, 'product.pricelist', absentIds);
}

async function assignPricelist(ctx: Ctx, contacts: number[], pricelist: unknown): Promise<void> {
  const company = ctx.principal?.companyId ?? null;
  const model = ctx.catalog.registry.get('res.partner')!;
  if (company === null || !model.fields.has(FIELD)) return;
  const entities = await ctx.db.rows<{ id: number }>(
    sql`select distinct coalesce(commercial_partner_id, id) as id from res_partner
     where workspace_id = ${ctx.workspace.id} and id = any(${contacts})`,
  );
  const ids = entities.map(({ id }) => id);
  await assertRowsAllowed(ctx, model, ids, 'write');
  const key = sql.literal(buildCompanyKey(FIELD, company));
  const change = pricelist
    ? sql`coalesce(custom, '{}') || jsonb_build_object(${key}, ${pricelist}::int)`
    : sql`custom - ${key}`;
  await ctx.db.rows(
    sql`update res_partner set custom = ${change} where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
}
