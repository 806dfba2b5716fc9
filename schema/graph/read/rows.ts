import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoaded } from '../../../src/engine/ctx/loader.ts';
import type { Field } from '../../../src/engine/model/field.ts';
import { getRowKey } from '../../../src/engine/model/naming.ts';
import { searchRead } from '../../../src/engine/read/records.ts';
import { getKeyField, parseRecordId } from '../plan/values.ts';
import { foreignRowLoaders } from './foreign-rows.ts';
import { buildRowSelectList, getNestedKey, getSelection, type RecordSelection } from './selection.ts';

// Reads records for the graph through the engine, with the caller's access rights.

/** A row in the record graph's format: keys are in camelCase, unset values are null, and a many2one is its id. */
export type GraphRow = Record<string, unknown> & { id: number };

/** Reads a record by its public id. Returns null if the caller cannot read it. */
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

/** Reads records by numeric id, in the given order. Omits records that the caller cannot read. */
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

/**
 * Loads a record by numeric id, batched with loads of the same selection. Returns null if the caller cannot read it.
 */
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
 * Resolves a many2one's record. Returns a plain value if there is no record or it is already loaded, because the
 * executor completes plain values immediately.
 */
export function createRelationReader(field: Field) {
  const [column, along] = [getRowKey(field), getNestedKey(field)];
  return (row: GraphRow, _args: unknown, ctx: Ctx, info: GraphQLResolveInfo) => {
    const relationValue = row[along];
    if (relationValue !== undefined) return relationValue;
    const id = row[column];
    if (id === null || id === undefined) return null;
    const target = getModel(ctx, field.relation!);
    const foreignRow = foreignRowLoaders.get(target.name);
    if (foreignRow) return foreignRow(ctx, id as number, info);
    return getLoader(ctx, getSelection(info, ctx.catalog.registry, target)).load(id as number);
  };
}

/** Returns the selection's loader, so that all rows of a level are read with one statement. */
const getLoader = (ctx: Ctx, selection: RecordSelection): DataLoader<number, unknown> =>
  getLoaded(
    ctx,
    selection.key,
    () => new DataLoader((ids) => loadRowsById(ctx, selection, ids), { maxBatchSize: 5_000 }),
  );

async function loadRowsById(
  ctx: Ctx,
  selection: RecordSelection,
  ids: readonly number[],
): Promise<(GraphRow | null)[]> {
  const rows = ids.length === 0 ? [] : await readMatching(ctx, selection, [['id', 'in', ids]]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** Includes archived records. */
async function readMatching(ctx: Ctx, selection: RecordSelection, domain: unknown[]): Promise<GraphRow[]> {
  const all = ctx.with({ context: { ...ctx.context, activeTest: false } });
  const rows = await searchRead(all, {
    model: selection.model.name,
    domain,
    fields: buildRowSelectList(ctx, selection),
    page: { order: 'id' },
    flavour: 'graph',
  });
  return rows.value<GraphRow[]>();
}
