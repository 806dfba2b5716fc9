import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { createArchiveStream } from '../../schema/base/archive/export-archive.ts';
import { importArchive } from '../../schema/base/archive/import-archive.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { createTestFolder } from '../harness/cleanup.ts';
import { json2 } from '../harness/facades/json2.ts';
import { until } from '../harness/wait.ts';

const app = setUpApp();

/** The planner's number of rows in the table. -1 if the table has never been analyzed. */
const estimateRows = (table: string) =>
  app.runtime.db.value<number>(sql`select reltuples::int8 from pg_class where relname = ${table}`);

const load = (names: string[], model = 'res.partner') =>
  json2(app, `${model}/load`, { fields: ['name'], data: names.map((name) => [name]) }, app.main.admin.key);
const buildNames = (count: number) => Array.from({ length: count }, (_, n) => `Imported ${n}`);

test('updates the statistics of a table after a large import, for this workspace', async () => {
  expect((await load(buildNames(5_000))).json().ids).toHaveLength(5_000);
  await until(async () => (await estimateRows('res_partner')) >= 5_000, 'the table is analyzed');
  const frequency = await app.runtime.db.value<number>(
    sql`select most_common_freqs[array_position(most_common_vals::text::int8[], ${app.main.ctx.workspace.id}::int8)]
      from pg_stats where tablename = 'res_partner' and attname = 'workspace_id'`,
  );
  expect(frequency).toBeGreaterThan(0.9);
});

test('updates the statistics after the import of an archive', async () => {
  const file = join(createTestFolder(), 'main.tar.gz');
  const { id } = app.main.ctx.workspace;
  await pipeline(createArchiveStream(app.runtime, id, { passphrase: null }), createWriteStream(file));
  await importArchive(app.runtime, file, { slug: 'copy', passphrase: null, keepKeys: false });
  expect(await estimateRows('res_partner')).toBeGreaterThanOrEqual(10_000);
});

test('counts the rows of several calls', async () => {
  for (let call = 0; call < 4; call++) await load(buildNames(300), 'res.partner.category');
  await until(async () => (await estimateRows('res_partner_category')) >= 1_200, 'the table is analyzed');
});

test('responds to an import into a table that is locked by a vacuum or a schema change', async () => {
  const { pool } = app.runtime.db;
  const client = await pool.connect();
  try {
    await client.query('begin; lock table crm_lead in share update exclusive mode');
    const response = await load(buildNames(1_000), 'crm.lead');
    expect(response.json().ids, response.text).toHaveLength(1_000);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
