import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrateDatabase } from '../src/db/migrations/migrate.ts';
import { version } from '../src/version.ts';
import { runCli } from './harness/cli.ts';
import { createBareDatabase, createSeededDatabase, type OwnDatabase } from './harness/database.ts';
import { startProcess } from './harness/process.ts';
import { SECRET_KEY } from './harness/tenant.ts';

vi.setConfig({ testTimeout: 120_000 });

let database: OwnDatabase;
let client: pg.Client;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createSeededDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at)
     values ('later', 'x', '29990101000000_later', now(), now())`,
  );
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium newer '));
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY, LOG_LEVEL: 'warn', PORT: '0' };
});
afterAll(async () => {
  await client.end();
  await database.drop();
  rmSync(env.DATA_DIR!, { recursive: true, force: true });
});

const setVersion = (by: string) =>
  client.query(
    `insert into installation (name, value) values ('version', $1)
     on conflict (name) do update set value = excluded.value`,
    [by],
  );

const start = (role: string) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(
      process.execPath,
      ['boot/main.mjs'],
      { env: { ...process.env, ...env, ROLE: role } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, output: out + err }),
    );
  });

const REFUSAL_MESSAGE = `This database was migrated by Atrium 999.1.0, and this is ${version}.`;

test.each(['all', 'web', 'worker'])('rejects a newer database on start as %s', async (role) => {
  await setVersion('999.1.0');
  const { code, output } = await start(role);
  expect([code, output.trim()]).toEqual([
    1,
    `Atrium could not start: ${REFUSAL_MESSAGE} Use 999.1.0 or newer, or restore a backup from before the upgrade. Start with ` +
      '`--force` to ignore this.',
  ]);
});

test('accepts a database from a newer version with --force', async () => {
  await setVersion('999.1.0');
  const server = await startProcess(env, undefined, ['--force']);
  expect(await server.end('SIGTERM')).toBe(0);
});

test('rejects commands that write to a newer database, but allows doctor and backup', async () => {
  await setVersion('999.1.0');
  const listedResult = await runCli(env, 'key', 'list');
  expect([listedResult.code, listedResult.stderr]).toEqual([1, expect.stringContaining(REFUSAL_MESSAGE)]);
  const findings = JSON.parse((await runCli(env, 'doctor', '--json')).stdout);
  const finding = findings.find(({ check }: { check: string }) => check === 'migrations');
  expect(finding).toMatchObject({ state: 'warning', found: expect.stringContaining('Atrium 999.1.0') });
  // A backup reads all workspaces, so its statements are excluded from the statement lint.
  const unrecorded = { ...env, NODE_OPTIONS: '' };
  expect((await runCli(unrecorded, 'backup', join(env.DATA_DIR!, 'a.backup'), '--without-key')).code).toBe(0);
  expect(readdirSync(env.DATA_DIR!)).toContain('a.backup');
});

test('starts despite migrations of an app that was removed from APPS_DIR', async () => {
  await setVersion(version);
  const server = await startProcess(env);
  expect(await server.end('SIGTERM')).toBe(0);
});

test('stores the version that migrated the database', async () => {
  const newDatabase = await createBareDatabase();
  await migrateDatabase(newDatabase.url);
  const pool = new pg.Pool({ connectionString: newDatabase.url });
  const { rows } = await pool.query(`select value from installation where name = 'version'`);
  await pool.end();
  await newDatabase.drop();
  expect(rows).toEqual([{ value: version }]);
});

test('rejects a database from before the first release', async () => {
  const old = await createBareDatabase();
  const init = { name: '20261120000000_init', sql: 'create table thing (id int)', checksum: 'x' };
  await migrateDatabase(old.url, undefined, [init]);
  await expect(migrateDatabase(old.url)).rejects.toThrow(
    'This database was created by an unreleased version of Atrium (migration 20261120000000_init), which no release ' +
      'can upgrade. Start with an empty database.',
  );
  await old.drop();
});
