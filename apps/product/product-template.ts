import { getModel } from '../../src/engine/access/create-statement.ts';
import { type Ctx, create, isSet, sql, type Values, write } from '../kit/surface.ts';
import { SHARED_FIELDS } from './variants.ts';

// Clients treat a variant and its template as one product. Template fields are written to the template.

const COMMON_FIELDS = new Set<string>([...SHARED_FIELDS, 'active']);

/**
 * Creates a template for each new product without one. The template takes the product's values for template fields.
 */
export async function addTemplates(ctx: Ctx, list: Values[]): Promise<void> {
  const newTemplates = list.filter((values) => !isSet(values.product_tmpl_id));
  const templates = newTemplates.map((values) => ({
    ...extractTemplateValues(ctx, values),
    ...pickCommonValues(values),
    product_variant_ids: [],
  }));
  const ids = templates.length ? await create(ctx, 'product.template', templates) : [];
  newTemplates.forEach((values, index) => {
    values.product_tmpl_id = ids[index];
  });
  for (const values of list) {
    const rest = extractTemplateValues(ctx, values);
    if (Object.keys(rest).length)
      await write(ctx, 'product.template', [values.product_tmpl_id as number], rest);
  }
}

export async function writeTemplates(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const change = extractTemplateValues(ctx, values);
  if (Object.keys(change).length)
    await write(ctx, 'product.template', await getTemplateIds(ctx, ids), change);
}

function extractTemplateValues(ctx: Ctx, values: Values): Values {
  const variantFields = getModel(ctx, 'product.product').fields;
  const templateFields = getModel(ctx, 'product.template').fields;
  const extractedValues: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const field = variantFields.get(name);
    if (!templateFields.has(name) || (field && !field.related)) continue;
    extractedValues[name] = value;
    delete values[name];
  }
  return extractedValues;
}

const pickCommonValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => COMMON_FIELDS.has(name)));

export async function getTemplateIds(ctx: Ctx, ids: number[]): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select distinct product_tmpl_id as id from product_product
     where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
  return rows.map((row) => row.id);
}
