import { errors } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { limits } from '../../limits.ts';
import { getModel } from '../access/create-statement.ts';
import { applyCallContext, getOtherLanguage } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { NestedSelect, SelectList } from './select-list.ts';

/**
 * Specification of a field in web_read (Odoo 19). A relation has the `fields` of the related records, and a `context`
 * with a language or keys that extend their display names. A list also has `order`, `limit`, and `active_test` in its
 * context.
 */
interface FieldSpecification {
  fields?: Specification;
  limit?: number | null;
  order?: string | null;
  context?: Record<string, unknown>;
}

export type Specification = Record<string, FieldSpecification>;

/** @throws BAD_VALUE if the specification is invalid at any level */
export function parseSpecification(ctx: Ctx, model: Model, specification: unknown): Specification {
  return parseLevel(ctx, model, specification, { depth: 0, fields: 0 });
}

interface SpecificationSize {
  depth: number;
  fields: number;
}

function parseLevel(
  ctx: Ctx,
  model: Model,
  specification: unknown,
  spentSize: SpecificationSize,
): Specification {
  if (!isObject(specification))
    throw errors.badValue('a specification must be an object whose keys are field names');
  spentSize.depth++;
  spentSize.fields += Object.keys(specification).length;
  if (
    spentSize.depth > limits.record.specificationDepth ||
    spentSize.fields > limits.record.specificationFields
  )
    throw errors.badValue('the specification is too large');
  const entries = Object.entries(specification).map(([name, fieldSpec]): [string, FieldSpecification] => {
    const field = model.fields.get(name);
    if (!field) throw errors.unknownField(name, model.name, 'on');
    return [name, parseFieldSpecification(ctx, field, fieldSpec, spentSize)];
  });
  spentSize.depth--;
  return Object.fromEntries(entries);
}

function parseFieldSpecification(
  ctx: Ctx,
  field: Field,
  specification: unknown,
  spentSize: SpecificationSize,
): FieldSpecification {
  if (specification === null || specification === false) return {};
  if (!isObject(specification))
    throw errors.badValue(`Invalid specification for ${field.name}: must be an object`);
  const { fields, limit, order, context } = specification;
  const fieldSpecification: FieldSpecification = {};
  if (limit) fieldSpecification.limit = parseLimit(field, limit);
  if (typeof order === 'string') fieldSpecification.order = order;
  if (isObject(context)) fieldSpecification.context = context;
  if (isObject(fields) && field.relation)
    fieldSpecification.fields = parseLevel(ctx, getModel(ctx, field.relation), fields, spentSize);
  // A reference can have a different target model in each record.
  else if (isObject(fields) && isReferenceField(field)) fieldSpecification.fields = fields as Specification;
  return fieldSpecification;
}

function parseLimit(field: Field, limit: unknown): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0) return limit;
  throw errors.badValue(`Invalid limit in the specification for ${field.name}: must be a positive integer`);
}

export const isReferenceField = (field: Field): boolean =>
  field.type === 'reference' || field.type === 'many2one_reference';

export function toSelectList(ctx: Ctx, model: Model, specification: Specification): SelectList {
  const items = Object.entries(specification).flatMap(([name, fieldSpec]) => {
    const field = model.fields.get(name)!;
    if (fieldSpec.fields && field.relation) return toNestedSelect(ctx, field, fieldSpec);
    return fieldSpec.fields && field.modelField ? [name, field.modelField] : name;
  });
  return ['id', ...items];
}

function toNestedSelect(ctx: Ctx, field: Field, specification: FieldSpecification): NestedSelect {
  const inner = applyCallContext(ctx, specification.context);
  return {
    relation: field,
    as: field.name,
    fields: toSelectList(inner, getModel(ctx, field.relation!), specification.fields!),
    order: specification.order ?? null,
    limit: specification.limit ?? null,
    archived: specification.context?.active_test === false,
    named: true,
    lang: getOtherLanguage(inner),
    displayNameKeys: inner.context.displayNameKeys ?? [],
  };
}
