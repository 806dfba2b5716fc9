import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Field } from '../../../src/engine/model/field.ts';
import { toCamelCase } from '../../../src/engine/model/naming.ts';
import { searchRead } from '../../../src/engine/read/records.ts';
import { getKeyField, parseRecordId } from '../plan/values.ts';
import { foreignRowLoaders } from './foreign-rows.ts';
import { buildRowSelectList, getNestedKey, getSelection, type RecordSelection } from './selection.ts';

// How the record graph reads records it knows the ids of: through the engine, under the caller's rights.

/** A row in the graph's form: camelCase keys, unset is null, a many2one is its id. */
export type GraphRow = Record<string, unknown> & { id: number };

/** One record by the id that clients know; null when there is none in the caller's reach. */
export async function readOne(
  ctx: Ctx,
  name: string,
  id: string,
  info: GraphQLResolveInfo,
): Promise<GraphRow | null> {
  const model = getModel(ctx, name);
  const key = getKeyField(model);
  const value = key === 'id' ? parseRecordId(id, model) : id;
  if (value === null) return null;
  const selection = getSelection(info, ctx.catalog.registry, model);
  const [row] = await readMatching(ctx, selection, [[key, '=', value]]);
  return row ?? null;
}

/** Records by number, in that order, with what the field being resolved selects; those out of reach are left out. */
export async function readRecords(
  ctx: Ctx,
  name: string,
  ids: readonly number[],
  info: GraphQLResolveInfo,
): Promise<GraphRow[]> {
  const model = getModel(ctx, name);
  const rows = await loadRowsById(ctx, getSelection(info, ctx.catalog.registry, model), ids);
  return rows.filter((row) => row !== null);
}

/** One record by number, together with others of the same selection; null when it is out of reach. */
export function loadRecord(
  ctx: Ctx,
  name: string,
  id: number,
  info: GraphQLResolveInfo,
): Promise<GraphRow | null> {
  const model = getModel(ctx, name);
  return getLoader(ctx, getSelection(info, ctx.catalog.registry, model)).load(id) as Promise<GraphRow | null>;
}

/**
 * Resolves the record that a many2one leads to. Not async: a row without one, or with it along, is a plain value, which
 * the executor completes at once.
 */
export function createRelationReader(field: Field) {
  const [column, along] = [toCamelCase(field.name), getNestedKey(field)];
  return (row: GraphRow, _args: unknown, ctx: Ctx, info: GraphQLResolveInfo) => {
    const there = row[along];
    if (there !== undefined) return there;
    const id = row[column];
    if (id === null || id === undefined) return null;
    const target = getModel(ctx, field.relation!);
    const foreign = foreignRowLoaders.get(target.name);
    if (foreign) return foreign(ctx, id as number, info);
    return getLoader(ctx, getSelection(info, ctx.catalog.registry, target)).load(id as number);
  };
}

/** One loader for each selection, so that all rows of a level come with one statement. */
function getLoader(ctx: Ctx, selection: RecordSelection): DataLoader<number, unknown> {
  let loader = ctx.loaded.get(selection.key) as DataLoader<number, unknown> | undefined;
  if (!loader) {
    loader = new DataLoader((ids) => loadRowsById(ctx, selection, ids), { maxBatchSize: 5_000 });
    ctx.loaded.set(selection.key, loader);
  }
  return loader;
}

async function loadRowsById(
  ctx: Ctx,
  selection: RecordSelection,
  ids: readonly number[],
): Promise<(GraphRow | null)[]> {
  const rows = ids.length === 0 ? [] : await readMatching(ctx, selection, [['id', 'in', ids]]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** Archived records too. */
async function readMatching(ctx: Ctx, selection: RecordSelection, domain: unknown[]): Promise<GraphRow[]> {
  const all = ctx.with({ context: { ...ctx.context, activeTest: false } });
  const found = await searchRead(all, {
    model: selection.model.name,
    domain,
    fields: buildRowSelectList(ctx, selection),
    page: { order: 'id' },
    flavour: 'graph',
  });
  return found.value<GraphRow[]>();
}
