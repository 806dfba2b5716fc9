import { beforeAll, expect, test } from 'vitest';
import { apps } from '../../apps/index.ts';
import { createKey } from '../../schema/base/keys/keys.ts';
import { addUser, createWorkspace } from '../../schema/base/workspace/create-workspace.ts';
import { sql } from '../../src/db/sql.ts';
import { getPrismaModels, isTenantModel, toTableName } from '../../src/db/tripwire.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { writeDueTime } from '../../src/engine/work/due.ts';
import { listDueKinds } from '../../src/engine/work/due-work.ts';
import { setUpApp } from '../harness/app.ts';
import { avoidMidnight } from '../harness/clock.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';
import { createJsonClient, type JsonClient, json2 } from '../harness/facades/json2.ts';
import { endRemovals } from './removed.ts';

const app = setUpApp({ APP_UNINSTALL: 'on' });
let ctx: Ctx;
let admin: JsonClient;
let key: string;

beforeAll(async () => {
  ctx = await createWorkspace(app.runtime, 'bare', 'Bare', undefined, []);
  const userId = await addUser(ctx, {
    login: 'boss',
    name: 'Boss',
    password: 'the boss of bare',
    admin: true,
  });
  ({ key } = await createKey(ctx, { name: 'boss', userId, scopes: [], days: null }));
  admin = createJsonClient(app, key);
});
avoidMidnight();

const queryGraph = (document: string) => queryData(app, document, { key });

async function remove(name: string): Promise<void> {
  await queryGraph(`mutation { appUninstall(name: "${name}") { changed } }`);
  await endRemovals(ctx);
}

/** Tables that keep their rows after a removal: logs, removal records, blobs that a job collects, and sequences. */
const LOGS =
  /^svc_(app_removal|audit|event|replay|idempotency|change|live|due|mcp|api_key_use|blob)|^res_users_log|^workspace_counter/;

async function readRowCounts(workspace: Ctx): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const model of Object.keys(getPrismaModels()).filter(isTenantModel)) {
    const table = toTableName(model);
    if (LOGS.test(table)) continue;
    const count = await app.runtime.db.value<number>(
      sql`select count(*)::int from ${sql.id(table)} where workspace_id = ${workspace.workspace.id}`,
    );
    if (count > 0) counts[table] = count;
  }
  return counts;
}

const findFirst = async (model: string, domain: unknown[]): Promise<number> =>
  (await admin.value(`${model}/search`, { domain, context: { active_test: false } }))[0];

/** One record per app, of its model with the most dependents. */
const USED: Record<string, { model: string; values: () => object | Promise<object> }> = {
  calendar: {
    model: 'calendar.event',
    values: () => ({ name: 'Roof', start: '2030-03-04 09:00:00', stop: '2030-03-04 10:00:00' }),
  },
  crm: { model: 'crm.lead', values: () => ({ name: 'Roof', type: 'opportunity' }) },
  helpdesk: {
    model: 'helpdesk.ticket',
    values: async () => {
      const [team_id, stage_id] = [
        await findFirst('helpdesk.team', []),
        await findFirst('helpdesk.stage', []),
      ];
      await admin.create('helpdesk.sla', { name: 'Soon', team_id, stage_id, time: 1 });
      return { name: 'Leak', team_id, partner_email: 'c@example.org', tag_ids: [[0, 0, { name: 'Roof' }]] };
    },
  },
  product: { model: 'product.template', values: () => ({ name: 'Tile', list_price: 3 }) },
  project: {
    model: 'project.task',
    values: async () => ({
      name: 'Nail',
      project_id: await admin.create('project.project', { name: 'House' }),
    }),
  },
  sale: {
    model: 'sale.order',
    values: async () => ({
      partner_id: await findFirst('res.partner', []),
      order_line: [[0, 0, { product_id: await findFirst('product.product', []), product_uom_qty: 2 }]],
    }),
  },
};

