import { type Sql, sql } from '../../../db/sql.ts';
import { errors, truncateJson } from '../../../errors.ts';
import { isObject } from '../../../json.ts';
import { mapYielding } from '../../../loop/yield.ts';
import { assertModelAccess } from '../../access/access.ts';
import { createStatement, getModel } from '../../access/create-statement.ts';
import { assertRowsAllowed, buildLockSql } from '../../access/row-access.ts';
import type { Ctx } from '../../ctx/ctx.ts';
import type { Field } from '../../model/field.ts';
import type { Model, Values } from '../../model/model.ts';
import { buildColumnSql, buildFixedColumnsSql, buildSourceSql } from '../../sql/columns.ts';
import { getMainSource, getTableIdentifier } from '../../sql/statement.ts';
import { buildRuleSql } from '../../sql/where.ts';
import { excludeIds } from '../../value/exclude-ids.ts';
import type { ListFieldValue, RecordWriter } from '../row.ts';
import { setHookValues } from '../values.ts';

type ListCommand = [number, unknown?, unknown?];

interface RecordList {
  writer: RecordWriter;
  model: Model;
  field: Field;
  target: Model;
  owner: number;
  isNew: boolean;
}

interface ListChanges {
  model: Model;
  ids: number[];
  lists: ListFieldValue[];
  isNew: boolean;
}

export async function runListCommands(
  ctx: Ctx,
  writer: RecordWriter,
  { model, ids, lists, isNew }: ListChanges,
): Promise<void> {
  for (const { field, value } of lists) {
    if (field.thread) throw errors.fieldAccess(field.name, model.label, model.name, 'write');
    const commands = await parseListCommands(field, value);
    const target = getModel(ctx, field.relation!);
    for (const owner of ids)
      await applyCommands(ctx, { writer, model, field, target, owner, isNew }, commands);
  }
}

/** Creates consecutive new lines in one batch. */
async function applyCommands(ctx: Ctx, list: RecordList, commands: ListCommand[]): Promise<void> {
  for (let start = 0; start < commands.length; ) {
    let end = start;
    while (commands[end]?.[0] === 0) end++;
    if (end > start)
      await createLines(
        ctx,
        list,
        commands.slice(start, end).map(([, , values]) => values),
      );
    else await applyCommand(ctx, list, commands[end++]!);
    start = end;
  }
}

const COMMAND_ADVICE =
  'Pass the ids of the records, which replace the list, or commands such as [4, id] to add a record.';

/** Accepts commands, a list of ids that replaces the list, or false to clear it. */
async function parseListCommands(field: Field, value: unknown): Promise<ListCommand[]> {
  if (value === false || value === null) return [[5]];
  if (!Array.isArray(value))
    throw errors.badValue(`Invalid value for ${field.name}: must be a list of commands`, {
      advice: COMMAND_ADVICE,
    });
  if (value.length && value.every((item) => typeof item === 'number')) return [[6, 0, value]];
  return mapYielding(value, (item) => {
    if (!Array.isArray(item) || typeof item[0] !== 'number')
      throw errors.badValue(`Invalid command for ${field.name}: ${truncateJson(item)}`, {
        advice: COMMAND_ADVICE,
      });
    return item as ListCommand;
  });
}

async function applyCommand(ctx: Ctx, list: RecordList, [code, id, extra]: ListCommand): Promise<void> {
  const { writer, field, target } = list;
  switch (code) {
    case 1:
      await writer.write(ctx, target.name, [parseCommandId(field, id)], parseCommandValues(field, extra));
      return;
    case 2:
      return deleteLine(ctx, list, parseCommandId(field, id));
    case 3:
      return detachRecords(ctx, list, [parseCommandId(field, id)]);
    case 4:
      return attachRecords(ctx, list, [parseCommandId(field, id)]);
    case 5:
      return list.isNew ? undefined : detachRecords(ctx, list, null);
    case 6:
      return replaceLines(ctx, list, extra);
    default:
      throw errors.badValue(`Unknown command ${code} for ${field.name}`);
  }
}

function parseCommandId(field: Field, id: unknown): number {
  if (typeof id !== 'number' || !Number.isInteger(id))
    throw errors.badValue(`Invalid id in a command for ${field.name}: must be an integer`);
  return id;
}

function parseCommandValues(field: Field, values: unknown): Values {
  if (!isObject(values)) throw errors.badValue(`Invalid command for ${field.name}: values are required`);
  return values;
}

async function createLines(ctx: Ctx, list: RecordList, commands: unknown[]): Promise<void> {
  const { writer, field, target, owner } = list;
  const inverse = field.inverse ? { [field.inverse]: owner } : {};
  const ids = await writer.create(
    ctx,
    target.name,
    await mapYielding(commands, (command) => {
      const values = { ...parseCommandValues(field, command) };
      setHookValues(values, inverse);
      return values;
    }),
  );
  if (field.join) await insertLinks(ctx, list, ids);
}

/** Ignores a line that has already been deleted. */
async function deleteLine(ctx: Ctx, { writer, target }: RecordList, id: number): Promise<void> {
  const allowedIds = await assertRowsAllowed(ctx, target, [id], 'unlink');
  await writer.unlink(ctx, target.name, allowedIds);
}

