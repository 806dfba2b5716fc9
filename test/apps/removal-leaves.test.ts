import { expect, test } from 'vitest';
import { beginRemoval, resumeRemovals, runRemoval } from '../../schema/base/apps/removal.ts';
import { createKey } from '../../schema/base/keys/keys.ts';
import { addUser } from '../../schema/base/workspace/create-workspace.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp({ APP_UNINSTALL: 'on' });

async function remove({ ctx }: Tenant, name: string): Promise<void> {
  await beginRemoval(ctx, name);
  await runRemoval(app.runtime.db, { workspaceId: ctx.workspace.id, name });
}

test("removes external ids in an app's namespace only together with their records", {
  tags: 'slow',
}, async () => {
  const tenant = await app.tenant('names');
  const { create, value } = createJsonClient(app, tenant.admin.key);
  const name = (model: string, res_id: number) =>
    create('ir.model.data', { module: 'crm', name: model.replaceAll('.', '_'), model, res_id });
  const partner = await create('res.partner', { name: 'Kept' });
  await name('res.partner', partner);
  await name('crm.lead', await create('crm.lead', { name: 'Lead' }));
  const action = await create('ir.actions.act_window', { name: 'Leads', res_model: 'crm.lead' });
  await name('ir.actions.act_window', action);
  const lead = await create('crm.lead', { name: 'Other lead' });
  const file = { name: 'a.txt', raw: 'text', res_model: 'crm.lead', res_id: lead };
  await name('ir.attachment', await create('ir.attachment', file));
  await remove(tenant, 'crm');
  const remainingIds = await value('ir.model.data/search_read', {
    domain: [['module', '=', 'crm']],
    fields: ['name', 'res_id'],
  });
  expect(remainingIds).toEqual([{ id: expect.any(Number), name: 'res_partner', res_id: partner }]);
});

test('denies access under a rule that refers to a removed field, until the app is reinstalled', {
  tags: 'slow',
}, async () => {
  const tenant = await app.tenant('rules');
  const { create, value, read } = createJsonClient(app, tenant.admin.key);
  const userId = await addUser(tenant.ctx, { login: 'clerk', name: 'Clerk', password: 'clerk of the rules' });
  const { key } = await createKey(tenant.ctx, { name: 'clerk', userId, scopes: [], days: null });
  const clerk = createJsonClient(app, key);
  const [model_id] = await value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
  const partner = await create('res.partner', { name: 'Seen' });
  const createRule = (name: string, domain_force: string) =>
    create('ir.rule', { name, model_id, domain_force });
  const lead = { model_id, name: 'x_lead_id', ttype: 'many2one', relation: 'crm.lead' };
  await create('ir.model.fields', lead);
  const lostId = await createRule('Without lead', "[('x_lead_id', '=', False)]");
  const fine = await createRule('Named', "[('name', '!=', False)]");
  const countVisible = () => clerk.value('res.partner/search_count', { domain: [['id', '=', partner]] });
  expect(await countVisible()).toBe(1);

  const preview = '{ appPreview(name: "crm", change: UNINSTALL) { rules { id name } } }';
  expect((await postGraphql(app, preview, { key: tenant.admin.key })).data.appPreview.rules).toEqual([
    { id: String(lostId), name: 'Without lead' },
  ]);
  await remove(tenant, 'crm');
  expect(await countVisible()).toBe(0);
  expect((await read('ir.rule', lostId, ['active', 'fault'])).active).toBe(true);
  expect((await read('ir.rule', lostId, ['fault'])).fault).toMatch(/x_lead_id/);
  expect((await read('ir.rule', fine, ['fault'])).fault).toBe(false);

  const ids = await value('ir.module.module/search', { domain: [['name', '=', 'crm']] });
  await value('ir.module.module/button_immediate_install', { ids });
  await create('ir.model.fields', lead);
  expect((await read('ir.rule', lostId, ['fault'])).fault).toBe(false);
  expect(await countVisible()).toBe(1);
  await remove(tenant, 'crm');
  await value('ir.rule/write', { ids: [lostId], vals: { active: false } });
  expect(await countVisible()).toBe(1);
  await createJsonClient(app, tenant.admin.key).expectError(422, 'ir.rule/write', {
    ids: [lostId],
    vals: { active: true },
  });
  await value('ir.rule/write', { ids: [lostId], vals: { active: true, domain_force: '[]' } });
  expect((await read('ir.rule', lostId, ['fault'])).fault).toBe(false);
  expect(await countVisible()).toBe(1);
});

test('deletes rows inserted during an app removal, but keeps rows inserted after a reinstallation', async () => {
  const tenant = await app.tenant('late');
  const { ctx } = tenant;
  const { value } = createJsonClient(app, tenant.admin.key);
  const { db } = app.runtime;
  const workspaceId = ctx.workspace.id;
  const insertLate = () =>
    db.rows(sql`insert into crm_lead (workspace_id, id, name) values (${workspaceId}, 777, 'Late')`);
  const count = async () =>
    (await db.rows(sql`select 1 from crm_lead where workspace_id = ${workspaceId}`)).length;
  /** Runs the worker's check after the lease has expired. */
  const look = async () => {
    await db.rows(
      sql`update svc_app_removal set leased_until = started_at where workspace_id = ${workspaceId}`,
    );
    await resumeRemovals(db, app.runtime.log);
  };
  const [{ id }] = await value('ir.module.module/search_read', {
    domain: [['name', '=', 'crm']],
    fields: [],
  });
  const install = 'ir.module.module/button_immediate_install';
  await db.transaction(async (tx) => {
    await tx.rows(sql`select 1 from res_partner where workspace_id = ${workspaceId}`);
    await remove(tenant, 'crm');
    await tx.rows(sql`insert into crm_lead (workspace_id, id, name) values (${workspaceId}, 777, 'Late')`);
  });
  const { message } = await createJsonClient(app, tenant.admin.key).expectError(422, install, { ids: [id] });
  expect(message).toMatch(/being removed/);
  await look();
  expect(await count()).toBe(0);
  await value(install, { ids: [id] });
  await insertLate();
  await look();
  expect(await count()).toBe(1);
  await remove(tenant, 'crm');
  expect(await count()).toBe(0);
});
