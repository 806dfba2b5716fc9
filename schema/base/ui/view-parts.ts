import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isObjectType,
} from 'graphql';
import { assertComparable, assertFieldAccess } from '../../../src/engine/access/access.ts';
import {
  createDomainReader,
  createStatement,
  getModel,
  getReadableModel,
} from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { parseDomain } from '../../../src/engine/domain/parse.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { getModelGraphNames } from '../../../src/engine/model/registry.ts';
import { buildPageSql } from '../../../src/engine/read/query.ts';
import { getMainSource } from '../../../src/engine/sql/statement.ts';
import { errors } from '../../../src/errors.ts';
import { getOutputFields } from '../../graph/plan/field-map.ts';
import { buildOrder, type ListArguments } from '../../graph/read/page.ts';
import { resolveTextSearches } from '../../graph/read/text-searches.ts';
import { toWhereDomain } from '../../graph/read/where.ts';

export const MAX_VIEW_COLUMNS = 100;
const MAX_COLUMN_PATH_CHARS = 200;

/**
 * Checks that a model's list or groups query would accept the argument from the caller.
 * @throws NOT_FOUND_MODEL, ACCESS_ERROR for models and fields without access, BAD_VALUE that names the invalid part
 */
export async function checkListArgument(
  ctx: Ctx,
  name: string,
  argument: 'where' | 'orderBy' | 'groupBy',
  value: unknown,
): Promise<void> {
  const { one, many } = getGraphNames(ctx, name);
  const root = argument === 'groupBy' ? `${one}Groups` : many;
  const type = getSchema(ctx)
    .getQueryType()!
    .getFields()
    [root]?.args.find((arg) => arg.name === argument)?.type;
  if (!type) throw errors.badValue(`${argument}: ${name} records cannot be listed in GraphQL`);
  const coerced = coerceInputValue(value, type as GraphQLInputType, (path, _value, error) => {
    throw errors.badValue(`${[argument, ...path].join('.')}: ${error.message.slice(0, 300)}`);
  });
  const model = getModel(ctx, name);
  if (argument === 'where') await checkWhere(ctx, model, coerced);
  else if (argument === 'orderBy') checkOrder(ctx, model, coerced as ListArguments['orderBy']);
  else checkGroupTerms(ctx, model, coerced as { field: string }[]);
}

async function checkWhere(ctx: Ctx, model: Model, where: unknown): Promise<void> {
  const { registry } = ctx.catalog;
  const domain = toWhereDomain(registry, model, await resolveTextSearches(ctx, model, where));
  parseDomain(domain, model, registry, createDomainReader(ctx));
}

function checkOrder(ctx: Ctx, model: Model, terms: ListArguments['orderBy']): void {
  const order = buildOrder(ctx.catalog.registry, model, terms);
  buildPageSql(createStatement(ctx), getMainSource(model), { order });
}

function checkGroupTerms(ctx: Ctx, model: Model, terms: readonly { field: string }[]): void {
  for (const { field: name } of terms) {
    const field = model.fields.get(name);
    if (field) assertComparable(ctx, model, field);
  }
}

/** @throws NOT_FOUND_MODEL, ACCESS_ERROR for models and fields without access, BAD_VALUE for a path without a field */
export function checkColumns(ctx: Ctx, name: string, columns: readonly string[]): void {
  const { type } = getGraphNames(ctx, name);
  if (columns.length > MAX_VIEW_COLUMNS)
    throw errors.badValue(`columns: must contain at most ${MAX_VIEW_COLUMNS} columns`);
  if (new Set(columns).size < columns.length)
    throw errors.badValue('columns: each column may appear only once');
  const start = getSchema(ctx).getType(type) as GraphQLOutputType | undefined;
  for (const path of columns) {
    if (path.length > MAX_COLUMN_PATH_CHARS)
      throw errors.badValue(`columns: the path is too long (${path.length} characters)`);
    let type = start;
    let model = getModel(ctx, name);
    for (const part of path.split('.')) {
      const namedType = type && getNamedType(type);
      type = namedType && isObjectType(namedType) ? namedType.getFields()[part]?.type : undefined;
      if (!type) throw errors.badValue(`columns: ${name} has no field ${path}`);
      model = resolvePart(ctx, model, part);
    }
  }
}

/**
 * Returns the model that a path segment leads to. This is the same model unless the segment is a relation.
 * @throws ACCESS_ERROR
 */
function resolvePart(ctx: Ctx, model: Model, part: string): Model {
  const { registry } = ctx.catalog;
  const field = getOutputFields(registry, model).get(part)?.field;
  if (!field) return model;
  assertFieldAccess(ctx, model, field, 'read');
  if (!field.relation) return model;
  const target = getReadableModel(ctx, field.relation);
  return target;
}

const getSchema = (ctx: Ctx) => ctx.runtime.getSchema(ctx.catalog.registry);

function getGraphNames(ctx: Ctx, name: string) {
  const model = getReadableModel(ctx, name);
  return getModelGraphNames(model);
}
