import { errors } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { limits } from '../../limits.ts';
import { getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';
import type { NestedSelect, SelectList } from './select-list.ts';

/**
 * Specification of one field in web_read. For relations: the `fields` of the related records. For lists also `order`,
 * `limit` and a `context` with `active_test` (Odoo 19).
 */
export interface FieldSpecification {
  fields?: Specification;
  limit?: number | null;
  order?: string | null;
  context?: { active_test?: unknown };
}

export type Specification = Record<string, FieldSpecification>;

/** @throws BAD_VALUE if `given` is not a valid specification for `model`, at any level */
export function parseSpecification(ctx: Ctx, model: Model, given: unknown): Specification {
  return parseLevel(ctx, model, given, { depth: 0, fields: 0 });
}

interface SpecificationSize {
  depth: number;
  fields: number;
}

function parseLevel(ctx: Ctx, model: Model, given: unknown, spent: SpecificationSize): Specification {
  if (!isObject(given)) throw errors.badValue('a specification must be an object of fields');
  spent.depth++;
  spent.fields += Object.keys(given).length;
  if (spent.depth > limits.record.specificationDepth || spent.fields > limits.record.specificationFields)
    throw errors.badValue('the specification is too large');
  const entries = Object.entries(given).map(([name, wanted]): [string, FieldSpecification] => {
    const field = model.fields.get(name);
    if (!field) throw errors.unknownField(name, model.name, 'on');
    return [name, parseFieldSpecification(ctx, field, wanted, spent)];
  });
  spent.depth--;
  return Object.fromEntries(entries);
}

function parseFieldSpecification(
  ctx: Ctx,
  field: Field,
  given: unknown,
  spent: SpecificationSize,
): FieldSpecification {
  if (given === null || given === false) return {};
  if (!isObject(given)) throw errors.badValue(`Wrong specification of ${field.name}`);
  const { fields, limit, order, context } = given;
  const wanted: FieldSpecification = {};
  if (limit) wanted.limit = parseLimit(field, limit);
  if (typeof order === 'string') wanted.order = order;
  if (isObject(context)) wanted.context = context;
  if (isObject(fields) && field.relation)
    wanted.fields = parseLevel(ctx, getModel(ctx, field.relation), fields, spent);
  // The target model of a reference differs from record to record.
  else if (isObject(fields) && isReference(field)) wanted.fields = fields as Specification;
  return wanted;
}

function parseLimit(field: Field, limit: unknown): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0) return limit;
  throw errors.badValue(`Wrong limit in the specification of ${field.name}`);
}

export const isReference = (field: Field): boolean =>
  field.type === 'reference' || field.type === 'many2one_reference';

export function toSelectList(model: Model, specification: Specification, registry: Registry): SelectList {
  const items = Object.entries(specification).flatMap(([name, wanted]) => {
    const field = model.fields.get(name)!;
    if (wanted.fields && field.relation) return toNestedSelect(field, wanted, registry);
    return wanted.fields && field.modelField ? [name, field.modelField] : name;
  });
  return ['id', ...items];
}

function toNestedSelect(field: Field, wanted: FieldSpecification, registry: Registry): NestedSelect {
  return {
    relation: field,
    as: field.name,
    fields: toSelectList(registry.get(field.relation!)!, wanted.fields!, registry),
    order: wanted.order ?? null,
    limit: wanted.limit ?? null,
    archived: wanted.context?.active_test === false,
    named: true,
  };
}
