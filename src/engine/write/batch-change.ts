import { createCache, memoizePerObject } from '../../cache.ts';
import { limits } from '../../limits.ts';
import { createStatement } from '../access/create-statement.ts';
import {
  canBatch,
  createBatcher,
  getSharedDb,
  retryIndividually,
  SHORT_LOCK_TIMEOUT,
} from '../ctx/batcher.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { DomainNode } from '../domain/node.ts';
import type { Model } from '../model/model.ts';
import type { Principal } from '../model/principal.ts';
import { createReturningSql, type ReturnedRows } from './returned-rows.ts';
import type { WritableRow } from './row.ts';
import { buildRowInsertSql, buildUpdateEachSql, getRowShape, hasCustomValues } from './row-sql.ts';

/** One row that one statement inserts or updates, which holds the rule. */
export interface BatchableChange {
  ctx: Ctx;
  change: 'insert' | 'update';
  model: Model;
  id: number;
  row: WritableRow;
  rule: DomainNode | null;
  returned: ReturnedRows | undefined;
}

/**
 * Makes a change, by one statement with those of the same kind that the caller asks for in the same turn of the event
 * loop. What that leaves undone, and all of it where it is refused, is made `alone`: records that others have locked,
 * that are gone or out of reach, that are changed twice.
 */
export function changeInBatch(change: BatchableChange, alone: () => Promise<unknown>): Promise<unknown> {
  if (!isSmallRow(change.row) || !canBatch(change.ctx)) return alone();
  const ask = getChangers(change.ctx.principal!).getOrCreate(getChangeKey(change), () =>
    createBatcher(runBatch),
  );
  return ask({ change, alone });
}

interface ChangeRequest {
  change: BatchableChange;
  /** Makes the change by itself. */
  alone(): Promise<unknown>;
}

const getChangers = memoizePerObject((_principal: Principal) =>
  createCache<string, (ask: ChangeRequest) => Promise<unknown>>({ entries: limits.record.keptStatements }),
);

/** The same for changes that one statement can make. */
function getChangeKey({ ctx, change, model, row, rule, returned }: BatchableChange): string {
  const { lang, tz, activeTest } = ctx.context;
  const objects = `${getObjectNumber(model)} ${rule && getObjectNumber(rule)}`;
  const caller = `${ctx.sudo} ${ctx.mask} ${lang} ${tz} ${activeTest}`;
  return `${change} ${objects} ${caller},${getRowShape(row)},${returned?.fields.join(' ')}`;
}

let lastNumber = 0;
const getObjectNumber = memoizePerObject((_object: object) => ++lastNumber);

/** Of several changes of one record the first goes with the others, so that what came last is what stays. */
async function runBatch(asks: readonly ChangeRequest[]): Promise<(ask: ChangeRequest) => unknown> {
  const group = new Map<number, ChangeRequest>();
  for (const ask of asks) if (!group.has(ask.change.id)) group.set(ask.change.id, ask);
  const rows = group.size > 1 ? await changeRows([...group.values()]).catch(retryIndividually) : null;
  return (ask) => {
    const { ctx, id, returned } = ask.change;
    const json = group.get(id) === ask ? rows?.get(id) : undefined;
    if (json === undefined) return ask.alone();
    ctx.requestDb.recordChange();
    if (returned) returned.rows = [json];
    return undefined;
  };
}

/** What is wanted of the rows that were changed, by id. */
async function changeRows(asks: ChangeRequest[]): Promise<Map<number, string>> {
  const { ctx, change, model, rule, returned } = asks[0]!.change;
  const rows = asks.map((ask) => ask.change.row);
  const more = createReturningSql(ctx, returned);
  const statement =
    change === 'insert'
      ? buildRowInsertSql(createStatement(ctx), model, rows, rule, more, SHORT_LOCK_TIMEOUT)
      : buildUpdateEachSql(
          createStatement(ctx),
          model,
          { ids: asks.map((ask) => ask.change.id), rows },
          rule,
          more,
        );
  const done = await getSharedDb(ctx).rows<{ id: number; json?: string }>(statement);
  return new Map(done.map(({ id, json }) => [id, json ?? '']));
}

function isSmallRow(row: WritableRow): boolean {
  let length = hasCustomValues(row) ? JSON.stringify(row.custom).length : 0;
  for (const value of row.columns.values())
    if (typeof value === 'string' || Buffer.isBuffer(value)) length += value.length;
  return length < limits.call.sharedBytes;
}
