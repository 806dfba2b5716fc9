import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { parsePropertyColumn } from './properties.ts';

/**
 * A column of an import or export: `name`, `country_id`, `country_id/id` (external id), `.id` or `country_id/.id`
 * (database id), `child_ids/name`, `lead_properties.color` (a property). `country_id:id` and `country_id.id` are legacy
 * forms of `country_id/id` and `country_id/.id`.
 */
export type FieldPath = string[];

/** Returns true for names that identify a record instead of a field. */
export const isKeyColumn = (name: string | undefined): boolean => name === 'id' || name === '.id';

/** @throws BAD_VALUE for an invalid path */
export function parsePaths(ctx: Ctx, model: Model, paths: string[]): FieldPath[] {
  if (paths.length > limits.record.specificationFields)
    throw errors.badValue('the table has too many columns');
  return paths.map((text) => {
    const path = text
      .replace(/([^/])\.id$/, '$1/.id')
      .replace(/([^/]):id$/, '$1/id')
      .split('/');
    assertPath(ctx, model, path, text);
    return path;
  });
}

function assertPath(ctx: Ctx, model: Model, path: FieldPath, text: string): void {
  if (path.length > limits.record.specificationDepth)
    throw errors.badValue(`the column '${text}' is nested too deeply`);
  let currentModel = model;
  path.forEach((name, index) => {
    const isLast = index === path.length - 1;
    if (isLast && isKeyColumn(name)) return;
    if (isLast && index === 0 && parsePropertyColumn(model, name)) return;
    const field = getPathField(currentModel, name);
    if (isLast) return;
    if (!field.relation) throw errors.unknownField(path[index + 1]!, `${currentModel.name}.${name}`, 'on');
    currentModel = getModel(ctx, field.relation);
  });
}

function getPathField(model: Model, name: string): Field {
  const field = model.fields.get(name);
  if (!field) throw errors.unknownField(name, model.name, 'on');
  return field;
}