/** Uses every feature of the model's records. */
async function use(name: string): Promise<void> {
  if (name === 'sale') await admin.create('product.template', { name: 'Tile', list_price: 3 });
  const { model, values } = USED[name]!;
  const id = await admin.create(model, await values());
  const model_id = await findFirst('ir.model', [['model', '=', model]]);
  const partner_model = await findFirst('ir.model', [['model', '=', 'res.partner']]);
  await admin.create('ir.model.fields', { name: 'x_note', ttype: 'char', model_id, index: true });
  await admin.value(`${model}/write`, { ids: [id], vals: { x_note: 'mine' } });
  const field = { model_id: partner_model, relation: model };
  await admin.create('ir.model.fields', { ...field, name: 'x_one_id', ttype: 'many2one' });
  await admin.create('ir.model.fields', { ...field, name: 'x_many_ids', ttype: 'many2many' });
  const related = {
    model_id: partner_model,
    name: 'x_name_of_one',
    ttype: 'char',
    related: 'x_one_id.display_name',
  };
  await admin.value('ir.model.fields/create', { vals_list: [related] }).catch(() => undefined);
  const partner = await findFirst('res.partner', []);
  await admin.value('res.partner/write', {
    ids: [partner],
    vals: { x_one_id: id, x_many_ids: [[6, 0, [id]]] },
  });
  await admin.value(`${model}/message_post`, { ids: [id], body: 'Hello' });
  await admin.create('ir.attachment', { name: 'a.txt', raw: 'text', res_model: model, res_id: id });
  await admin.create('mail.activity', { res_model: model, res_id: id, summary: 'Call' });
  await admin.create('ir.rule', { name: 'mine', model_id, domain_force: "[('id', '>', 0)]" });
  const action = await admin.create('ir.actions.act_window', { name: 'Mine', res_model: model });
  const menu = await admin.create('ir.ui.menu', { name: 'Mine', action: `ir.actions.act_window,${action}` });
  await admin.create('ir.ui.menu', { name: 'Below', parent_id: menu });
}

async function upgradeModule(name: string): Promise<void> {
  await app.runtime.db.rows(
    sql`update ir_module_module set latest_version = '0.1'
     where workspace_id = ${ctx.workspace.id} and name = ${name}`,
  );
  const { appUpgrade } = await queryGraph(`mutation { appUpgrade(name: "${name}") { changed } }`);
  expect(appUpgrade.changed).toEqual([name]);
}

test.for(apps.map(({ name }) => ({ name })))(
  'uses, upgrades, removes and reinstalls $name without leftovers',
  async ({ name }) => {
    const before = await readRowCounts(ctx);
    for (const round of ['first', 'second']) {
      const { appInstall } = await queryGraph(
        `mutation { appInstall(name: "${name}") { app { state } changed } }`,
      );
      expect(appInstall.app.state).toBe('INSTALLED');
      expect(appInstall.changed.at(-1)).toBe(name);
      await use(name);
      if (round === 'first') await upgradeModule(name);
      const needed = [name, ...apps.find((app) => app.name === name)!.depends];
      for (const kind of listDueKinds([name]))
        await writeDueTime(app.runtime.db, ctx.workspace.id, kind, 600_000);
      const appsToInstall = apps.filter((app) => needed.includes(app.name)).toReversed();
      const preview = (
        await queryGraph(
          `{ appPreview(name: "${name}", change: UNINSTALL) { apps rows isPossible models { model records } fields { name } } }`,
        )
      ).appPreview;
      expect(preview).toMatchObject({ apps: [name], isPossible: true });
      expect(
        preview.models.find((model: { model: string }) => model.model === USED[name]!.model).records,
      ).toBe(1);
      for (const item of appsToInstall) {
        await remove(item.name);
        const { app: row } = await queryGraph(`{ app(name: "${item.name}") { state removal { rows } } }`);
        expect(row, round).toEqual({ state: 'UNINSTALLED', removal: null });
      }
      await admin.value('ir.ui.menu/unlink', {
        ids: [await findFirst('ir.ui.menu', [['name', '=', 'Below']])],
      });
      await admin.expectError(404, `${USED[name]!.model}/search`, { domain: [] });
      expect(await readRowCounts(ctx), round).toEqual(before);
      const due = await app.runtime.db.rows(
        sql`select kind from svc_due where workspace_id = ${ctx.workspace.id} and kind = any(${listDueKinds(needed)})`,
      );
      expect(due, round).toEqual([]);
      const values = await app.runtime.db.value<string>(
        sql`select coalesce(string_agg(custom::text, ''), '') from res_partner
         where workspace_id = ${ctx.workspace.id} and custom <> '{}'`,
      );
      expect(values).toBe('');
    }
  },
);

