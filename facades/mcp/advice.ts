import { canAccessField, canAccessModel } from '../../src/engine/access/access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { listOperationsOn } from '../../src/engine/operation/call.ts';
import { canCall } from '../../src/engine/operation/policy.ts';
import type { AppError } from '../../src/errors.ts';
import { findNearest } from '../../src/find-nearest.ts';

/** Returns a sentence to append to the error message: a likely name, or an alternative. Empty if there is none. */
export function buildAdvice(ctx: Ctx, { kind, message, details: facts }: AppError): string {
  const { model: name, method, field, value } = facts;
  const { registry } = ctx.catalog;
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
  if (value === undefined || !knownField.selection) return '';
  return ` Allowed values: ${knownField.selection.map(([allowed]) => allowed).join(', ')}.`;
}

const listCallableMethods = (ctx: Ctx, model: Model): string[] =>
  listOperationsOn(ctx, model)
    .filter(({ definition }) => canCall(ctx, definition.policy))
    .map(({ definition }) => definition.method!);

function suggestName(name: string, names: string[], tool: string): string {
  const shortName = name.slice(0, 80);
  const best = findNearest(shortName, names, Math.max(2, Math.ceil(shortName.length / 3)));
  return best ? ` Did you mean ${best}?` : ` Look it up with ${tool}.`;
}
