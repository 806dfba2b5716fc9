import { type Sql, sql } from '../../../../src/db/sql.ts';
import { getModel } from '../../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import type { SqlContext } from '../../../../src/engine/model/field.ts';
import type { Values } from '../../../../src/engine/model/model.ts';
import { errors } from '../../../../src/errors.ts';

export function buildFieldGroupsSql(row: Sql, context: SqlContext): Sql {
  const limited = context
    .models()
    .flatMap((model) =>
      [...model.fields.values()].flatMap((field) =>
        field.groups.map((group) => sql`(${sql.join([model.name, field.name, group].map(sql.literal))})`),
      ),
    );
  return sql`select g.id from res_groups g
    join (values ${sql.join([sql`(null, null, null)`, ...limited])}) l(model, name, id)
      on coalesce(g.external_id, 'group.' || g.id) = l.id
    where g.workspace_id = ${context.workspace} and l.model = ${row}.model and l.name = ${row}.name`;
}

/** Checks that a field's groups exist before it is stored. @throws BAD_VALUE, MISSING, ACCESS_ERROR */
export async function checkFieldGroups(ctx: Ctx, values: Values): Promise<void> {
  const ids = applyGroupCommands(values.groups, []);
  if (ids.length > 0) await assertRowsExist(ctx, getModel(ctx, 'res.groups'), ids, 'read');
}

/** Stores the ids of the groups that may see a field. Deleting a group does not grant access to anyone else. */
export async function storeFieldGroups(ctx: Ctx, ids: number[], { groups }: Values): Promise<void> {
  if (groups === undefined) return;
  const workspace = sql.param(ctx.workspace.id);
  const rows = await ctx.db.rows<{ id: number; before: number[] }>(
    sql`select id, coalesce(group_ids, '{}') as before from ir_model_fields
     where workspace_id = ${workspace} and id = any(${ids})`,
  );
  for (const { id, before } of rows)
    await ctx.db.rows(
      sql`update ir_model_fields set group_ids = ${applyGroupCommands(groups, before)}
       where workspace_id = ${workspace} and id = ${id}`,
    );
}

/** Applies x2many commands, or a plain list of ids, to group ids. @throws BAD_VALUE for any other format */
function applyGroupCommands(commands: unknown, before: number[]): number[] {
  if (!commands) return [];
  if (!Array.isArray(commands)) throw createWrongGroupsError(commands);
  if (commands.length > 0 && commands.every((command) => typeof command === 'number'))
    return parseIds(commands);
  let ids = before;
  for (const command of commands) {
    if (!Array.isArray(command)) throw createWrongGroupsError(command);
    const [code, id, list] = command;
    if (code === 3) ids = ids.filter((item) => item !== id);
    else if (code === 4) ids = [...ids, ...parseIds([id])];
    else if (code === 5) ids = [];
    else if (code === 6) ids = parseIds(list);
    else throw createWrongGroupsError(command);
  }
  return [...new Set(ids)];
}

function parseIds(list: unknown): number[] {
  if (!Array.isArray(list) || !list.every(Number.isInteger)) throw createWrongGroupsError(list);
  return [...new Set(list)];
}

const createWrongGroupsError = (value: unknown) => errors.wrongValue('ir.model.fields', 'groups', value);
