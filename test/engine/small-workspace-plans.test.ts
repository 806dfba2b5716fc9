import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, setUpApp } from '../harness/app.ts';
import { measureTableUse, type TableCounters } from '../harness/table-counters.ts';
import type { Tenant } from '../harness/tenant.ts';

// Statistics of shared tables describe the large workspaces. For a workspace that they do not cover, the planner must
// not choose a nested loop over all its rows.

const LARGE = 50_000;
const SMALL = 1_000;

const app = setUpApp();
let smallTenant: Tenant;
let client: pg.Client;

beforeAll(async () => {
  app.runtime.db.recordInserts = () => undefined;
  client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  for (const table of ['res_partner', 'res_partner_category'])
    await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
  const { id } = app.main.ctx.workspace;
  await client.query(
    `insert into res_partner (workspace_id, id, name, complete_name, commercial_partner_id)
     select ${id}, 1000000 + g, 'C' || g, 'C' || g, 1000000 + g from generate_series(1, ${LARGE}) g`,
  );
  await client.query(
    `insert into res_partner_category (workspace_id, id, name)
     select ${id}, 1000000 + g, to_jsonb('C' || g) from generate_series(1, ${LARGE}) g`,
  );
  await client.query('analyze');
  smallTenant = await app.tenant('small');
});
afterAll(() => client?.end());

async function call<T>(path: string, body: object): Promise<T> {
  const answer = await post(`${app.url}/json/2/${path}`, body, smallTenant.admin.key, {
    'x-odoo-database': 'small',
  });
  expect(answer.status, answer.text.slice(0, 500)).toBe(200);
  return answer.json();
}

/** Returns the number of rows of the table that `calls` read. Expects at least `expectedUse`. */
async function readBy(
  table: string,
  expectedUse: Partial<TableCounters>,
  calls: () => Promise<unknown>,
): Promise<number> {
  const use = await measureTableUse(app.runtime.db, table, calls);
  expect(use.read).toBeGreaterThanOrEqual(expectedUse.read ?? 1);
  expect(use.changed).toBeGreaterThanOrEqual(expectedUse.changed ?? 0);
  return use.read;
}

const list = (prefix: string, overrides = {}) =>
  Array.from({ length: SMALL }, (_, i) => ({ name: `${prefix} ${i}`, ...overrides }));

test('creates contacts in a small workspace beside a large one without repeated scans', async () => {
  const rowsRead = await readBy('res_partner', { changed: 4 * SMALL }, async () => {
    await call('res.partner/create', { vals_list: list('A') });
    await call('res.partner/create', { vals_list: list('B') });
  });
  expect(rowsRead).toBeLessThan(50 * SMALL);
});

test("creates and renames a company's contacts without repeated scans", async () => {
  let company = 0;
  const rowsRead = await readBy('res_partner', { changed: 3 * SMALL }, async () => {
    [company] = (await call<number[]>('res.partner/create', {
      vals_list: [{ name: 'Acme', is_company: true }],
    })) as [number];
    await call('res.partner/create', { vals_list: list('D', { parent_id: company }) });
    await call('res.partner/write', { ids: [company], vals: { name: 'New' } });
  });
  expect(rowsRead).toBeLessThan(50 * SMALL);
  const children = await call<{ complete_name: string; commercial_partner_id: [number, string] }[]>(
    'res.partner/search_read',
    {
      domain: [['parent_id', '=', company]],
      fields: ['complete_name', 'commercial_partner_id'],
      limit: 2_000,
    },
  );
  expect(children).toHaveLength(SMALL);
  for (const child of children) {
    expect(child.complete_name).toMatch(/^New, D \d+$/);
    expect(child.commercial_partner_id).toEqual([company, 'New']);
  }
});

test('finds ancestors and descendants of a contact without repeated scans', async () => {
  const [top] = await call<number[]>('res.partner/search', { domain: [['name', '=', 'New']] });
  const rowsRead = await readBy('res_partner', { read: SMALL }, async () => {
    expect(await call('res.partner/search_count', { domain: [['id', 'child_of', [top]]] })).toBe(SMALL + 1);
    expect(await call('res.partner/search_count', { domain: [['id', 'parent_of', [top]]] })).toBe(1);
  });
  expect(rowsRead).toBeLessThan(50 * SMALL);
});

test('creates child tags without repeated scans', async () => {
  const rowsRead = await readBy('res_partner_category', { changed: 2 * SMALL }, async () => {
    const [top] = await call<number[]>('res.partner.category/create', { vals_list: [{ name: 'Top' }] });
    const ids = await call<number[]>('res.partner.category/create', {
      vals_list: list('T', { parent_id: top }),
    });
    await call('res.partner.category/write', { ids, vals: { parent_id: top } });
  });
  expect(rowsRead).toBeLessThan(50 * SMALL);
});
