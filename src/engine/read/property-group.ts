import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field, FieldType } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { isPropertyName } from '../model/naming.ts';
import { buildPropertySql } from '../sql/property-sql.ts';

const GROUP_FIELD_TYPES: Record<string, FieldType> = {
  boolean: 'boolean',
  integer: 'integer',
  float: 'float',
  monetary: 'float',
  char: 'char',
  text: 'char',
  selection: 'char',
  date: 'date',
  datetime: 'datetime',
  many2one: 'many2one',
};

/**
 * Creates a field for each `properties.name` in the groupings, and returns the fields by this name. An unknown property
 * counts as unset.
 */
export async function loadGroupedProperties(
  ctx: Ctx,
  model: Model,
  specs: unknown[],
): Promise<Map<string, Field>> {
  const properties = new Map<string, Field>();
  for (const spec of specs) {
    const path = typeof spec === 'string' ? spec.split(':')[0]! : '';
    const [name, property, more] = path.split('.');
    const field = model.fields.get(name!);
    if (!field?.definition || field.related || property === undefined) continue;
    if (!isPropertyName(property) || more !== undefined)
      throw errors.badValue(`Invalid groupby ${JSON.stringify(spec).slice(0, 80)}`);
    properties.set(path, await loadGroupField(ctx, model, field, property));
  }
  return properties;
}

/** If parent records define the property differently, the oldest record's definition applies. */
async function loadGroupField(ctx: Ctx, model: Model, field: Field, property: string): Promise<Field> {
  const [link, definitions] = field.definition!;
  const parent = ctx.catalog.registry.get(model.fields.get(link)!.relation!)!;
  const [row] = await ctx.db.rows<{ type: string; comodel: string | null }>(
    sql`select d->>'type' as type, d->>'comodel' as comodel
     from ${sql.id(parent.table)} p, jsonb_array_elements(p.${sql.id(definitions)}) d
     where p.workspace_id = ${ctx.workspace.id}
       and p.${sql.id(definitions)} @> ${JSON.stringify([{ name: property }])}::jsonb
       and d->>'name' = ${property} order by p.id limit 1`,
  );
  const type = GROUP_FIELD_TYPES[row?.type ?? 'char'];
  if (!type) throw errors.badValue(`The property ${field.name}.${property} cannot be used for grouping`);
  return {
    ...field,
    name: `${field.name}.${property}`,
    type,
    definition: undefined,
    required: false,
    relation: type === 'many2one' ? (row?.comodel ?? undefined) : undefined,
    computed: (row, context) => {
      const alias = context.alias();
      const value = buildPropertySql(context, { model, row }, { field, name: property });
      return sql`select ${buildPropertyValueSql(sql`${alias}.v`, type)} from (select ${value} as v) ${alias}`;
    },
  };
}

const WHOLE_TIME = sql`'^\\d{4}-\\d\\d-\\d\\d( \\d\\d:\\d\\d:\\d\\d(\\.\\d+)?)?$'`;

/** Casts the value to the type. Null if the stored value has another type. */
function buildPropertyValueSql(value: Sql, type: FieldType): Sql {
  const text = sql`(${value} #>> '{}')`;
  const number = (cast: Sql) => sql`case when jsonb_typeof(${value}) = 'number' then ${text}${cast} end`;
  if (type === 'boolean') return sql`${value} = 'true'::jsonb`;
  if (type === 'float') return number(sql`::float8`);
  if (type === 'integer' || type === 'many2one') return number(sql`::numeric::int`);
  if (type === 'char') return sql`case when jsonb_typeof(${value}) = 'string' then ${text} end`;
  return sql`case when ${text} ~ ${WHOLE_TIME} then ${text}::timestamp end`;
}