async function replaceLines(ctx: Ctx, list: RecordList, commands: unknown): Promise<void> {
  const { field } = list;
  if (!Array.isArray(commands)) throw errors.badValue(`Invalid command for ${field.name}: ids are required`);
  const ids = commands.map((id) => parseCommandId(field, id));
  const linkedIds = list.isNew ? [] : await loadLinkedIds(ctx, list);
  const removedIds = excludeIds(linkedIds, ids);
  if (removedIds.length) await detachRecords(ctx, list, removedIds);
  const addedIds = excludeIds(ids, linkedIds);
  if (addedIds.length) await attachRecords(ctx, list, addedIds);
}

interface OwnersLists {
  field: Field;
  target: Model;
  owners: number[];
}

/** Selects the ids that are in the lists and that the caller may read. Locks one2many lines. */
export async function filterLinkedIds(ctx: Ctx, lists: OwnersLists, ids: number[]): Promise<number[]> {
  const lock = lists.field.join ? sql.empty : buildLockSql(lists.target, 'no key update');
  const rows = await ctx.db.rows<{ id: number }>(
    sql`${buildLinkedSql(ctx, lists)} and t.id = any(${ids})${lock}`,
  );
  return rows.map((row) => row.id);
}

/**
 * Loads only readable records, because replacing or clearing a list must keep the records that the caller cannot see
 * (as in Odoo).
 */
async function loadLinkedIds(ctx: Ctx, list: RecordList): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(buildLinkedSql(ctx, toOwnersLists(list)));
  return rows.map((row) => row.id);
}

const toOwnersLists = ({ field, target, owner }: RecordList): OwnersLists => ({
  field,
  target,
  owners: [owner],
});

/** Builds a query for the records in the lists. Excludes records that the caller may not read. */
function buildLinkedSql(ctx: Ctx, { field, target, owners }: OwnersLists): Sql {
  const statement = createStatement(ctx);
  const source = getMainSource(target);
  const isThere = field.join
    ? sql`t.id in (select ${sql.id(field.join.other)} from ${sql.id(field.join.table)}
        where ${buildOwnersSql(ctx, field, owners)})`
    : sql`${buildColumnSql(statement, source, target.fields.get(field.inverse!)!)} = any(${owners})`;
  return sql`select t.id from ${buildSourceSql(statement, source)} and ${isThere}${buildRuleSql(statement, source)}`;
}

const buildOwnersSql = (ctx: Ctx, field: Field, owners: number[]): Sql =>
  sql`workspace_id = ${ctx.workspace.id}${buildFixedColumnsSql(field.join!)}
    and ${sql.id(field.join!.self)} = any(${owners})`;

/** Linking requires read access to the target. A target that the caller cannot see counts as missing. */
async function attachRecords(ctx: Ctx, list: RecordList, ids: number[]): Promise<void> {
  const { writer, field, target, owner } = list;
  if (!field.join) {
    const values = {};
    setHookValues(values, { [field.inverse!]: owner });
    await writer.write(ctx, target.name, ids, values);
    return;
  }
  assertModelAccess(ctx, target, 'read');
  const allowedIds = await assertRowsAllowed(ctx, target, ids, 'read', 'key share');
  const absentIds = excludeIds(ids, allowedIds);
  if (absentIds.length) throw errors.absentLink(field.label, field.name, target.name, absentIds);
  await insertLinks(ctx, list, ids);
}

/** Reads the owner, because Citus routes an insert to the workspace's node if it reads the workspace from a row. */
async function insertLinks(ctx: Ctx, { model, field, owner }: RecordList, ids: number[]): Promise<void> {
  const { table, self, other, fixed } = field.join!;
  const names = sql.join([...Object.keys(fixed), self, other].map((name) => sql.id(name)));
  const columns = Object.values(fixed).map((value) => sql.literal(value));
  const values = sql.join([...columns, sql`o.id`, sql`l.id`]);
  await ctx.db.rows(
    sql`insert into ${sql.id(table)} (workspace_id, ${names})
     select o.workspace_id, ${values} from ${getTableIdentifier(model)} o cross join unnest(${ids}::int8[]) l(id)
     where o.workspace_id = ${ctx.workspace.id} and o.id = ${owner} on conflict do nothing`,
  );
}

/**
 * Removes links that the caller can see: the links to `ids`, or all links if `ids` is null. Deletes a line if its link
 * is required or cascades.
 */
async function detachRecords(ctx: Ctx, list: RecordList, ids: number[] | null): Promise<void> {
  const { writer, field, target, owner } = list;
  if (field.join) {
    const { table, other } = field.join;
    const idsSql = ids ? sql` and t.id = any(${ids})` : sql.empty;
    await ctx.db.rows(
      sql`delete from ${sql.id(table)} where ${buildOwnersSql(ctx, field, [owner])}
        and ${sql.id(other)} in (${buildLinkedSql(ctx, toOwnersLists(list))}${idsSql})`,
    );
    return;
  }
  // Finds the lines in `ids` regardless of access, so that `write` rejects lines that the caller may not change.
  const lines = ids
    ? await filterLinkedIds(ctx.system(), toOwnersLists(list), ids)
    : await loadLinkedIds(ctx, list);
  const inverse = target.fields.get(field.inverse!)!;
  if (inverse.required || inverse.onDelete === 'cascade') await writer.unlink(ctx, target.name, lines);
  else await writer.write(ctx, target.name, lines, { [field.inverse!]: false });
}
