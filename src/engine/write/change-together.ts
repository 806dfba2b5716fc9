import { createCache, perOwner } from '../../cache.ts';
import { limits } from '../../limits.ts';
import { newStatement } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { eachAlone, impatient, mayShare, sharedDb, together } from '../ctx/together.ts';
import type { Node } from '../domain/node.ts';
import type { Model } from '../model/model.ts';
import type { Principal } from '../model/principal.ts';
import { type Returned, returnedBy } from './returned.ts';
import type { Row } from './row.ts';
import { hasCustom, insertSql, shapeOf, updateEachSql } from './row-sql.ts';

/** One row that one statement inserts or updates, which holds the rule. */
export interface OneChange {
  ctx: Ctx;
  change: 'insert' | 'update';
  model: Model;
  id: number;
  row: Row;
  rule: Node | null;
  returned: Returned | undefined;
}

/**
 * Makes a change, by one statement with those of the same kind that the caller asks for in the same turn of the event
 * loop. What that leaves undone, and all of it where it is refused, is made `alone`: records that others have locked,
 * that are gone or out of reach, that are changed twice.
 */
export function changeWithOthers(change: OneChange, alone: () => Promise<unknown>): Promise<unknown> {
  if (!isSmall(change.row) || !mayShare(change.ctx)) return alone();
  const ask = changers(change.ctx.principal!).remember(kindOf(change), () => together(beginAll));
  return ask({ change, alone });
}

interface Ask {
  change: OneChange;
  /** Makes the change by itself. */
  alone(): Promise<unknown>;
}

const changers = perOwner((_principal: Principal) =>
  createCache<string, (ask: Ask) => Promise<unknown>>({ entries: limits.record.keptStatements }),
);

/** The same for changes that one statement can make. */
function kindOf({ ctx, change, model, row, rule, returned }: OneChange): string {
  const { lang, tz, activeTest } = ctx.context;
  const objects = `${numberOf(model)} ${rule && numberOf(rule)}`;
  const caller = `${ctx.sudo} ${ctx.mask} ${lang} ${tz} ${activeTest}`;
  return `${change} ${objects} ${caller},${shapeOf(row)},${returned?.fields.join(' ')}`;
}

let last = 0;
const numberOf = perOwner((_object: object) => ++last);

/** Of several changes of one record the first goes with the others, so that what came last is what stays. */
async function beginAll(asks: readonly Ask[]): Promise<(ask: Ask) => unknown> {
  const group = new Map<number, Ask>();
  for (const ask of asks) if (!group.has(ask.change.id)) group.set(ask.change.id, ask);
  const rows = group.size > 1 ? await changed([...group.values()]).catch(eachAlone) : null;
  return (ask) => {
    const { ctx, id, returned } = ask.change;
    const json = group.get(id) === ask ? rows?.get(id) : undefined;
    if (json === undefined) return ask.alone();
    ctx.requestDb.noteChange();
    if (returned) returned.rows = [json];
    return undefined;
  };
}

/** What is wanted of the rows that were changed, by id. */
async function changed(asks: Ask[]): Promise<Map<number, string>> {
  const { ctx, change, model, rule, returned } = asks[0]!.change;
  const rows = asks.map((ask) => ask.change.row);
  const more = returnedBy(ctx, returned);
  const statement =
    change === 'insert'
      ? insertSql(newStatement(ctx), model, rows, rule, more, impatient)
      : updateEachSql(newStatement(ctx), model, { ids: asks.map((ask) => ask.change.id), rows }, rule, more);
  const done = await sharedDb(ctx).rows<{ id: number; json?: string }>(statement);
  return new Map(done.map(({ id, json }) => [id, json ?? '']));
}

function isSmall(row: Row): boolean {
  let length = hasCustom(row) ? JSON.stringify(row.custom).length : 0;
  for (const value of row.columns.values())
    if (typeof value === 'string' || Buffer.isBuffer(value)) length += value.length;
  return length < limits.call.sharedBytes;
}
