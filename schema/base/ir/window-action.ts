import { sql } from '../../../src/db/sql.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { addRecords } from '../../../src/engine/write/first-records.ts';

// Actions that graphical clients open: a model, view types and a domain. The server does not execute them.

defineModel('ir.actions.act_window', {
  group: 'data',
  shape: 'IrActionsActWindow',
  order: 'name, id',
  access: { 'base.group_user': 'r', 'base.group_system': 'crwu' },
  prepare: (ctx, list) => {
    for (const { res_model: model } of list) if (typeof model === 'string') getModel(ctx, model);
  },
  beforeUnlink: clearHomeActions,
});

/** Actions of all types, for users' home actions and menus. Only window actions are stored. */
defineModel('ir.actions.actions', {
  group: 'data',
  shape: 'IrActionsActWindow',
  order: 'name, id',
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
});

/** Clears users' references to deleted home actions, which have no foreign key because they can have any type. */
async function clearHomeActions(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`update res_users set action_id = null where workspace_id = ${ctx.workspace.id} and action_id = any(${ids})`,
  );
}

export async function addFirstActions(ctx: Ctx): Promise<void> {
  await addRecords(ctx, 'base', 'ir.actions.act_window', {
    action_partner_form: { name: 'Customers', res_model: 'res.partner', view_mode: 'kanban,list,form' },
    action_res_users: { name: 'Users', res_model: 'res.users', view_mode: 'list,kanban,form' },
    action_res_company_form: { name: 'Companies', res_model: 'res.company' },
    action_country: { name: 'Countries', res_model: 'res.country' },
    action_currency_form: { name: 'Currencies', res_model: 'res.currency' },
  });
  await addRecords(ctx, 'contacts', 'ir.actions.act_window', {
    action_contacts: { name: 'Contacts', res_model: 'res.partner', view_mode: 'kanban,list,form,activity' },
  });
}
