import { expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { setUp } from '../harness/set-up.ts';

const app = setUpApp();
const admin = createJsonClient(app);
const user = setUp(() => createJsonClient(app, app.main.user.key));

const WINDOW = 'ir.actions.act_window';

const findAction = (name: string) => {
  const [module, xml_id] = name.split('.');
  return user.value('ir.model.data/check_object_reference', { module, xml_id });
};

test("gives each app's window actions external ids and lets users read them", async () => {
  const models: Record<string, string> = {
    'base.action_partner_form': 'res.partner',
    'contacts.action_contacts': 'res.partner',
    'base.action_res_users': 'res.users',
    'crm.crm_lead_action_pipeline': 'crm.lead',
    'sale.action_orders': 'sale.order',
    'project.open_view_project_all': 'project.project',
  };
  for (const [name, res_model] of Object.entries(models)) {
    const [model, id] = await findAction(name);
    expect(model).toBe(WINDOW);
    expect(await user.row(WINDOW, id, ['res_model'])).toEqual({ id, res_model });
    expect(await user.row('ir.actions.actions', id, ['type'])).toEqual({ id, type: WINDOW });
  }
});

test('lets administrators, but not users, create window actions for existing models', async () => {
  const id = await admin.create(WINDOW, { name: 'Leads', res_model: 'crm.lead' });
  expect(await admin.row(WINDOW, id, ['view_mode', 'context', 'limit', 'target'])).toEqual({
    id,
    view_mode: 'list,form',
    context: '{}',
    limit: 80,
    target: 'current',
  });
  await admin.expectRejection(`${WINDOW}/create`, { vals_list: [{ name: 'Nothing', res_model: 'no.such' }] });
  await admin.expectRejection(`${WINDOW}/write`, { ids: [id], vals: { res_model: 'no.such' } });
  await user.expectError(403, `${WINDOW}/create`, { vals_list: [{ name: 'Mine', res_model: 'crm.lead' }] });
  await admin.expectError(403, 'ir.actions.actions/unlink', { ids: [id] });
});

test('lets users choose a home action, which is cleared when the action is deleted', async () => {
  const id = await admin.create(WINDOW, { name: 'Home', res_model: 'crm.lead' });
  const { uid } = await user.value('res.users/context_get');
  expect(await user.value('res.users/write', { ids: [uid], vals: { action_id: id } })).toBe(true);
  expect((await user.row('res.users', uid, ['action_id'])).action_id).toEqual([id, 'Home']);
  await user.expectRejection('res.users/write', { ids: [uid], vals: { action_id: 999_999 } });
  expect(await admin.value(`${WINDOW}/unlink`, { ids: [id] })).toBe(true);
  expect((await user.row('res.users', uid, ['action_id'])).action_id).toBe(false);
});
