import { beforeAll, expect, test } from 'vitest';
import { beginRemoval, runRemoval } from '../../schema/base/apps/removal.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { cleanUp } from '../harness/cleanup.ts';
import { createJsonClient, json2 } from '../harness/facades/json2.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { SECRET_KEY, type Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';

const app = setUpApp({ APP_UNINSTALL: 'on' });
let otherTenant: Tenant;

beforeAll(async () => {
  otherTenant = await app.tenant('other');
});

async function serve(): Promise<AppProcess> {
  const server = await startProcess({ DATABASE_URL: app.databaseUrl, SECRET_KEY, APP_UNINSTALL: 'on' });
  cleanUp(() => server.end('SIGKILL'));
  return server;
}

const countLeads = ({ ctx }: Tenant): Promise<number> =>
  app.runtime.db.value<number>(
    sql`select count(*)::int from crm_lead where workspace_id = ${ctx.workspace.id}`,
  );

const addLeads = ({ ctx }: Tenant, count: number) =>
  app.runtime.db.rows(
    sql`insert into crm_lead (workspace_id, id, name) select ${ctx.workspace.id}, n + 1000, 'Lead ' || n
     from generate_series(1, ${count}::int) n`,
  );

const getModuleState = ({ ctx }: Tenant): Promise<string> =>
  app.runtime.db.value<string>(
    sql`select state from ir_module_module where workspace_id = ${ctx.workspace.id} and name = 'crm'`,
  );

test('resumes a removal in another process if its process is killed, without affecting other workspaces', {
  tags: 'soak',
}, async () => {
  await addLeads(app.main, 20_000);
  await addLeads(otherTenant, 700);
  const server = await serve();
  const call = json2(
    server,
    'ir.module.module/search',
    { domain: [['name', '=', 'crm']] },
    app.main.admin.key,
  );
  const ids = (await call).json();
  const press = json2(server, 'ir.module.module/button_immediate_uninstall', { ids }, app.main.admin.key);
  press.catch(() => undefined);
  await until(async () => {
    const leadCount = await countLeads(app.main);
    return leadCount > 0 && leadCount < 20_000;
  }, 'some rows are gone');
  await server.end('SIGKILL');
  expect(await getModuleState(app.main)).toBe('to remove');
  await createJsonClient(app).expectError(404, 'crm.lead/search', { domain: [] });
  const workspaceId = app.main.ctx.workspace.id;
  await until(async () => {
    await runRemoval(app.runtime.db, { workspaceId, name: 'crm' });
    return (await getModuleState(app.main)) === 'uninstalled';
  }, 'another process has ended it');
  expect(await countLeads(app.main)).toBe(0);
  expect(await countLeads(otherTenant)).toBe(700);
  expect(await getModuleState(otherTenant)).toBe('installed');
  expect(
    await createJsonClient(app, otherTenant.admin.key).value('crm.lead/search_count', { domain: [] }),
  ).toBe(700);
});

