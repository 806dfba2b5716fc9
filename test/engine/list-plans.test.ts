import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Field, isListField } from '../../src/engine/model/field.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { measureTableUse } from '../harness/table-counters.ts';

// Reading a list costs an index lookup per parent, with and without statistics.

const CONTACTS = 10_000;
const LEADS = 20_000;
const READ = 1_000;

const app = setUpApp();
const admin = createJsonClient(app);
let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  for (const table of ['res_partner', 'crm_lead', 'mail_followers'])
    await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
  const { id } = app.main.ctx.workspace;
  await client.query(
    `insert into res_partner (workspace_id, id, name, complete_name, commercial_partner_id)
     select ${id}, 1000000 + g, 'C' || g, 'C' || g, 1000000 + g from generate_series(1, ${CONTACTS}) g`,
  );
  await client.query(
    `insert into crm_lead (workspace_id, id, name, type, partner_id)
     select ${id}, g, 'L' || g, 'opportunity', 1000001 + g % ${CONTACTS} from generate_series(1, ${LEADS}) g`,
  );
  await client.query(
    `insert into mail_followers (workspace_id, id, res_model, res_id, partner_id)
     select ${id}, g, 'res.partner', 1000000 + g, 1000001 + g % ${CONTACTS} from generate_series(1, ${CONTACTS}) g`,
  );
});
afterAll(() => client?.end());

test.for(['without', 'with'])('finds the records in lists by the parent %s statistics', async (mode) => {
  if (mode === 'with') await client.query('analyze');
  const ids = Array.from({ length: READ }, (_, index) => 1_000_001 + index);
  for (const [table, fields] of [
    ['crm_lead', undefined],
    ['crm_lead', ['opportunity_ids']],
    ['res_partner', ['message_partner_ids']],
    ['mail_followers', ['message_partner_ids']],
  ] as const) {
    const { read } = await measureTableUse(app.runtime.db, table, () =>
      admin.value('res.partner/read', { ids, fields }),
    );
    // One scan of the contacts is allowed.
    expect(read, `${table} ${fields}`).toBeLessThan(2 * CONTACTS);
    expect(read, `${table} ${fields}`).toBeGreaterThanOrEqual(READ);
  }
});

test('finds records by the records in their lists without comparing each with each', async () => {
  await client.query('analyze');
  const { read } = await measureTableUse(app.runtime.db, 'mail_followers', async () => {
    const domain = [['message_partner_ids.name', '=like', 'C1%']];
    expect(await admin.value('res.partner/search_count', { domain })).toBe(1_112);
  });
  expect(read).toBeLessThan(2 * CONTACTS);
});

/** Returns the columns that select the records of a list. Null if a query selects them. */
function getLinkColumns(field: Field, target: Model): { table: string; columns: string[] } | null {
  if (field.computed || target.customId !== null) return null;
  if (field.join)
    return { table: field.join.table, columns: [...Object.keys(field.join.fixed), field.join.self] };
  const columns = field.thread ? [field.thread.model, field.thread.id] : [field.inverse!];
  return target.fields.get(columns[0]!)?.custom ? null : { table: target.table, columns };
}

test('every list has an index on its parent', async () => {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select i.indrelid::regclass::text as table, array_agg(a.attname::text order by k.place) as columns
     from pg_index i cross join unnest(i.indkey) with ordinality k(number, place)
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
     where i.indpred is null group by i.indexrelid, 1`,
  );
  const hasIndex = (table: string, columns: string[]) =>
    rows.some(
      (index) =>
        index.table === table &&
        columns.every((name) => index.columns.slice(0, columns.length).includes(name)),
    );
  const { registry } = app.main.ctx.catalog;
  const missing: string[] = [];
  let count = 0;
  for (const model of registry.values())
    for (const field of model.fields.values()) {
      const target = isListField(field) && registry.get(field.relation!);
      const link = target && getLinkColumns(field, target);
      if (!link) continue;
      count++;
      if (!hasIndex(link.table, ['workspace_id', ...link.columns]))
        missing.push(`${model.name}.${field.name}: ${link.table} (${link.columns})`);
    }
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(100);
});
