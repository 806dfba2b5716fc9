import type { GraphQLResolveInfo } from 'graphql';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { read } from '../../../src/engine/read/records.ts';
import type { SelectList } from '../../../src/engine/read/select-list.ts';
import { createReturnedRows, type ReturnedRows } from '../../../src/engine/write/returned-rows.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { getKeyField } from '../plan/values.ts';
import type { GraphRow } from '../read/rows.ts';
import {
  buildRowSelectList,
  getSelectedNames,
  getSelection,
  type RecordSelection,
} from '../read/selection.ts';

/** How mutations answer with the records they have changed. */
export interface MutationResult {
  /** What the change may give back by itself; given to the engine along with it. */
  returned?: ReturnedRows;
  /** The records, in that order, with what the document selects. @throws ACCESS_ERROR for one out of reach */
  of(ids: number[]): Promise<GraphRow[]>;
}

/** What has been done to the records by the time they are read. */
type ChangeState = 'created' | 'updated';

/** Made before anything changes, so that a caller who may read nothing of the model is refused in time. */
export const createMutationResult = (
  ctx: Ctx,
  model: Model,
  info: GraphQLResolveInfo,
  done: ChangeState,
): MutationResult =>
  createSelectedResult(
    ctx,
    model,
    needsRead(model, info) ? getSelection(info, ctx.catalog.registry, model) : null,
    done,
  );

/** As `answersOf`. @param wanted null for nothing but the ids */
export function createSelectedResult(
  ctx: Ctx,
  model: Model,
  wanted: RecordSelection | null,
  done: ChangeState,
): MutationResult {
  if (wanted) assertModelAccess(ctx, model, 'read');
  const fields = wanted ? buildRowSelectList(ctx, wanted) : [];
  const returned = wanted ? createReturnedRows(ctx, model, fields) : undefined;
  return {
    returned,
    of: async (ids) => {
      if (!wanted) return ids.map((id) => ({ id }));
      return sortReturned(ids, returned) ?? readAfter(ctx, { model, ids, fields, done });
    },
  };
}

/** The rows that came back with the change; undefined where they did not. */
function sortReturned(ids: number[], returned: ReturnedRows | undefined): GraphRow[] | undefined {
  if (!returned || returned.rows.length !== ids.length) return undefined;
  if (ids.length === 1) return [JSON.parse(returned.rows[0]!) as GraphRow];
  const rows = new Map(returned.rows.map((json) => JSON.parse(json) as GraphRow).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id)!);
}

/** Ids are known without a look at the records. */
function needsRead(model: Model, info: GraphQLResolveInfo): boolean {
  const names = new Set(getSelectedNames(info).keys());
  names.delete('__typename');
  if (getKeyField(model) === 'id') names.delete('id');
  return names.size > 0;
}

interface ChangedRecords {
  model: Model;
  ids: number[];
  fields: SelectList;
  done: ChangeState;
}

async function readAfter(ctx: Ctx, { model, ids, fields, done }: ChangedRecords): Promise<GraphRow[]> {
  const all = ctx.context.activeTest ? ctx.with({ context: { ...ctx.context, activeTest: false } }) : ctx;
  const query = { model: model.name, ids, fields, flavour: 'graph' } as const;
  const rows = await read(all, query).catch((error) => {
    throw error instanceof AppError && error.kind === 'ACCESS_ERROR'
      ? hiddenAfterError(model, ids, done)
      : error;
  });
  const found = rows.value<GraphRow[]>();
  if (found.length < ids.length) throw hiddenAfterError(model, ids, done);
  return found;
}

/** The change stands, and its maker may not see it: to repeat it would be wrong. */
const hiddenAfterError = (model: Model, ids: number[], done: string) =>
  errors.hiddenAfter(model.label, model.name, ids, done);
