import { type Ctx, create, isSet, sql, type Values, write } from '../kit/surface.ts';

/** Variant fields that a template exposes if it has a single variant. Writes to them go to the variant. */
export const SHARED_FIELDS = ['default_code', 'barcode', 'standard_price', 'weight', 'volume'] as const;

const AMOUNT_FIELDS: ReadonlySet<string> = new Set(['standard_price', 'weight', 'volume']);

/**
 * Creates a variant for each new template, unless `product_variant_ids` is set, even to an empty list. A variant that
 * creates its own template passes an empty list, so that it remains the only variant.
 */
export async function addVariants(ctx: Ctx, ids: number[], list: Values[]): Promise<void> {
  const variants = ids.flatMap((id, index) =>
    list[index]!.product_variant_ids === undefined ? [buildVariant(id, list[index]!)] : [],
  );
  if (variants.length) await create(ctx.system(), 'product.product', variants);
}

function buildVariant(id: number, template: Values): Values {
  const values: Values = { product_tmpl_id: id, active: template.active !== false };
  for (const name of SHARED_FIELDS) if (isSet(template[name])) values[name] = template[name];
  return values;
}

/**
 * Runs after templates have changed. Writes shared fields to the variants of templates with a single variant. Archiving
 * applies to all variants.
 */
export async function syncVariants(ctx: Ctx, ids: number[], values: Values): Promise<void> {
  const sharedValues: Values = {};
  for (const name of SHARED_FIELDS) if (name in values) sharedValues[name] = values[name];
  const isArchiving = 'active' in values;
  if (Object.keys(sharedValues).length === 0 && !isArchiving) return;
  const rows = await ctx.db.rows<{ id: number; product_tmpl_id: number }>(
    sql`select id, product_tmpl_id from product_product
     where workspace_id = ${ctx.workspace.id} and product_tmpl_id = any(${ids})`,
  );
  if (isArchiving && rows.length)
    await write(ctx.system(), 'product.product', toIds(rows), { active: values.active });
  if (Object.keys(sharedValues).length === 0) return;
  const singleVariants = [...Map.groupBy(rows, (row) => row.product_tmpl_id).values()].filter(
    (variants) => variants.length === 1,
  );
  if (singleVariants.length)
    await write(ctx.system(), 'product.product', toIds(singleVariants.flat()), sharedValues);
  await mirrorVariants(ctx, ids);
}

const toIds = (rows: { id: number }[]): number[] => rows.map((row) => row.id);

/**
 * Copies the shared fields of a template's only variant to the template, including the cost for each company. Archived
 * variants count if there are no others. If there are several variants, the fields are empty.
 */
export async function mirrorVariants(ctx: Ctx, templates: number[]): Promise<void> {
  const assignments = SHARED_FIELDS.map((name) => {
    const [column, none] = [sql.id(name), AMOUNT_FIELDS.has(name) ? sql`else 0 ` : sql.empty];
    return sql`${column} = case when x.n = 1 then x.${column} ${none}end`;
  });
  const first = [...SHARED_FIELDS, 'custom'].map((name) => {
    const column = sql.id(name);
    return sql`(array_agg(${column} order by active desc, id))[1] as ${column}`;
  });
  // Materialized, because PostgreSQL has no statistics for new rows and would otherwise repeat the grouping for each
  // row.
  await ctx.db.rows(
    sql`with x as materialized (
       select product_tmpl_id, coalesce(nullif(count(*) filter (where active), 0), count(*)) as n, ${sql.join(first)}
       from product_product where workspace_id = ${ctx.workspace.id} and product_tmpl_id = any(${templates}) group by 1
     ) update product_template t set ${sql.join(assignments)},
       custom = (coalesce(t.custom, '{}') - array(select k from jsonb_object_keys(coalesce(t.custom, '{}')) k
           where k like ${COST_KEY_PATTERN}))
         || coalesce((select jsonb_object_agg(e.key, e.value) from jsonb_each(x.custom) e
           where x.n = 1 and e.key like ${COST_KEY_PATTERN}), '{}')
     from x where t.workspace_id = ${ctx.workspace.id} and t.id = x.product_tmpl_id`,
  );
}

const COST_KEY_PATTERN = 'standard\\_price@%';

/**
 * Archives templates when their last active variant is archived, and restores them when the first variant is restored.
 */
export async function archiveWithVariants(ctx: Ctx, templates: number[]): Promise<void> {
  await ctx.db.rows(
    sql`with x as materialized (
       select product_tmpl_id, bool_or(active) as active from product_product
       where workspace_id = ${ctx.workspace.id} and product_tmpl_id = any(${templates}) group by 1
     ) update product_template t set active = x.active from x
     where t.workspace_id = ${ctx.workspace.id} and t.id = x.product_tmpl_id and t.active <> x.active`,
  );
}
