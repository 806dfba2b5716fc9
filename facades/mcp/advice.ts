import { canAccessField, canAccessModel } from '../../src/engine/access/access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { type Field, isDateField } from '../../src/engine/model/field.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { listOperationsOn } from '../../src/engine/operation/call.ts';
import { canCall } from '../../src/engine/operation/policy.ts';
import { type AppError, DATE_ADVICE } from '../../src/errors.ts';
import { findNearest } from '../../src/find-nearest.ts';

/** Returns a sentence to append to the error message: a likely name, or an alternative. Empty if there is none. */
export function buildAdvice(ctx: Ctx, { kind, message, details: facts }: AppError): string {
  const { model: name, method, field, value, advice } = facts;
  const { registry } = ctx.catalog;
  if (advice !== undefined) return ` ${advice}`;
  if (name === undefined || message.includes('Did you mean')) return '';
  if (kind === 'NOT_FOUND_MODEL') {
    const models = [...registry.values()].filter((model) => canAccessModel(ctx, model, 'read'));
    return suggestName(
      name,
      models.map((model) => model.name),
      'list_models',
    );
  }
  const model = registry.get(name);
  if (!model) return '';
  if (method !== undefined)
    return suggestName(
      method,
      listCallableMethods(ctx, model),
      'describe_model, which lists the methods with methods: true',
    );
  if (kind === 'ACCESS_ERROR' && field === undefined)
    return ` Call the method explain_access of ${name} to learn why, and who may.`;
  if (field === undefined) return '';
  const knownField = model.fields.get(field);
  if (!knownField) {
    const fields = [...model.fields.values()].filter((field) => canAccessField(ctx, field) && !field.secret);
    return suggestName(
      field,
      fields.map((field) => field.name),
      'describe_model',
    );
  }
  return value === undefined ? '' : describeValues(knownField);
}

/** Describes the values that the field accepts. */
function describeValues(field: Field): string {
  if (field.selection)
    return ` Allowed values: ${field.selection.map(([value, label]) => `${value} (${label})`).join(', ')}.`;
  if (isDateField(field)) return ` ${DATE_ADVICE}`;
  return field.relation
    ? ` Pass the id of a ${field.relation} record. The tool find looks up ids by name.`
    : '';
}

const listCallableMethods = (ctx: Ctx, model: Model): string[] =>
  listOperationsOn(ctx, model)
    .filter(({ definition }) => canCall(ctx, definition.policy))
    .map(({ definition }) => definition.method!);

function suggestName(name: string, names: string[], tool: string): string {
  const shortName = name.slice(0, 80);
  const best =
    names.find((candidate) => isFullFormOf(candidate, shortName)) ??
    findNearest(shortName, names, Math.max(2, Math.ceil(shortName.length / 3))) ??
    names.find((candidate) => splitName(candidate).includes(shortName));
  return best ? ` Did you mean ${best}?` : ` Look it up with ${tool}.`;
}

/** True for `stage_id` if the name is `stage`, and for `res.partner` if it is `partner`. */
const isFullFormOf = (candidate: string, name: string): boolean =>
  [`${name}_id`, `${name}_ids`].includes(candidate) || candidate.endsWith(`.${name}`);

const splitName = (name: string): string[] => name.split(/[._]/);