test('rolls back an installation whose process is killed, and succeeds on the next attempt', {
  tags: 'soak',
}, async () => {
  await app.runtime.db.rows(
    sql`create function wait_here() returns trigger language plpgsql as
     'begin perform pg_sleep(60); return new; end'`,
  );
  await app.runtime.db.rows(
    sql`create trigger wait_here before insert on crm_stage for each row when (new.workspace_id > 0)
       execute function wait_here()`,
  );
  const server = await serve();
  const install = { query: 'mutation { appInstall(name: "crm") { changed } }' };
  const request = json2(server, 'res.users/context_get', {}, app.main.admin.key);
  expect((await request).status).toBe(200);
  void fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${app.main.admin.key}` },
    body: JSON.stringify(install),
  }).catch(() => undefined);
  const waitingSql = sql`select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
  await until(async () => (await app.runtime.db.rows(waitingSql)).length > 0, 'it is in the middle');
  await server.end('SIGKILL');
  await app.runtime.db.rows(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
     where wait_event = 'PgSleep' and datname = current_database()`,
  );
  await until(async () => (await app.runtime.db.rows(waitingSql)).length === 0, 'its connection is gone');
  await app.runtime.db.rows(sql`drop trigger wait_here on crm_stage -- workspace_id`);
  expect(await getModuleState(app.main)).toBe('uninstalled');
  const admin = createJsonClient(app);
  expect(
    await admin.value('res.groups/search_count', { domain: [['external_id', '=like', 'sales_team.%']] }),
  ).toBe(0);
  const ids = await admin.value('ir.module.module/search', { domain: [['name', '=', 'crm']] });
  await admin.value('ir.module.module/button_immediate_install', { ids });
  expect(await admin.value('crm.stage/search_count', { domain: [] })).toBe(4);
});

test('removes an app whose rows contain circular and forward references', {
  tags: 'slow',
}, async () => {
  const circles = await app.tenant('circles');
  const calls = createJsonClient(app, circles.admin.key);
  await calls.create('calendar.event', {
    name: 'Daily',
    start: '2030-03-04 09:00:00',
    stop: '2030-03-04 10:00:00',
    recurrency: true,
    rrule_type: 'daily',
    end_type: 'count',
    count: 3,
  });
  const project = await calls.create('project.project', { name: 'House' });
  const workspaceId = circles.ctx.workspace.id;
  await app.runtime.db.rows(
    sql`insert into project_task (workspace_id, id, name, project_id, parent_id)
     select ${workspaceId}, 10000 + n, 'Task ' || n, ${project}, case when n < 600 then 20000 - n end
     from (select generate_series(0, 600) union select generate_series(9400, 10000)) numbers (n)`,
  );
  for (const name of ['calendar', 'project']) {
    await beginRemoval(circles.ctx, name);
    await runRemoval(app.runtime.db, { workspaceId, name });
  }
  const states = await calls.value('ir.module.module/search_read', {
    domain: [['name', 'in', ['calendar', 'project']]],
    fields: ['state'],
  });
  expect(states.map(({ state }: { state: string }) => state)).toEqual(['uninstalled', 'uninstalled']);
  expect(await calls.value('ir.model/search_count', { domain: [['model', '=', 'project.task']] })).toBe(0);
});

test('keeps a field and its values if only its name matches a removed field', async () => {
  const { ctx, admin } = await app.tenant('namesakes');
  const calls = createJsonClient(app, admin.key);
  const models: number[] = [];
  for (const model of ['x_roof', 'x_tile'])
    models.push(await calls.create('ir.model', { name: model, model }));
  const createField = (index: number, values: object) =>
    calls.create('ir.model.fields', { model_id: models[index], name: 'x_ref', ...values });
  await createField(0, { ttype: 'many2one', relation: 'crm.lead' });
  await createField(1, { ttype: 'char' });
  const lead = await calls.create('crm.lead', { name: 'Lead' });
  const roof = await calls.create('x_roof', { x_name: 'Roof', x_ref: lead });
  const tile = await calls.create('x_tile', { x_name: 'Tile', x_ref: 'mine' });
  await beginRemoval(ctx, 'crm');
  await runRemoval(app.runtime.db, { workspaceId: ctx.workspace.id, name: 'crm' });
  expect(await calls.read('x_tile', tile, ['x_ref'])).toMatchObject({ x_ref: 'mine' });
  expect(await calls.read('x_roof', roof, [])).not.toHaveProperty('x_ref');
});

test('rejects installing or removing an app that is being removed', async () => {
  await beginRemoval(otherTenant.ctx, 'project');
  await expect(beginRemoval(otherTenant.ctx, 'project')).rejects.toThrow('already being removed');
  const admin = createJsonClient(app, otherTenant.admin.key);
  const ids = await admin.value('ir.module.module/search', { domain: [['name', '=', 'project']] });
  const { message } = await admin.expectError(422, 'ir.module.module/button_immediate_install', { ids });
  expect(message).toContain('being removed');
});