const findModule = (name: string) => findFirst('ir.module.module', [['name', '=', name]]);

test('changes app states through the ir.module.module buttons of classic clients', async () => {
  const ids = [await findModule('sale')];
  const readStates = async () =>
    Object.fromEntries(
      (
        await admin.value('ir.module.module/search_read', {
          domain: [['name', 'in', apps.map(({ name }) => name)]],
          fields: ['name', 'state'],
        })
      ).map(({ name, state }: { name: string; state: string }) => [name, state]),
    );
  const uninstalledStates = Object.fromEntries(apps.map(({ name }) => [name, 'uninstalled']));
  expect(await readStates()).toEqual(uninstalledStates);
  expect(await admin.value('ir.module.module/button_immediate_install', { ids })).toMatchObject({
    tag: 'reload',
  });
  expect(await readStates()).toEqual({
    ...uninstalledStates,
    crm: 'installed',
    product: 'installed',
    sale: 'installed',
  });
  await admin.value('ir.module.module/button_immediate_upgrade', { ids });
  expect(await admin.value('ir.module.module/update_list', {})).toEqual([0, 0]);
  await admin.value('ir.module.module/button_immediate_uninstall', { ids: [await findModule('crm')] });
  await endRemovals(ctx);
  expect(await readStates()).toEqual({ ...uninstalledStates, product: 'installed' });
  await remove('product');
});

test('previews and runs a removal through the uninstall wizard of classic clients', async () => {
  await queryGraph('mutation { appInstall(name: "sale") { changed } }');
  const ids = [await findModule('product')];
  const action = await admin.value('ir.module.module/button_uninstall_wizard', { ids });
  expect(action).toMatchObject({ res_model: 'base.module.uninstall', target: 'new' });
  const open = async (context: object) =>
    (await admin.value('base.module.uninstall/create', { vals_list: [{}], context }))[0];
  const platform = await open({ default_module_ids: [await findModule('base')] });
  await admin.expectError(404, 'base.module.uninstall/action_uninstall', { ids: [platform] });
  const wizard = await open(action.context);
  const fields = ['module_ids', 'impacted_module_ids', 'model_ids'];
  const preview = await admin.read('base.module.uninstall', wizard, fields);
  expect(preview.module_ids).toEqual(ids);
  expect(preview.impacted_module_ids.toSorted()).toEqual([...ids, await findModule('sale')].toSorted());
  const models = await admin.value('ir.model/read', { ids: preview.model_ids, fields: ['model'] });
  const names = models.map(({ model }: { model: string }) => model);
  expect(names).toEqual(expect.arrayContaining(['product.template', 'sale.order']));
  expect(names).not.toContain('crm.lead');
  const typed = await queryGraph(
    `{ baseModuleUninstall(id: "${wizard}") { impactedModules { nodes { name } } } }`,
  );
  expect(typed.baseModuleUninstall.impactedModules.nodes).toContainEqual({ name: 'sale' });

  app.runtime.config.removesApps = false;
  const { message } = await admin.expectRejection('base.module.uninstall/action_uninstall', {
    ids: [wizard],
  });
  app.runtime.config.removesApps = true;
  expect(message).toMatch(/APP_UNINSTALL=on/);
  await createJsonClient(app).expectError(404, 'base.module.uninstall/action_uninstall', { ids: [wizard] });
  expect(await admin.value('base.module.uninstall/action_uninstall', { ids: [wizard] })).toMatchObject({
    tag: 'reload',
  });
  await endRemovals(ctx);
  const installedDomain = [
    ['state', '=', 'installed'],
    ['name', 'in', ['crm', 'product', 'sale']],
  ];
  const installed = await admin.value('ir.module.module/search_read', {
    domain: installedDomain,
    fields: ['name'],
  });
  expect(installed.map(({ name }: { name: string }) => name)).toEqual(['crm']);
  await remove('crm');
});

