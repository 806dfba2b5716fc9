import { createCache, memoizePerObject } from '../../cache.ts';
import { limits } from '../../limits.ts';
import { createStatement } from '../access/create-statement.ts';
import {
  canBatch,
  createBatcher,
  getSharedDb,
  rethrowUnlessRejected,
  SHORT_LOCK_TIMEOUT,
} from '../ctx/batcher.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { DomainNode } from '../domain/node.ts';
import type { Model } from '../model/model.ts';
import type { Principal } from '../model/principal.ts';
import { createReturningSql, type ReturnedRows } from './returned-rows.ts';
import type { WritableRow } from './row.ts';
import { buildRowInsertSql, buildUpdateEachSql, getRowShape, hasCustomValues } from './row-sql.ts';

/** Maximum bytes that each request of a shared statement writes. */
const MAX_SHARED_BYTES = 64 * 1024;

/** A row to insert or update in a statement that also checks the record rule. */
interface BatchableChange {
  ctx: Ctx;
  change: 'insert' | 'update';
  model: Model;
  id: number;
  row: WritableRow;
  rule: DomainNode | null;
  returned: ReturnedRows | undefined;
}

/**
 * Batches a change with similar changes that the caller makes in the same event loop iteration. Changes to records that
 * are locked, missing, inaccessible or changed twice run separately, as do all changes if the batch is rejected.
 */
export function changeInBatch(change: BatchableChange, runAlone: () => Promise<unknown>): Promise<unknown> {
  if (!isSmallRow(change.row) || !canBatch(change.ctx)) return runAlone();
  const request = getChangers(change.ctx.principal!).getOrCreate(getChangeKey(change), () =>
    createBatcher(runBatch),
  );
  return request({ change, runAlone });
}

interface ChangeRequest {
  change: BatchableChange;
  runAlone(): Promise<unknown>;
}

const getChangers = memoizePerObject((_principal: Principal) =>
  createCache<string, (request: ChangeRequest) => Promise<unknown>>({
    entries: limits.record.keptStatements,
  }),
);

/** Changes with the same key can share a statement. */
function getChangeKey({ ctx, change, model, row, rule, returned }: BatchableChange): string {
  const { lang, tz, activeTest } = ctx.context;
  const objects = `${getObjectNumber(model)} ${rule && getObjectNumber(rule)}`;
  const caller = `${ctx.sudo} ${ctx.mask} ${lang} ${tz} ${activeTest}`;
  return `${change} ${objects} ${caller},${getRowShape(row)},${returned?.fields.join(' ')}`;
}

let lastNumber = 0;
const getObjectNumber = memoizePerObject((_object: object) => ++lastNumber);

/** Batches only the first of several changes to the same record, so that the last change wins. */
async function runBatch(requests: readonly ChangeRequest[]): Promise<(request: ChangeRequest) => unknown> {
  const group = new Map<number, ChangeRequest>();
  for (const request of requests) if (!group.has(request.change.id)) group.set(request.change.id, request);
  const rows = group.size > 1 ? await changeRows([...group.values()]).catch(rethrowUnlessRejected) : null;
  return (request) => {
    const { ctx, id, returned } = request.change;
    const json = group.get(id) === request ? rows?.get(id) : undefined;
    if (json === undefined) return request.runAlone();
    ctx.requestDb.recordChange();
    if (returned) returned.rows = [json];
    return undefined;
  };
}

async function changeRows(requests: ChangeRequest[]): Promise<Map<number, string>> {
  const { ctx, change, model, rule, returned } = requests[0]!.change;
  const rows = requests.map((request) => request.change.row);
  const buildExtraSql = createReturningSql(ctx, returned);
  const statement =
    change === 'insert'
      ? buildRowInsertSql(createStatement(ctx), model, rows, rule, buildExtraSql, SHORT_LOCK_TIMEOUT)
      : buildUpdateEachSql(
          createStatement(ctx),
          model,
          { ids: requests.map((request) => request.change.id), rows },
          rule,
          buildExtraSql,
        );
  const result = await getSharedDb(ctx).rows<{ id: number; json?: string }>(statement);
  return new Map(result.map(({ id, json }) => [id, json ?? '']));
}

function isSmallRow(row: WritableRow): boolean {
  let length = hasCustomValues(row) ? JSON.stringify(row.custom).length : 0;
  for (const value of row.columns.values())
    if (typeof value === 'string' || Buffer.isBuffer(value)) length += value.length;
  return length < MAX_SHARED_BYTES;
}
