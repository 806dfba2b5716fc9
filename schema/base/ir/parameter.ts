import { randomUUID } from 'node:crypto';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { create, unlink, write } from '../../../src/engine/write/write.ts';

const MODEL = 'ir.config_parameter';

const BASE_URL_KEY = 'web.base.url';

defineModel(MODEL, {
  group: 'data',
  shape: 'IrConfigParameter',
  display: 'key',
  order: 'key',
  access: { 'base.group_system': 'crwu' },
  audited: true,
  shows: { value: (_column, row, context) => buildParameterValue(row, context.publicUrl()) },
});

/**
 * Builds SQL for the value. Unless a user has changed it, the base URL is the current public URL, which can change
 * after the workspace is created.
 */
const buildParameterValue = (row: Sql, publicUrl: Sql): Sql =>
  sql`case when ${row}.key = ${sql.literal(BASE_URL_KEY)} and ${row}.write_uid is null then ${publicUrl}
    else ${row}.value end`;

const selectParameterValue = ({ runtime }: Ctx): Sql =>
  buildParameterValue(sql`p`, sql`${runtime.config.publicUrl}::text`);

/** Returns the value of a system parameter without an access check. */
export async function findParameter(ctx: Ctx, key: string): Promise<string | null> {
  const [row] = await ctx.db.rows<{ value: string }>(
    sql`select ${selectParameterValue(ctx)} as value from ir_config_parameter p
     where p.workspace_id = ${ctx.workspace.id} and p.key = ${key}`,
  );
  return row?.value ?? null;
}

export const parameterGet = defineOperation('parameterGet', {
  effects: ['reads'],
  address: `${MODEL}/get_param`,
  policy: { auth: ['USER'], scope: 'read', access: [MODEL, 'read'] },
  description: 'Returns the value of a system parameter, or `default` if it is not set.',
  args: (arg) => ({
    key: arg.string({ required: true, description: 'Name of the parameter.' }),
    default: arg({
      type: 'JSON',
      defaultValue: false,
      description: 'Value to return if the parameter is not set.',
    }),
  }),
  type: 'String',
  nullable: true,
  returns: facadeResult.json,
  run: async (ctx, { key, default: fallback }) => {
    if (ctx.mask) return '***';
    return (await findParameter(ctx, key)) ?? fallback;
  },
  answer: (_ctx, value) => toParameterText(value),
});

export const parameterSet = defineOperation('parameterSet', {
  effects: ['writes', 'grants'],
  address: `${MODEL}/set_param`,
  policy: { auth: ['USER'], scope: 'write', access: [MODEL, 'write'] },
  description:
    'Sets a system parameter, or deletes it if the value is false or null. Returns the previous value, or ' +
    'false if it was not set.',
  args: (arg) => ({
    key: arg.string({ required: true, description: 'Name of the parameter.' }),
    value: arg({ type: 'JSON', description: 'New value, stored as text.' }),
  }),
  type: 'String',
  nullable: true,
  returns: facadeResult.json,
  run: (ctx, { key, value }) => ctx.tx((tx) => setParameter(tx, key, value)),
  answer: (_ctx, before) => toParameterText(before),
});

/** Parameters are stored as text. Classic RPC uses false for unset. */
const toParameterText = (value: unknown): string | null => {
  if (value === false || value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** @returns the previous value, or false */
export async function setParameter(ctx: Ctx, key: string, value: unknown): Promise<string | false> {
  assertModelAccess(ctx, getModel(ctx, MODEL), 'write');
  const [row] = await ctx.db.rows<{ id: number; value: string }>(
    sql`select p.id, ${selectParameterValue(ctx)} as value from ir_config_parameter p
     where p.workspace_id = ${ctx.workspace.id} and p.key = ${key} for update`,
  );
  const isNone = value === undefined || value === null || value === false || value === '';
  if (isNone && row) await unlink(ctx, MODEL, [row.id]);
  if (!isNone && row) await write(ctx, MODEL, [row.id], { value });
  if (!isNone && !row) await create(ctx, MODEL, [{ key, value }]);
  return row?.value ?? false;
}

export async function addParameters(ctx: Ctx): Promise<void> {
  const settings = {
    'database.uuid': randomUUID(),
    'database.create_date': new Date().toISOString().slice(0, 19).replace('T', ' '),
    [BASE_URL_KEY]: ctx.runtime.config.publicUrl,
  };
  const ids = await allocateIds(ctx, 'ir_config_parameter', Object.keys(settings).length);
  await ctx.db.rows(
    sql`insert into ir_config_parameter (workspace_id, id, key, value)
     select ${ctx.workspace.id}, (${ids}::int[])[row_number() over ()], key, value
     from jsonb_each_text(${JSON.stringify(settings)}::jsonb)
     on conflict (workspace_id, key) do nothing`,
  );
}
