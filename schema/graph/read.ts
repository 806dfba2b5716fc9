import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { modelOf } from '../../src/engine/access/reader.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Field } from '../../src/engine/model/field.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { camel } from '../../src/engine/model/naming.ts';
import { searchRead } from '../../src/engine/read/records.ts';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { graphSelectList, relationName, type Selection, selected } from './selection.ts';

// How the typed graph reads: everything through the record engine, under the caller's rights.

/** A row in the graph's form: camelCase keys, unset is null, a relation is its id or ids. */
export type GraphRow = Record<string, unknown> & { id: number };

/** What a list is asked for. */
export interface ListArguments {
  domain?: unknown;
  order?: string | null;
  limit?: number | null;
  offset?: number | null;
}

/**
 * Resolves the record or records that a field leads to. Not async: a row without the relation, or with it, is a plain
 * value, which the executor completes at once.
 */
export function relationReader(field: Field) {
  const key = camel(field.name);
  const nested = relationName(field);
  const many = field.type !== 'many2one';
  return (row: GraphRow, _args: unknown, ctx: Ctx, info: GraphQLResolveInfo) => {
    if (row[nested] !== undefined) return row[nested];
    const value = row[key];
    if (value === null || value === undefined) return many ? [] : null;
    const target = modelOf(ctx, field.relation!);
    const loader = loaderOf(ctx, target, selected(info, target, ctx.catalog.registry));
    return many ? presentOf(ctx, loader, value as number[]) : loader.load(value as number);
  };
}

/** One record of the model by id; null when there is none in the caller's reach. */
export async function readOne(
  ctx: Ctx,
  name: string,
  id: number,
  info: GraphQLResolveInfo,
): Promise<GraphRow | null> {
  const model = modelOf(ctx, name);
  return (await loadRows(ctx, model, selected(info, model, ctx.catalog.registry), [id]))[0] ?? null;
}

/** Records that match. @throws BAD_REQUEST for a page over the limit */
export async function readMany(
  ctx: Ctx,
  name: string,
  { domain, order, limit, offset }: ListArguments,
  info: GraphQLResolveInfo,
): Promise<GraphRow[]> {
  const model = modelOf(ctx, name);
  const page = { order: order ?? null, limit: pageSize(limit), offset: Math.max(0, offset ?? 0) };
  const wanted = graphSelectList(ctx, selected(info, model, ctx.catalog.registry));
  return (
    await searchRead(ctx, { model: name, domain: domain ?? [], fields: wanted, page, flavour: 'graph' })
  ).value<GraphRow[]>();
}

/** Those of `ids` in the caller's reach. */
async function presentOf(ctx: Ctx, loader: DataLoader<number, unknown>, ids: number[]): Promise<unknown[]> {
  const spent = (listed.get(ctx) ?? 0) + ids.length;
  listed.set(ctx, spent);
  if (spent > limits.graphql.rows)
    throw errors.badRequest(`The lists of one request hold at most ${limits.graphql.rows} records.`);
  return (await loader.loadMany(ids)).filter((found) => found !== null);
}

/**
 * Records in nested lists by request: lists of lists grow with the data, which static analysis of the document cannot
 * bound.
 */
const listed = new WeakMap<Ctx, number>();

/** One loader for each selection, so that all rows of a level come with one statement. */
function loaderOf(ctx: Ctx, model: Model, selection: Selection): DataLoader<number, unknown> {
  let loader = ctx.loaders.get(selection.key);
  if (!loader) {
    loader = new DataLoader((ids) => loadRows(ctx, model, selection, ids as number[]), {
      maxBatchSize: 5_000,
    });
    ctx.loaders.set(selection.key, loader);
  }
  return loader;
}

async function loadRows(
  ctx: Ctx,
  model: Model,
  selection: Selection,
  ids: number[],
): Promise<(GraphRow | null)[]> {
  const all = ctx.with({ context: { ...ctx.context, activeTest: false } });
  const domain = [['id', 'in', ids]];
  const rows = (
    await searchRead(all, {
      model: model.name,
      domain,
      fields: graphSelectList(ctx, selection),
      page: { order: 'id' },
      flavour: 'graph',
    })
  ).value<GraphRow[]>();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

function pageSize(limit: number | null | undefined): number {
  const wanted = limit ?? limits.graphql.pageDefault;
  if (wanted < 1 || wanted > limits.graphql.page)
    throw errors.badRequest(`limit must be from 1 to ${limits.graphql.page}.`);
  return wanted;
}
