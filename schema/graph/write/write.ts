import type { GraphQLResolveInfo } from 'graphql';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import type { RecordVersions } from '../../../src/engine/write/row.ts';
import { pairVersions } from '../../../src/engine/write/versions.ts';
import { create, unlink, write } from '../../../src/engine/write/write.ts';
import type { GraphRow } from '../read/rows.ts';
import { withArgumentNames } from './arguments.ts';
import { findNumericIds, findPublicIds } from './ids.ts';
import { checkLines } from './lines.ts';
import { createMutationResult } from './mutation-result.ts';
import { changeTargets, type MutationTarget, rejectTooManyRecords } from './targets.ts';
import { changeUndoably } from './undo-token.ts';
import { withUploads } from './uploads.ts';
import { type EngineValues, toEngineValues } from './values.ts';

// Mutations of the record graph. They use the engine with the caller's access rights and record rules.

type MutationInput = Record<string, unknown>;

export async function createOne(
  ctx: Ctx,
  name: string,
  { input }: { input: MutationInput },
  info: GraphQLResolveInfo,
): Promise<GraphRow> {
  const model = getModel(ctx, name);
  const results = createMutationResult(ctx, model, info, 'created');
  const { values, uploads } = await toEngineValues(ctx, model, 'create', { input });
  const ids = await withInputNames(ctx, model, input, () =>
    withUploads(ctx, uploads, (inner) => create(inner, model.name, values, results.returned)),
  );
  return (await results.readRows(ids))[0]!;
}

/** Creates all records or none. */
export async function createMany(
  ctx: Ctx,
  name: string,
  { inputs }: { inputs: MutationInput[] },
  info: GraphQLResolveInfo,
): Promise<GraphRow[]> {
  const model = getModel(ctx, name);
  rejectTooManyRecords(inputs.length);
  const results = createMutationResult(ctx, model, info, 'created');
  const { values, uploads } = await toEngineValues(ctx, model, 'create', { inputs });
  const ids = await withUploads(ctx, uploads, (inner) => create(inner, name, values, results.returned));
  return results.readRows(ids);
}

export async function updateOne(
  ctx: Ctx,
  name: string,
  { id, input, expectedVersion }: { id: string; input: MutationInput; expectedVersion?: number | null },
  info: GraphQLResolveInfo,
): Promise<GraphRow> {
  const model = getModel(ctx, name);
  const results = createMutationResult(ctx, model, info, 'updated');
  const ids = await findNumericIds(ctx, model.name, [id]);
  const versions = typeof expectedVersion === 'number' ? pairVersions(ids, [expectedVersion]) : undefined;
  const change = await toEngineValues(ctx, model, 'update', { input });
  await withInputNames(ctx, model, input, () =>
    withUploads(ctx, change.uploads, (inner) =>
      change.lines.length > 0
        ? inner.tx((tx) => writeChecked(tx, model, ids, change, versions))
        : write(inner, model.name, ids, change.values[0]!, { returned: results.returned, versions }),
    ),
  );
  return (await results.readRows(ids))[0]!;
}

/** Updates all records or none. @throws BAD_REQUEST for an invalid selection, and the errors of changeUndoably */
export async function updateMany(
  ctx: Ctx,
  name: string,
  {
    input,
    undoToken = null,
    ...chosen
  }: MutationTarget & { input: MutationInput; undoToken?: string | null },
  info: GraphQLResolveInfo,
): Promise<GraphRow[]> {
  const model = getModel(ctx, name);
  const results = createMutationResult(ctx, model, info, 'updated');
  const change = await toEngineValues(ctx, model, 'update', { input });
  const ids = await withInputNames(ctx, model, input, () =>
    withUploads(ctx, change.uploads, (inner) =>
      changeTargets(inner, model, { target: chosen, operation: 'write', info }, (tx, ids, versions) => {
        const values = change.values[0]!;
        const write = (writeCtx: Ctx) => writeChecked(writeCtx, model, ids, change, versions);
        return undoToken === null
          ? write(tx)
          : changeUndoably(tx, { model, ids, token: undoToken, values }, write);
      }),
    ),
  );
  return results.readRows(ids);
}

/** Copies the values, because the transaction can be retried and `write` modifies them. */
async function writeChecked(
  tx: Ctx,
  model: Model,
  ids: number[],
  { values: [values], lines }: EngineValues,
  versions: RecordVersions | undefined,
): Promise<true> {
  if (lines.length > 0) await checkLines(tx, model, ids, lines);
  return write(tx, model.name, ids, { ...values }, { versions });
}

const withInputNames = <T>(ctx: Ctx, model: Model, input: MutationInput, run: () => Promise<T>): Promise<T> =>
  withArgumentNames(ctx.catalog.registry, model, 'input', input, run);

interface DeletedRecords {
  ids: string[];
  count: number;
}

export async function deleteOne(ctx: Ctx, name: string, { id }: { id: string }): Promise<DeletedRecords> {
  const ids = await findNumericIds(ctx, name, [id]);
  await unlink(ctx, name, ids);
  ctx.loaded.clear();
  return { ids: [id], count: 1 };
}

/** Deletes all records or none. @throws BAD_REQUEST for an invalid selection */
export async function deleteMany(
  ctx: Ctx,
  name: string,
  target: MutationTarget,
  info: GraphQLResolveInfo,
): Promise<DeletedRecords> {
  const model = getModel(ctx, name);
  let deletedNames: string[] = [];
  const ids = await changeTargets(ctx, model, { target, operation: 'unlink', info }, async (tx, ids) => {
    deletedNames = await findPublicIds(tx, model, ids);
    await unlink(tx, name, ids);
  });
  ctx.loaded.clear();
  return { ids: deletedNames, count: ids.length };
}
