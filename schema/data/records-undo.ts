import { sql } from '../../src/db/sql.ts';
import { assertModelAccess } from '../../src/engine/access/access.ts';
import { getModel } from '../../src/engine/access/create-statement.ts';
import { filterAllowedIds, filterReadableIds } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Model, Values } from '../../src/engine/model/model.ts';
import type { Principal } from '../../src/engine/model/principal.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { defineTypedShape, type ValueOf } from '../../src/engine/operation/shape.ts';
import { changeRecords } from '../../src/engine/table/change.ts';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { type EarlierRecord, isSame, readCurrentValues } from '../graph/write/undo-token.ts';

const UndoneRecords = defineTypedShape('UndoneRecords', 'Result of undoing changes to records.', {
  undone: { type: 'Int', description: 'Number of records whose previous values were restored.' },
  changedSince: {
    type: 'Int',
    description: 'Number of records left unchanged because their values have changed again since.',
  },
  outOfReach: {
    type: 'Int',
    description: 'Number of records that were deleted, or that you may no longer change.',
  },
});

type UndoResult = ValueOf<typeof UndoneRecords>;

export const recordsUndo = defineOperation('recordsUndo', {
  effects: ['writes', 'deletes'],
  policy: { auth: ['USER'], scope: 'write' },
  description:
    "Undoes your changes by restoring the records' previous values, subject to your current access rights. " +
    'Values that have changed again since are kept. Each change is undone completely or not at all.',
  args: (arg) => ({
    token: arg.string({ required: true, description: '`undoToken` of the changes.' }),
  }),
  type: UndoneRecords.ref as object,
  async run(ctx, { token }) {
    const ids = await loadChanges(ctx, token);
    if (ids.length === 0) throw errors.user('This change can no longer be undone.');
    const sum: UndoResult = { undone: 0, changedSince: 0, outOfReach: 0 };
    for (const id of ids) {
      const result = await ctx.tx((tx) => undoStoredChange(tx, id));
      sum.undone += result.undone;
      sum.changedSince += result.changedSince;
      sum.outOfReach += result.outOfReach;
    }
    ctx.loaded.clear();
    return sum;
  },
});

export const recordsUndoable = defineOperation('recordsUndoable', {
  effects: ['reads'],
  policy: { auth: ['USER'], scope: 'read' },
  description:
    'Returns the number of records that were modified by your changes with the given token. Records that ' +
    'already had the new values do not count. A record that was changed twice counts twice.',
  args: (arg) => ({
    token: arg.string({ required: true, description: '`undoToken` of the changes.' }),
  }),
  type: 'Int',
  run(ctx, { token }) {
    return ctx.db.value<number>(
      sql`select coalesce(sum(record_count), 0)::int from svc_record_undo
       where workspace_id = ${ctx.workspace.id} and token = ${token} and user_id = ${ctx.principal!.userId}`,
    );
  },
});

/** Returns the ids of the caller's changes with this undo token, newest first. */
async function loadChanges(ctx: Ctx, token: string): Promise<number[]> {
  const since = new Date(Date.now() - limits.record.undoMinutes * 60_000).toISOString();
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_record_undo where workspace_id = ${ctx.workspace.id} and token = ${token}
     and user_id = ${ctx.principal!.userId} and create_date > ${since}::timestamp order by id desc`,
  );
  return rows.map(({ id }) => id);
}

interface StoredUndo {
  model: string;
  lang: string | null;
  company_id: number | null;
  records: EarlierRecord[];
}

const EMPTY_RESULT: UndoResult = { undone: 0, changedSince: 0, outOfReach: 0 };

/** Undoes a change. Deletes its record first, so that only one of several concurrent requests undoes it. */
async function undoStoredChange(tx: Ctx, id: number): Promise<UndoResult> {
  const [storedUndo] = await tx.db.rows<StoredUndo>(
    sql`delete from svc_record_undo where workspace_id = ${tx.workspace.id} and id = ${id}
     returning model, lang, company_id, records`,
  );
  if (!storedUndo) return EMPTY_RESULT;
  const principal = withCompany(tx.principal!, storedUndo.company_id);
  if (!principal) return { ...EMPTY_RESULT, outOfReach: storedUndo.records.length };
  const model = getModel(tx, storedUndo.model);
  const ctx = tx.with({ principal, context: { ...tx.context, lang: storedUndo.lang, activeTest: false } });
  return undoRecords(ctx, model, storedUndo.records);
}

/**
 * Switches the caller to the company in which the values were changed. Returns null if the caller no longer has access
 * to it.
 */
function withCompany(principal: Principal, companyId: number | null): Principal | null {
  if (companyId === principal.companyId) return principal;
  return companyId !== null && principal.companyIds.includes(companyId) ? { ...principal, companyId } : null;
}

async function undoRecords(ctx: Ctx, model: Model, records: EarlierRecord[]): Promise<UndoResult> {
  assertModelAccess(ctx, model, 'read');
  const ids = records.map((record) => record.id);
  const allowedIds = await filterAllowedIds(ctx, model, ids, 'write', 'no key update');
  const readableIds = await filterReadableIds(ctx, model.name, allowedIds);
  const names = [...new Set(records.flatMap(({ after }) => Object.keys(after)))];
  // Reads as the system, as when the values were stored, because links can refer to records that the caller may not
  // read.
  const now = await readCurrentValues(ctx.system(), model, readableIds, names);
  const presentRecords = records.filter((record) => now.has(record.id));
  const unchangedRecords = presentRecords.filter((record) => isUnchanged(record, now.get(record.id)!));
  const hiddenLinks = await findHiddenLinks(ctx, model, unchangedRecords);
  await changeRecords(
    ctx,
    model,
    unchangedRecords.map((record) => ({ id: record.id, values: toWritableValues(record, hiddenLinks) })),
  );
  return {
    undone: unchangedRecords.length,
    changedSince: presentRecords.length - unchangedRecords.length,
    outOfReach: records.length - presentRecords.length,
  };
}

/** Returns true if the record still has the values that the change set. */
const isUnchanged = ({ after }: EarlierRecord, now: Values): boolean =>
  Object.entries(after).every(([name, value]) => isSame(value, now[name]));

/**
 * Finds many2many links, by field, that the change did not affect and that the caller cannot see. Undoing the change
 * keeps them.
 */
async function findHiddenLinks(
  ctx: Ctx,
  model: Model,
  records: EarlierRecord[],
): Promise<Map<string, Set<number>>> {
  const hiddenLinks = new Map<string, Set<number>>();
  for (const { before, after } of records)
    for (const name of Object.keys(before).filter((key) => model.fields.get(key)?.type === 'many2many')) {
      const currentIds = new Set(after[name] as number[]);
      const matchingIds = (before[name] as number[]).filter((id) => currentIds.has(id));
      hiddenLinks.set(name, new Set([...(hiddenLinks.get(name) ?? []), ...matchingIds]));
    }
  for (const [name, ids] of hiddenLinks)
    for (const id of await filterReadableIds(ctx, model.fields.get(name)!.relation!, [...ids]))
      ids.delete(id);
  return hiddenLinks;
}

/** Converts read values to the format that writes accept. */
const toWritableValues = ({ before }: EarlierRecord, hiddenLinks: Map<string, Set<number>>): Values =>
  Object.fromEntries(
    Object.entries(before).map(([name, value]) => {
      const unseenIds = hiddenLinks.get(name);
      return [name, unseenIds ? [[6, 0, (value as number[]).filter((id) => !unseenIds.has(id))]] : value];
    }),
  );
