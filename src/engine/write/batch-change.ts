import { createCache, memoizePerObject } from '../../cache.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';
import { createStatement } from '../access/create-statement.ts';
import {
  canBatch,
  createBatcher,
  getSharedDb,
  rethrowUnlessRejected,
  shareByStatement,
} from '../ctx/batcher.ts';
import { getToday } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { DomainNode } from '../domain/node.ts';
import type { Model } from '../model/model.ts';
import type { Principal } from '../model/principal.ts';
import { createReturningSql, type ReturnedRows } from './returned-rows.ts';
import type { WritableRow } from './row.ts';
import {
  buildSharedInsertSql,
  buildSharedUpdateSql,
  getRowShape,
  hasCustomValues,
  packRows,
} from './row-sql.ts';

/** Maximum bytes that each request of a shared statement writes. */
const MAX_SHARED_BYTES = 64 * 1024;
/** Time after a rejected batch in which requests run separately, so that failing requests cannot delay others again. */
const REJECTION_PAUSE_MS = 1_000;

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

interface ChangeRequest {
  change: BatchableChange;
  runAlone(): Promise<unknown>;
}

type ChangeBatcher = (request: ChangeRequest) => Promise<unknown>;

/**
 * Batches a change with changes of the workspace's callers in the same event loop iteration for which PostgreSQL would
 * receive the same statement, except for the rows. Changes to records that are locked, missing, inaccessible or changed
 * twice run separately, as do all changes if the batch is rejected.
 */
export function changeInBatch(change: BatchableChange, runAlone: () => Promise<unknown>): Promise<unknown> {
  if (!isSmallRow(change.row) || !canBatch(change.ctx)) return runAlone();
  const batchers = getCallerBatchers(change.ctx.principal!);
  const key = getChangeKey(change);
  let batcher = batchers.get(key);
  if (batcher === undefined) {
    batcher = findBatcher(change);
    // Once the reference rows exist, the statement can be shared.
    if (change.ctx.firstUses.requested.size === 0) batchers.set(key, batcher);
  }
  return batcher ? batcher({ change, runAlone }) : runAlone();
}

const getCallerBatchers = memoizePerObject((_principal: Principal) =>
  createCache<string, ChangeBatcher | null>({ entries: limits.record.keptStatements }),
);

/** Changes of a caller with the same key have the same statement. */
function getChangeKey({ ctx, change, model, row, rule, returned }: BatchableChange): string {
  const { lang, tz, activeTest } = ctx.context;
  const objects = `${getObjectNumber(model)} ${rule && getObjectNumber(rule)}`;
  const caller = `${ctx.sudo} ${ctx.mask} ${lang} ${tz} ${activeTest}`;
  return `${change} ${objects} ${caller},${getRowShape(row)},${returned?.fields.join(' ')}`;
}

let lastNumber = 0;
const getObjectNumber = memoizePerObject((_object: object) => ++lastNumber);

/** Returns null if the statement is valid only for this change. */
function findBatcher({ ctx, change, model, row, rule, returned }: BatchableChange): ChangeBatcher | null {
  let isDated = false;
  const statement = createStatement(ctx, {
    today: () => {
      isDated = true;
      return getToday(ctx);
    },
  });
  const build = change === 'insert' ? buildSharedInsertSql : buildSharedUpdateSql;
  const shared = build(statement, model, row, rule, createReturningSql(ctx, returned));
  if (isDated || statement.properties.size > 0 || ctx.firstUses.requested.size > 0) return null;
  return shareByStatement(ctx, shared, () => createChangeBatcher(shared));
}

/** Batches only the first of several changes to the same record, so that the last change wins. */
function createChangeBatcher(shared: Sql): ChangeBatcher {
  const statement = sql.compile<{ ids: number[]; rows: string }>(shared);
  let pausedUntil = 0;
  const changeRows = async (requests: ChangeRequest[]): Promise<Map<number, string> | null> => {
    const ids = requests.map(({ change }) => change.id);
    const rows = packRows(requests.map(({ change }) => change.row));
    try {
      const db = getSharedDb(requests.map(({ change }) => change));
      const result = await db.rows<{ id: number; json?: string }>(statement({ ids, rows }));
      return new Map(result.map(({ id, json }) => [id, json ?? '']));
    } catch (error) {
      pausedUntil = Date.now() + REJECTION_PAUSE_MS;
      return rethrowUnlessRejected(error as { code?: string });
    }
  };
  return createBatcher(async (requests) => {
    const group = new Map<number, ChangeRequest>();
    for (const request of requests) if (!group.has(request.change.id)) group.set(request.change.id, request);
    const isShared = group.size > 1 && Date.now() >= pausedUntil;
    const rows = isShared ? await changeRows([...group.values()]) : null;
    return (request) => {
      const { ctx, id, returned } = request.change;
      const json = group.get(id) === request ? rows?.get(id) : undefined;
      if (json === undefined) return request.runAlone();
      ctx.requestDb.recordChange();
      if (returned) returned.rows = [json];
      return undefined;
    };
  });
}

function isSmallRow(row: WritableRow): boolean {
  let length = hasCustomValues(row) ? JSON.stringify(row.custom).length : 0;
  for (const value of row.columns.values())
    if (typeof value === 'string' || Buffer.isBuffer(value)) length += value.length;
  return length < MAX_SHARED_BYTES;
}
