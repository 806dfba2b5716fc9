import { isObjectType } from 'graphql';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { toCamelCase } from '../../src/engine/model/naming.ts';
import { getModelGraphNames } from '../../src/engine/model/registry.ts';
import type { ErrorDetails } from '../../src/errors.ts';

/** Returns the GraphQL name of the field that an error refers to, or undefined if the type has no such field. */
export function findGraphField(ctx: Ctx, { model: name, field }: ErrorDetails): string | undefined {
  const { registry } = ctx.catalog;
  const model = name === undefined ? undefined : registry.get(name);
  if (!model || field === undefined) return undefined;
  const type = ctx.runtime.getSchema(registry).getType(getModelGraphNames(model).type);
  const fields = isObjectType(type) ? type.getFields() : {};
  const ownName = model.options.graph?.names?.[field] ?? toCamelCase(field);
  return [ownName, `${ownName}Id`].find((item) => fields[item] !== undefined);
}

/** Returns the argument names that may refer to the field: `stageId`, `stage_id`, `stage`; `tagIds`, `tags`. */
export function getArgumentNames(field: string, graphField: string | undefined): string[] {
  const stem = toCamelCase(field.replace(/_ids?$/, ''));
  return [graphField ?? toCamelCase(field), toCamelCase(field), field, stem, `${stem}s`];
}
