import { isDateField } from '../../../src/engine/model/field.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { errors } from '../../../src/errors.ts';
import { COMPARISON_OPERATORS } from '../read/where.ts';

// Converts group keys, sort orders and conditions to the record engine's syntax.

/** An aggregate of a field, or the number of records if there is no field. */
interface AggregateTerm {
  field?: string | null;
  aggregate?: string | null;
}

export interface GroupOrderTerm extends AggregateTerm {
  by?: string | null;
  direction?: 'asc' | 'desc' | null;
  nulls?: 'first' | 'last' | null;
}

export interface HavingTerm extends AggregateTerm {
  value: Record<string, unknown>;
}

/**
 * Formats a key, such as `stage_id` or `create_date:month`.
 * @throws BAD_REQUEST if a date has no period, or another field has one
 */
export function buildGroupSpec(model: Model, { field, by }: { field: string; by?: string | null }): string {
  const isTime = isDateField(model.fields.get(field)!);
  if (isTime && !by)
    throw errors.badRequest(`Grouping by the date ${field} requires a period. Pass it in \`by\`.`);
  if (!isTime && by)
    throw errors.badRequest(`\`by\` can only be used with dates and times, and ${field} is neither.`);
  return by ? `${field}:${by}` : field;
}

/**
 * Formats an aggregate, such as `amount:sum` or `__count`. Null for a term without an aggregate.
 * @throws BAD_REQUEST
 */
export function buildAggregateSpec({ field, aggregate }: AggregateTerm): string | null {
  if (!aggregate) return null;
  if (aggregate === 'count') {
    if (field) throw errors.badRequest('COUNT counts records and takes no field.');
    return '__count';
  }
  if (!field) throw errors.badRequest(`${aggregate.toUpperCase()} requires a field.`);
  return `${field}:${aggregate}`;
}

/** Converts sort terms to the engine's `order`. Returns null to sort by the group keys. */
export function buildGroupOrder(terms: GroupOrderTerm[] | null | undefined): string | null {
  if (!terms?.length) return null;
  return terms
    .map((term) => {
      const { field, by, direction, nulls } = term;
      const key = by ? `${field}:${by}` : field;
      const spec = buildAggregateSpec(term) ?? key;
      if (!spec) throw errors.badRequest('A sort term requires a field or an aggregate.');
      return `${spec} ${direction ?? 'asc'}${nulls ? ` nulls ${nulls}` : ''}`;
    })
    .join(', ');
}

/** Converts conditions to the engine's `having`. @throws BAD_REQUEST if a term is not a condition on an aggregate */
export function buildHaving(terms: HavingTerm[] | null | undefined): unknown[] | null {
  if (!terms?.length) return null;
  return terms.flatMap((term) =>
    Object.entries(term.value).flatMap(([name, value]) =>
      buildConditions(buildAggregateSpec(term)!, name, value),
    ),
  );
}

function buildConditions(spec: string, name: string, value: unknown): unknown[] {
  if (name === 'between' && Array.isArray(value) && value.length === 2)
    return [
      [spec, '>=', value[0]],
      [spec, '<=', value[1]],
    ];
  const operator = COMPARISON_OPERATORS[name];
  if (!operator || value === null)
    throw errors.badRequest(`The group condition ${name} does not support this value.`);
  return [[spec, operator, value]];
}