test('accepts only one of several concurrent removals of an app', async () => {
  await queryGraph('mutation { appInstall(name: "sale") { changed } }');
  const body = { default_module_ids: [await findModule('sale')] };
  const open = async () =>
    (await admin.value('base.module.uninstall/create', { vals_list: [{}], context: body }))[0];
  const firstClient = await open();
  const wizards = [firstClient, firstClient, await open(), await open(), firstClient];
  const answers = await Promise.all(
    wizards.map((id) => json2(app, 'base.module.uninstall/action_uninstall', { ids: [id] }, key)),
  );
  const outcomes = answers.map(({ status, text }) => (status === 200 ? 'removed' : `${status} ${text}`));
  expect(outcomes.filter((outcome) => outcome === 'removed')).toHaveLength(1);
  for (const outcome of outcomes.filter((text) => text !== 'removed'))
    expect(outcome).toMatch(/^422 .*(is already being removed|is not installed)/);
  await endRemovals(ctx);
  await remove('crm');
  await remove('product');
});

test('hides the models, fields and methods of an app that is not installed', async () => {
  await queryGraph('mutation { appInstall(name: "crm") { changed } }');
  await admin.expectError(404, 'sale.order/search_read', { domain: [] });
  await admin.expectError(404, 'sale.order/action_confirm', { ids: [1] });
  expect(await admin.value('crm.lead/fields_get', { attributes: ['type'] })).not.toHaveProperty('order_ids');
  expect(await admin.value('ir.model/search_count', { domain: [['model', '=like', 'sale.%']] })).toBe(0);
  const fields = [
    ['model', '=', 'crm.lead'],
    ['name', 'in', ['name', 'order_ids', 'sale_order_count']],
  ];
  expect(await admin.value('ir.model.fields/search_count', { domain: fields })).toBe(1);
  const { errors } = await postGraphql(app, '{ saleOrders { totalCount } }', { key });
  expect(errors[0]!.message).toMatch(/saleOrders/);
  expect((await queryGraph('{ crmLeads { totalCount } }')).crmLeads.totalCount).toBe(0);
  await remove('crm');
});

test('runs each app migration once per workspace, in one transaction', async () => {
  const crm = apps.find(({ name }) => name === 'crm')!;
  const { version, migrations } = crm;
  await queryGraph('mutation { appInstall(name: "crm") { changed } }');
  const ran: string[] = [];
  let fails = true;
  try {
    crm.version = '1.10';
    crm.migrations = ['1.2', '1.10'].map((item) => ({
      version: item,
      run: async (tx) => {
        ran.push(item);
        await tx.db.rows(
          sql`update crm_stage set sequence = sequence + 1 where workspace_id = ${tx.workspace.id}`,
        );
        if (fails && item === '1.10') throw new Error('not now');
      },
    }));
    const ofApp = '{ app(name: "crm") { version installedVersion changes } }';
    expect((await queryGraph(ofApp)).app).toEqual({
      version: '1.10',
      installedVersion: '1.0',
      changes: ['UPGRADE', 'UNINSTALL'],
    });
    const readSequences = async () =>
      admin.value('crm.stage/search_read', { fields: ['sequence'], order: 'id' });
    const before = await readSequences();
    const upgrade = 'mutation { appUpgrade(name: "crm") { changed app { installedVersion } } }';
    expect((await postGraphql(app, upgrade, { key })).errors).toHaveLength(1);
    expect(await readSequences()).toEqual(before);
    fails = false;
    expect((await queryGraph(upgrade)).appUpgrade).toEqual({
      changed: ['crm'],
      app: { installedVersion: '1.10' },
    });
    expect((await queryGraph(upgrade)).appUpgrade.changed).toEqual([]);
    expect(ran).toEqual(['1.2', '1.10', '1.2', '1.10']);
    expect((await readSequences())[0].sequence).toBe(before[0].sequence + 2);
  } finally {
    Object.assign(crm, { version, migrations });
    await remove('crm');
  }
});

