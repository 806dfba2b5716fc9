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
import { buildRowSelectList, getSelection, getSelectionSetsByName } from '../read/selection.ts';

interface MutationResult {
  /** Columns that the write statement can return, to pass to the engine. */
  returned?: ReturnedRows;
  /**
   * Reads the selected fields of the records, in the given order.
   * @throws ACCESS_ERROR if the caller cannot read one of the records
   */
  readRows(ids: number[]): Promise<GraphRow[]>;
}

type ChangeState = 'created' | 'updated';

/** Creates the result before the change, so that a caller without read access is rejected before anything changes. */
export function createMutationResult(
  ctx: Ctx,
  model: Model,
  info: GraphQLResolveInfo,
  done: ChangeState,
): MutationResult {
  const selection = needsRead(model, info) ? getSelection(info, ctx.catalog.registry, model) : null;
  if (selection) assertModelAccess(ctx, model, 'read');
  const fields = selection ? buildRowSelectList(ctx, selection) : [];
  const returnedRows = selection ? createReturnedRows(ctx, model, fields) : undefined;
  return {
    returned: returnedRows,
    readRows: async (ids) => {
      if (!selection) return ids.map((id) => ({ id }));
      return sortReturned(ids, returnedRows) ?? readChangedRecords(ctx, { model, ids, fields, done });
    },
  };
}

/** Returns the rows from the change in the order of `ids`. Undefined if the change returned none. */
function sortReturned(ids: number[], returnedRows: ReturnedRows | undefined): GraphRow[] | undefined {
  if (!returnedRows || returnedRows.rows.length !== ids.length) return undefined;
  if (ids.length === 1) return [JSON.parse(returnedRows.rows[0]!) as GraphRow];
  const rows = new Map(
    returnedRows.rows.map((json) => JSON.parse(json) as GraphRow).map((row) => [row.id, row]),
  );
  return ids.map((id) => rows.get(id)!);
}

/** Returns false if the selection needs only ids, which are known without reading. */
function needsRead(model: Model, info: GraphQLResolveInfo): boolean {
  const names = new Set(getSelectionSetsByName(info).keys());
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

async function readChangedRecords(
  ctx: Ctx,
  { model, ids, fields, done }: ChangedRecords,
): Promise<GraphRow[]> {
  const all = ctx.context.activeTest ? ctx.with({ context: { ...ctx.context, activeTest: false } }) : ctx;
  const query = { model: model.name, ids, fields, flavour: 'graph' } as const;
  const rows = await read(all, query).catch((error) => {
    throw error instanceof AppError && error.kind === 'ACCESS_ERROR'
      ? createHiddenAfterError(model, ids, done)
      : error;
  });
  const rowsAfter = rows.value<GraphRow[]>();
  if (rowsAfter.length < ids.length) throw createHiddenAfterError(model, ids, done);
  return rowsAfter;
}

/** States that the change is committed, because the client must not retry. */
const createHiddenAfterError = (model: Model, ids: number[], done: string) =>
  errors.hiddenAfter(model.label, model.name, ids, done);
