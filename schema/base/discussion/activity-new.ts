import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { getToday } from '../../../src/engine/ctx/call-context.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { read } from '../../../src/engine/read/records.ts';
import { setHookValues } from '../../../src/engine/write/values.ts';
import { errors } from '../../../src/errors.ts';
import { findNamedRecord } from '../ir/data.ts';
import { findDocumentModel } from './document.ts';

export async function fillActivityDefaults(ctx: Ctx, list: Values[]): Promise<void> {
  for (const values of list) {
    const target = await findDocumentModel(ctx, values);
    delete values.res_name;
    if (target)
      setHookValues(values, {
        res_model_id: target.id,
        res_model: target.model,
        res_name: await getRecordName(ctx, target.model, values.res_id),
      });
    await fillActivityTypeDefaults(ctx, values);
    values.date_deadline ||= getToday(ctx);
    values.user_id ??= ctx.principal?.userId ?? false;
  }
}

async function getRecordName(ctx: Ctx, model: string, id: unknown): Promise<string | false> {
  if (typeof id !== 'number' || id <= 0) return false;
  const fields = ['display_name'];
  assertModelAccess(ctx, getModel(ctx, model), 'read');
  const rows = (await read(ctx.system(), { model, ids: [id], fields })).value<
    { display_name: string | false }[]
  >();
  if (!rows[0]) throw errors.missing(model, [id], ctx.principal?.userId);
  return rows[0].display_name || false;
}

interface ActivityType {
  id: number;
  summary: string | null;
  note: string | null;
  user: number | null;
  due: string;
}

async function fillActivityTypeDefaults(ctx: Ctx, values: Values): Promise<void> {
  if (!values.activity_type_id)
    values.activity_type_id = (await findNamedRecord(ctx, 'mail', 'mail_activity_data_todo'))?.id ?? false;
  const type = await loadActivityType(ctx, values.activity_type_id);
  if (!type) return;
  values.summary ??= type.summary ?? false;
  values.note ??= type.note ?? false;
  values.date_deadline ||= type.due;
  values.user_id ??= type.user ?? undefined;
}

/** Applies a newly selected type in a form (as in Odoo 19). Unlike a type's defaults, it replaces entered values. */
export async function adjustActivity(ctx: Ctx, values: Values, changed: string[]): Promise<Values> {
  const type = changed.includes('activity_type_id') && (await loadActivityType(ctx, values.activity_type_id));
  if (!type) return {};
  return {
    ...(type.summary && { summary: type.summary }),
    ...(type.note && { note: type.note }),
    date_deadline: type.due,
    user_id: type.user ?? ctx.principal?.userId ?? false,
  };
}

async function loadActivityType(ctx: Ctx, id: unknown): Promise<ActivityType | undefined> {
  if (typeof id !== 'number') return undefined;
  const [type] = await ctx.db.rows<ActivityType>(
    sql`select id, summary, default_note as note, default_user_id as user,
       (${getToday(ctx)}::date + make_interval(days => case delay_unit when 'days' then delay_count else 0 end,
         weeks => case delay_unit when 'weeks' then delay_count else 0 end,
         months => case delay_unit when 'months' then delay_count else 0 end))::date as due
     from mail_activity_type where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  return type;
}
