import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { isObject, toStorableJson } from '../../../src/json.ts';

const MAX_STATE_KEYS = 200;
/** Per user. */
const MAX_STATE_BYTES = 32 * 1024;

const UiState = defineTypedShape('UiState', 'Your user interface preferences.', {
  values: {
    type: 'JSON',
    description: 'Data that clients store for you by name, such as pane and column widths.',
  },
});

export const uiState = defineOperation('uiState', {
  effects: ['reads'],
  policy: { auth: ['USER'], scope: 'read' },
  description: 'Returns your user interface preferences, which apply on every device.',
  args: () => ({}),
  type: UiState.ref as object,
  run: async (ctx) => ({ values: await loadValues(ctx) }),
});

export const uiStateSave = defineOperation('uiStateSave', {
  effects: ['writes'],
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Changes the data that clients store for you, and returns all of it. Omitted names keep their values, ' +
    `and names with the value null are deleted. You can store up to ${MAX_STATE_KEYS} names and ` +
    `${MAX_STATE_BYTES} bytes in total.`,
  args: (arg) => ({
    values: arg({ type: 'JSON', required: true, description: 'An object that maps names to values.' }),
  }),
  type: UiState.ref as object,
  run: (ctx, { values }) => ctx.tx((tx) => saveState(tx, values)),
});

/** @throws BAD_VALUE if the input is not an object or exceeds a limit */
async function saveState(ctx: Ctx, state: unknown): Promise<{ values: object }> {
  if (!isObject(state)) throw errors.badValue('values: must be an object');
  const workspace = sql.param(ctx.workspace.id);
  const user = sql.param(ctx.principal!.userId);
  await ctx.db.rows(
    sql`insert into svc_ui_state (workspace_id, user_id) values (${workspace}, ${user}) on conflict do nothing`,
  );
  await ctx.db.rows(
    sql`select 1 from svc_ui_state where workspace_id = ${workspace} and user_id = ${user} for update`,
  );
  const all = Object.entries({ ...(await loadValues(ctx)), ...state }).filter(([, value]) => value !== null);
  if (all.length > MAX_STATE_KEYS)
    throw errors.badValue(`values: must contain at most ${MAX_STATE_KEYS} keys`);
  const values = toStorableJson(Object.fromEntries(all));
  if (Buffer.byteLength(values) > MAX_STATE_BYTES)
    throw errors.badValue(`values: must be at most ${MAX_STATE_BYTES} bytes in total`);
  await ctx.db.rows(
    sql`update svc_ui_state set values = ${values}::jsonb where workspace_id = ${workspace} and user_id = ${user}`,
  );
  return { values: JSON.parse(values) };
}

async function loadValues(ctx: Ctx): Promise<object> {
  const [row] = await ctx.db.rows<{ values: object }>(
    sql`select values from svc_ui_state
     where workspace_id = ${ctx.workspace.id} and user_id = ${ctx.principal!.userId}`,
  );
  return row?.values ?? {};
}
