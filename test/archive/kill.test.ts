import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createArchiveStream } from '../../schema/base/archive/export-archive.ts';
import { importArchive } from '../../schema/base/archive/import-archive.ts';
import { purgeWorkspace } from '../../schema/base/workspace/delete-workspace.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { SECRET_KEY } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';

vi.setConfig({ testTimeout: 180_000 });

const app = setUpApp();
let dir: string;
let archive: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atrium kill '));
  archive = join(dir, 'main.tar.gz');
  await pipeline(
    createArchiveStream(app.runtime, app.main.ctx.workspace.id, { passphrase: null }),
    createWriteStream(archive),
  );
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Starts a command and kills it (SIGKILL) while it waits for a table that this connection locks. */
async function killWhileWaiting(lock: string, ...args: string[]): Promise<void> {
  const keeper = new Client(app.databaseUrl);
  await keeper.connect();
  try {
    await keeper.query('begin');
    await keeper.query(lock);
    const env = { ...process.env, DATABASE_URL: app.databaseUrl, DATA_DIR: dir, SECRET_KEY };
    const child = spawn(process.execPath, ['boot/cli.mjs', ...args], { env, stdio: 'ignore' });
    const exit = new Promise((resolve) => child.once('exit', resolve));
    const waits = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await app.runtime.db.rows(waits)).length > 0, 'it waits for the table');
    child.kill('SIGKILL');
    await exit;
    expect(child.signalCode).toBe('SIGKILL');
  } finally {
    await keeper.end();
  }
}

test('leaves no file under the final name if the export is killed', async () => {
  const file = join(dir, 'half.tar.gz');
  await killWhileWaiting(
    'lock table res_users in access exclusive mode',
    'workspace',
    'export',
    'main',
    file,
  );
  expect(existsSync(file)).toBe(false);
});

test('leaves no accessible workspace if the import is killed, and deletes its data', async () => {
  await killWhileWaiting(
    'lock table res_groups in share mode',
    'workspace',
    'import',
    archive,
    '--slug',
    'half',
  );
  expect(await app.runtime.identity.workspace('half')).toBeNull();
  const leftovers = await app.runtime.db.rows<{ id: number; slug: string; purge_at: string | null }>(
    sql`select id, slug, purge_at from workspace where slug <> 'main'`,
  );
  expect(leftovers).toEqual([
    { id: expect.any(Number), slug: expect.stringMatching(/^import-/), purge_at: expect.any(String) },
  ]);
  const { id, slug } = leftovers[0]!;
  expect(await app.runtime.identity.workspace(slug)).toBeNull();
  const partners = sql`select 1 from res_partner where workspace_id = ${id}`;
  await until(async () => (await app.runtime.db.rows(partners)).length === 0, 'its transaction is gone');
  const secondImport = await importArchive(app.runtime, archive, {
    slug: 'half',
    passphrase: null,
    keepKeys: false,
  });
  expect(secondImport.slug).toBe('half');
  await purgeWorkspace(app.runtime, id);
  expect(await app.runtime.db.rows(sql`select slug from workspace order by slug`)).toEqual([
    { slug: 'half' },
    { slug: 'main' },
  ]);
});
