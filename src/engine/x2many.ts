import { brief, errors } from '../errors.ts';
import { checkModel } from './access.ts';
import type { Ctx } from './ctx.ts';
import type { Field, Model } from './model.ts';
import { checkRows, modelOf } from './records.ts';
import { quote } from './sql.ts';
import { create, unlink, write } from './write.ts';

/** A list field with the commands a caller gave for it: `[0,0,vals] [1,id,vals] [2,id] [3,id] [4,id] [5] [6,0,ids]`. */
export interface ListValue {
  field: Field;
  value: unknown;
}

type Command = [number, unknown?, unknown?];

/** Carries out the commands for each of the records `ids`. */
export async function applyLists(ctx: Ctx, ids: number[], lists: ListValue[]): Promise<void> {
  for (const { field, value } of lists) {
    const commands = commandsOf(field, value);
    const target = modelOf(ctx, field.relation!);
    for (const id of ids) for (const command of commands) await apply(ctx, field, target, id, command);
  }
}

/** A bare list of ids means "these and no others", false means "none". */
function commandsOf(field: Field, value: unknown): Command[] {
  if (value === false || value === null) return [[5]];
  if (!Array.isArray(value))
    throw errors.badValue(`Wrong value for ${field.name}: a list of commands is needed`);
  if (value.length && value.every((item) => typeof item === 'number')) return [[6, 0, value]];
  return value.map((item) => {
    if (!Array.isArray(item) || typeof item[0] !== 'number')
      throw errors.badValue(`Wrong command for ${field.name}: ${brief(item)}`);
    return item as Command;
  });
}

async function apply(
  ctx: Ctx,
  field: Field,
  target: Model,
  owner: number,
  [code, id, extra]: Command,
): Promise<void> {
  switch (code) {
    case 0:
      return createLine(ctx, field, target, owner, extra);
    case 1:
      await write(ctx, target.name, [idOf(field, id)], extra as Record<string, unknown>);
      return;
    case 2:
      return remove(ctx, target, idOf(field, id));
    case 3:
      return detach(ctx, field, target, owner, [idOf(field, id)]);
    case 4:
      return attach(ctx, field, target, owner, [idOf(field, id)]);
    case 5:
      return detach(ctx, field, target, owner, null);
    case 6:
      return replace(ctx, field, target, owner, extra);
    default:
      throw errors.badValue(`Unknown command ${code} for ${field.name}`);
  }
}

function idOf(field: Field, id: unknown): number {
  if (typeof id !== 'number' || !Number.isInteger(id))
    throw errors.badValue(`Wrong id in a command for ${field.name}`);
  return id;
}

async function createLine(
  ctx: Ctx,
  field: Field,
  target: Model,
  owner: number,
  values: unknown,
): Promise<void> {
  if (values === null || typeof values !== 'object' || Array.isArray(values)) {
    throw errors.badValue(`Wrong command for ${field.name}: values are needed`);
  }
  const inverse = field.inverse ? { [field.inverse]: owner } : {};
  const [id] = await create(ctx, target.name, [{ ...values, ...inverse }]);
  if (field.join) await attach(ctx, field, target, owner, [id!]);
}

/** A line that is gone already is what the caller wants. */
async function remove(ctx: Ctx, target: Model, id: number): Promise<void> {
  const there = await checkRows(ctx, target, [id], 'unlink');
  await unlink(ctx, target.name, there);
}

async function replace(ctx: Ctx, field: Field, target: Model, owner: number, wanted: unknown): Promise<void> {
  if (!Array.isArray(wanted)) throw errors.badValue(`Wrong command for ${field.name}: ids are needed`);
  const ids = wanted.map((id) => idOf(field, id));
  const linked = await linkedIds(ctx, field, target, owner);
  const gone = linked.filter((id) => !ids.includes(id));
  if (gone.length) await detach(ctx, field, target, owner, gone);
  const added = ids.filter((id) => !linked.includes(id));
  if (added.length) await attach(ctx, field, target, owner, added);
}

async function linkedIds(ctx: Ctx, field: Field, target: Model, owner: number): Promise<number[]> {
  const { join, inverse } = field;
  const text = join
    ? `select ${quote(join.other)} as id from ${quote(join.table)} where workspace_id = $1 and ${quote(join.self)} = $2`
    : `select id from ${quote(target.table)} where workspace_id = $1 and ${quote(inverse!)} = $2`;
  return (await ctx.db.rows<{ id: number }>(text, [ctx.workspace.id, owner])).map((row) => row.id);
}

/** Links need the right to read what is linked; what the caller cannot see does not exist. */
async function attach(ctx: Ctx, field: Field, target: Model, owner: number, ids: number[]): Promise<void> {
  if (!field.join) {
    await write(ctx, target.name, ids, { [field.inverse!]: owner });
    return;
  }
  checkModel(ctx, target, 'read');
  const found = await checkRows(ctx, target, ids, 'read');
  const absent = ids.filter((id) => !found.includes(id));
  if (absent.length) throw errors.missing(target.name, absent);
  const { table, self, other } = field.join;
  await ctx.db.rows(
    `insert into ${quote(table)} (workspace_id, ${quote(self)}, ${quote(other)}) select $1, $2, unnest($3::int[]) on conflict do nothing`,
    [ctx.workspace.id, owner, ids],
  );
}

/** Drops links; null means all of them. A line whose link is required is deleted. */
async function detach(
  ctx: Ctx,
  field: Field,
  target: Model,
  owner: number,
  ids: number[] | null,
): Promise<void> {
  if (field.join) {
    const { table, self, other } = field.join;
    await ctx.db.rows(
      `delete from ${quote(table)} where workspace_id = $1 and ${quote(self)} = $2 and ($3::int[] is null or ${quote(other)} = any($3))`,
      [ctx.workspace.id, owner, ids],
    );
    return;
  }
  const linked = await linkedIds(ctx, field, target, owner);
  const lines = ids ? linked.filter((id) => ids.includes(id)) : linked;
  if (target.fields.get(field.inverse!)!.required) await unlink(ctx, target.name, lines);
  else await write(ctx, target.name, lines, { [field.inverse!]: false });
}
