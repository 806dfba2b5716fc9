import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchTables } from '../../src/engine/live/watch-tables.ts';
import { limits } from '../../src/limits.ts';
import { type App, startApp } from '../harness/app.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import { subscribe, waitQuiet } from './listen.ts';

// Simulates Citus: `pg_dist_partition` lists the distributed tables, which have no live triggers.

const SPREAD = ['crm_lead', 'sale_order', 'sale_order_line', 'ir_record'];

let app: App;
let admin: JsonClient;
const { resyncPause } = limits.live;

beforeAll(async () => {
  Object.assign(limits.live, { resyncPause: 200 });
  app = await startApp();
  admin = createJsonClient(app);
  const { pool } = app.runtime.db;
  await pool.query(
    'create table pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char")',
  );
  await pool.query(`insert into pg_dist_partition select unnest($1::text[])::regclass, 'h', 's'`, [SPREAD]);
  for (const table of SPREAD)
    for (const action of ['created', 'updated', 'deleted'])
      await pool.query(`drop trigger "live ${action}" on ${table}`);
  await watchTables(app.runtime.db, app.runtime.registry);
});
afterAll(async () => {
  Object.assign(limits.live, { resyncPause });
  await app?.close();
});

const follow = (root: string) =>
  subscribe(app.url, { key: app.main.admin.key, query: `subscription { ${root} { kind id cursor } }` });

const loadChanges = async () => (await app.runtime.db.pool.query('select * from svc_change')).rows;

describe('subscription to a distributed table', () => {
  it('tells its subscribers to reload after any change, while other subscriptions receive the change itself', async () => {
    expect(await admin.create('crm.lead', { name: 'before anybody listens' })).toBeGreaterThan(0);
    expect(await loadChanges()).toEqual([]);
    const leads = await follow('crmLeadChanged');
    const partners = await follow('partnerChanged');
    const id = await admin.create('crm.lead', { name: 'First' });
    expect(await leads.waitForEvents(1)).toMatchObject([{ kind: 'RESYNC', id: null }]);
    const partner = await admin.create('res.partner', { name: 'Of a table with triggers' });
    expect(await partners.waitForEvents(1)).toMatchObject([{ kind: 'CREATED', id: String(partner) }]);
    await admin.value('crm.lead/write', { ids: [id], vals: { name: 'Second' } });
    await leads.waitForEvents(2);
    await admin.value('crm.lead/unlink', { ids: [id] });
    await leads.waitForEvents(3);
    expect(new Set(leads.events.map(({ kind }) => kind))).toEqual(new Set(['RESYNC']));
    leads.close();
    partners.close();
  });

  it('reports cascading deletions', async () => {
    const partner_id = await admin.create('res.partner', { name: 'Buyer' });
    const order = await admin.create('sale.order', {
      partner_id,
      order_line: [[0, 0, { name: 'A line', display_type: 'line_note' }]],
    });
    const lines = await follow('saleOrderLineChanged');
    await admin.value('sale.order/unlink', { ids: [order] });
    expect(await lines.waitForEvents(1)).toMatchObject([{ kind: 'RESYNC' }]);
    lines.close();
  });

  it('ignores rolled-back changes and changes in other workspaces', async () => {
    const otherTenant = await app.tenant('other');
    const leads = await follow('crmLeadChanged');
    const before = (await loadChanges()).length;
    await createJsonClient(app, otherTenant.admin.key).create('crm.lead', { name: 'Of others' });
    await admin.expectRejection('crm.lead/create', {
      vals_list: [{ name: 'x' }, { name: 'y', stage_id: 999_999 }],
    });
    await waitQuiet();
    expect((await loadChanges()).length).toBe(before);
    leads.close();
  });

  it('tells its subscribers to reload after a change to a custom model', async () => {
    const model = await admin.create('ir.model', { name: 'Boat', model: 'x_boat' });
    const boats = await follow('xBoatChanged');
    expect(boats.errors).toEqual([]);
    expect(boats.ended).toBeNull();
    await admin.create('x_boat', { x_name: 'Argo' });
    expect(await boats.waitForEvents(1)).toMatchObject([{ kind: 'RESYNC' }]);
    expect((await loadChanges()).map(({ topic }) => topic)).toContain(`ir_record:${model}`);
    boats.close();
  });
});

it('adds no triggers to distributed tables when the server restarts', async () => {
  await watchTables(app.runtime.db, app.runtime.registry);
  const { rows } = await app.runtime.db.pool.query(
    `select distinct tgrelid::regclass::text as name from pg_trigger
     where tgname like 'live %' and tgrelid = any($1::regclass[])`,
    [SPREAD],
  );
  expect(rows).toEqual([]);
});
