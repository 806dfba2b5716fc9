import { type Sql, sql } from '../../db/sql.ts';
import { brief, errors } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { mapInTurns } from '../../loop/others-first.ts';
import { checkModel } from '../access/access.ts';
import { modelOf, newStatement } from '../access/reader.ts';
import { checkRows, lockSql } from '../access/row-access.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { columnSql, fixedSql, sourceSql } from '../sql/columns.ts';
import { rowsOf } from '../sql/statement.ts';
import { ruleSql } from '../sql/where.ts';
import { idsWithout } from '../value/ids-without.ts';
import type { ListValue, Writer } from './row.ts';
import { setOwn } from './values.ts';

type Command = [number, unknown?, unknown?];

/** A list of one record. */
interface List {
  writer: Writer;
  field: Field;
  target: Model;
  owner: number;
  /** The record has just been made: nothing is linked yet. */
  isNew: boolean;
}

/** Lists of some records, as they were given. */
interface Lists {
  model: Model;
  ids: number[];
  lists: ListValue[];
  isNew: boolean;
}

/** Carries out the commands for each of the records. */
export async function applyLists(
  ctx: Ctx,
  writer: Writer,
  { model, ids, lists, isNew }: Lists,
): Promise<void> {
  for (const { field, value } of lists) {
    if (field.thread) throw errors.fieldAccess(field.name, model.label, model.name, 'write');
    const commands = await commandsOf(field, value);
    const target = modelOf(ctx, field.relation!);
    for (const owner of ids) await applyAll(ctx, { writer, field, target, owner, isNew }, commands);
  }
}

/** New lines that follow each other are created together. */
async function applyAll(ctx: Ctx, list: List, commands: Command[]): Promise<void> {
  for (let at = 0; at < commands.length; ) {
    let end = at;
    while (commands[end]?.[0] === 0) end++;
    if (end > at)
      await createLines(
        ctx,
        list,
        commands.slice(at, end).map(([, , values]) => values),
      );
    else await apply(ctx, list, commands[end++]!);
    at = end;
  }
}

/** A bare list of ids means "these and no others", false means "none". */
async function commandsOf(field: Field, value: unknown): Promise<Command[]> {
  if (value === false || value === null) return [[5]];
  if (!Array.isArray(value))
    throw errors.badValue(`Wrong value for ${field.name}: a list of commands is needed`);
  if (value.length && value.every((item) => typeof item === 'number')) return [[6, 0, value]];
  return mapInTurns(value, (item) => {
    if (!Array.isArray(item) || typeof item[0] !== 'number')
      throw errors.badValue(`Wrong command for ${field.name}: ${brief(item)}`);
    return item as Command;
  });
}

async function apply(ctx: Ctx, list: List, [code, id, extra]: Command): Promise<void> {
  const { writer, field, target } = list;
  switch (code) {
    case 1:
      await writer.write(ctx, target.name, [idOf(field, id)], valuesOf(field, extra));
      return;
    case 2:
      return remove(ctx, list, idOf(field, id));
    case 3:
      return detach(ctx, list, [idOf(field, id)]);
    case 4:
      return attach(ctx, list, [idOf(field, id)]);
    case 5:
      return list.isNew ? undefined : detach(ctx, list, null);
    case 6:
      return replace(ctx, list, extra);
    default:
      throw errors.badValue(`Unknown command ${code} for ${field.name}`);
  }
}

function idOf(field: Field, id: unknown): number {
  if (typeof id !== 'number' || !Number.isInteger(id))
    throw errors.badValue(`Wrong id in a command for ${field.name}`);
  return id;
}

function valuesOf(field: Field, values: unknown): Values {
  if (!isObject(values)) throw errors.badValue(`Wrong command for ${field.name}: values are needed`);
  return values;
}

async function createLines(ctx: Ctx, list: List, given: unknown[]): Promise<void> {
  const { writer, field, target, owner } = list;
  const inverse = field.inverse ? { [field.inverse]: owner } : {};
  const ids = await writer.create(
    ctx,
    target.name,
    await mapInTurns(given, (given) => {
      const values = { ...valuesOf(field, given) };
      setOwn(values, inverse);
      return values;
    }),
  );
  if (field.join) await link(ctx, list, ids);
}

/** A line that is gone already is what the caller wants. */
async function remove(ctx: Ctx, { writer, target }: List, id: number): Promise<void> {
  const there = await checkRows(ctx, target, [id], 'unlink');
  await writer.unlink(ctx, target.name, there);
}