test('previews and installs new dependencies of an upgraded app', async () => {
  const project = apps.find(({ name }) => name === 'project')!;
  const { version, depends } = project;
  await queryGraph('mutation { appInstall(name: "project") { changed } }');
  try {
    Object.assign(project, { version: '1.5', depends: [...depends, 'product'] });
    const { appPreview } = await queryGraph(
      '{ appPreview(name: "project", change: UPGRADE) { apps groups models { model } } }',
    );
    expect(appPreview.apps).toEqual(['product', 'project']);
    expect(appPreview.models).toContainEqual({ model: 'product.template' });
    const { appUpgrade } = await queryGraph('mutation { appUpgrade(name: "project") { changed } }');
    expect(appUpgrade.changed).toEqual(['product', 'project']);
    expect(await admin.value('product.template/search_count', { domain: [] })).toBe(0);
    expect(await admin.value('uom.uom/search_count', { domain: [] })).toBeGreaterThan(0);
    const depended = [['module_id', '=', await findModule('project')]];
    const names = await admin.value('ir.module.module.dependency/search_read', { domain: depended });
    expect(names.map((name: { name: string }) => name.name)).toContain('product');
  } finally {
    Object.assign(project, { version, depends });
    await remove('project');
    await remove('product');
  }
});

test('applies an app setting only in its own workspace', async () => {
  await queryGraph('mutation { appInstall(name: "sale") { changed } }');
  const set = (value: string) =>
    `mutation { appSettingSet(key: "sale.quotation_days", value: ${value}) { value default } }`;
  expect((await queryGraph(set('7'))).appSettingSet).toEqual({ value: 7, default: 30 });
  const readDays = async (calls: JsonClient) => {
    const { validity_date: until } = await calls.value('sale.order/default_get', {
      fields: ['validity_date'],
    });
    return Math.round((Date.parse(until) - Date.parse(new Date().toISOString().slice(0, 10))) / 86_400_000);
  };
  expect(await readDays(admin)).toBe(7);
  expect(await readDays(createJsonClient(app))).toBe(30);
  const { errors } = await postGraphql(app, set('-1'), { key });
  expect(errors[0]!).toMatchObject({
    message: expect.stringMatching(/at least 0/),
    extensions: { code: 'BAD_VALUE' },
  });
  expect((await queryGraph(set('null'))).appSettingSet.value).toBe(30);
  await remove('crm');
  await remove('product');
});

test('lets only administrators change apps, and remove them only if the operator has enabled removal', async () => {
  const change = (name: string) => `mutation { ${name}(name: "crm") { changed } }`;
  for (const name of ['appInstall', 'appUpgrade', 'appUninstall']) {
    const { errors } = await postGraphql(app, change(name), { key: app.main.user.key });
    expect(errors[0]!.extensions.code).toBe('FORBIDDEN');
  }
  app.runtime.config.removesApps = false;
  const { errors } = await postGraphql(app, change('appUninstall'), { key: app.main.admin.key });
  app.runtime.config.removesApps = true;
  expect(errors[0]!.message).toMatch(/APP_UNINSTALL=on/);
  expect(await createJsonClient(app).value('crm.stage/search_count', { domain: [] })).toBeGreaterThan(0);
});