async function replace(ctx: Ctx, list: List, wanted: unknown): Promise<void> {
  const { field } = list;
  if (!Array.isArray(wanted)) throw errors.badValue(`Wrong command for ${field.name}: ids are needed`);
  const ids = wanted.map((id) => idOf(field, id));
  const linked = list.isNew ? [] : await linkedIds(ctx, list);
  const gone = idsWithout(linked, ids);
  if (gone.length) await detach(ctx, list, gone);
  const added = idsWithout(ids, linked);
  if (added.length) await attach(ctx, list, added);
}

/** Lists of some records in one field. */
interface ListsOf {
  field: Field;
  target: Model;
  owners: number[];
}

/** Those of `ids` that are in the lists and that the caller may read; lines are locked. */
export async function linkedAmong(ctx: Ctx, lists: ListsOf, ids: number[]): Promise<number[]> {
  const lock = lists.field.join ? sql.empty : lockSql(lists.target, 'no key update');
  const rows = await ctx.db.rows<{ id: number }>(sql`${linkedSql(ctx, lists)} and t.id = any(${ids})${lock}`);
  return rows.map((row) => row.id);
}

/** Only what the caller may read: a list that it replaces or clears keeps what it does not see, as in Odoo. */
async function linkedIds(ctx: Ctx, list: List): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(linkedSql(ctx, listsOf(list)));
  return rows.map((row) => row.id);
}

const listsOf = ({ field, target, owner }: List): ListsOf => ({ field, target, owners: [owner] });

/** The records in the lists that the caller may read. */
function linkedSql(ctx: Ctx, { field, target, owners }: ListsOf): Sql {
  const statement = newStatement(ctx);
  const source = rowsOf(target);
  const isThere = field.join
    ? sql`t.id in (select ${sql.id(field.join.other)} from ${sql.id(field.join.table)}
        where ${ofOwners(ctx, field, owners)})`
    : sql`${columnSql(statement, source, target.fields.get(field.inverse!)!)} = any(${owners})`;
  return sql`select t.id from ${sourceSql(statement, source)} and ${isThere}${ruleSql(statement, source)}`;
}

/** The links of a many2many that are those of some records. */
const ofOwners = (ctx: Ctx, field: Field, owners: number[]): Sql =>
  sql`workspace_id = ${ctx.workspace.id}${fixedSql(field)} and ${sql.id(field.join!.self)} = any(${owners})`;

/** Links need the right to read what is linked; what the caller cannot see does not exist. */
async function attach(ctx: Ctx, list: List, ids: number[]): Promise<void> {
  const { writer, field, target, owner } = list;
  if (!field.join) {
    const values = {};
    setOwn(values, { [field.inverse!]: owner });
    await writer.write(ctx, target.name, ids, values);
    return;
  }
  checkModel(ctx, target, 'read');
  const found = await checkRows(ctx, target, ids, 'read', 'key share');
  const absent = idsWithout(ids, found);
  if (absent.length) throw errors.absentLink(field.label, field.name, target.name, absent);
  await link(ctx, list, ids);
}

async function link(ctx: Ctx, { field, owner }: List, ids: number[]): Promise<void> {
  const { table, self, other, fixed } = field.join!;
  const names = sql.join([...Object.keys(fixed), self, other].map((name) => sql.id(name)));
  const same = Object.values(fixed).map((value) => sql.literal(value));
  const values = sql.join([...same, sql`${owner}::int8`, sql`unnest(${ids}::int8[])`]);
  await ctx.db.rows(
    sql`insert into ${sql.id(table)} (workspace_id, ${names})
     select ${ctx.workspace.id}::int, ${values} on conflict do nothing`,
  );
}

/** Drops links that the caller sees; null means all of them. A line whose link is required is deleted. */
async function detach(ctx: Ctx, list: List, ids: number[] | null): Promise<void> {
  const { writer, field, target, owner } = list;
  if (field.join) {
    const { table, other } = field.join;
    const among = ids ? sql` and t.id = any(${ids})` : sql.empty;
    await ctx.db.rows(
      sql`delete from ${sql.id(table)} where ${ofOwners(ctx, field, [owner])}
        and ${sql.id(other)} in (${linkedSql(ctx, listsOf(list))}${among})`,
    );
    return;
  }
  // A line that is named and out of reach is refused where it is written.
  const lines = ids ? await linkedAmong(ctx.system(), listsOf(list), ids) : await linkedIds(ctx, list);
  const inverse = target.fields.get(field.inverse!)!;
  if (inverse.required || inverse.onDelete === 'cascade') await writer.unlink(ctx, target.name, lines);
  else await writer.write(ctx, target.name, lines, { [field.inverse!]: false });
}
