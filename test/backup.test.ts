import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve as resolvePath } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { writeAtomically } from '../src/db/backup/atomic-file.ts';
import { writePieces } from '../src/db/backup/backup-file.ts';
import { type App, startApp } from './harness/app.ts';
import { cleanUp, createTestFolder } from './harness/cleanup.ts';
import { type CliResult, runCli, runCliProcess } from './harness/cli.ts';
import { createBareDatabase } from './harness/database.ts';
import { createJsonClient, json2 } from './harness/facades/json2.ts';
import { type AppProcess, startProcess } from './harness/process.ts';
import { SECRET_KEY } from './harness/tenant.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 240_000 });

/** Starts an application. Returns it with the environment and the file of its backups. */
async function startSource() {
  const app = await startApp();
  cleanUp(() => app.close());
  const env = { ...app.env, DATA_DIR: createTestFolder() };
  return { app, env, file: join(createTestFolder(), 'a.backup') };
}

async function createDatabase(): Promise<string> {
  const database = await createBareDatabase();
  cleanUp(database.drop);
  return database.url;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  cleanUp(() => client.end());
  return client;
}

const CLI = resolvePath('boot/cli.mjs');

/** Runs a command with only this environment, in a separate folder. */
const runCliIn = (cwd: string, env: Record<string, string>, ...args: string[]) =>
  new Promise<CliResult>((resolve) => {
    const options = { cwd, env: { PATH: process.env.PATH!, ...env } };
    execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });

async function runCommand(env: Record<string, string>, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runCli(env, ...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

const BACKUP_PASSPHRASE = 'open sesame, twice';

async function loadContents(client: pg.Client): Promise<Record<string, unknown>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const contents: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await client.query(
      `select count(*)::int as rows, md5(string_agg(t::text, e'\\n' order by t::text)) as hash from "${name}" t`,
    );
    contents[name] = rows[0];
  }
  return contents;
}

/** Returns constraints, triggers with their state, indexes, and sequences. */
async function loadConstraints(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(
    `select conrelid::regclass::text as owner, pg_get_constraintdef(oid) as definition from pg_constraint
       where connamespace = 'public'::regnamespace
     union all select tgrelid::regclass::text, tgname::text || tgenabled::text from pg_trigger where not tgisinternal
     union all select tablename, indexdef from pg_indexes where schemaname = 'public'
     union all select sequencename, coalesce(last_value::text, 'none') from pg_sequences where schemaname = 'public'
     order by 1, 2`,
  );
  return rows;
}

async function fill(app: App): Promise<void> {
  const calls = createJsonClient(app);
  const strange = 'tab\t newline\n backslash \\ \\N quote \' " ünï \u2028 \u{1f600}';
  await calls.create('res.partner', { name: strange });
  const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * i) % 251));
  await calls.create('ir.attachment', { name: 'bytes', datas: bytes.toString('base64') });
  await calls.create('ir.model', { name: 'Tree', model: 'x_tree' });
  await calls.create('x_tree', { x_name: strange });
  await app.runtime.jobs.enqueue(app.runtime, 'provider-unsuppress', { address: 'a@example.org' });
}

test('restores every table with its references, triggers, sequences and jobs', async () => {
  const { app, file, env } = await startSource();
  await fill(app);
  await runCommand(env, 'seed', 'demo', '--workspace', 'main');
  const backup = await runCommand({ ...env, BACKUP_PASSPHRASE }, 'backup', file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(file))).toEqual(['a.backup']);

  const url = await createDatabase();
  const otherEnv = { DATABASE_URL: url, DATA_DIR: createTestFolder(), BACKUP_PASSPHRASE };
  const restored = await runCommand(otherEnv, 'restore', file);
  expect(restored).toMatchObject({ tables: backup.tables, rows: backup.rows });
  const [before, after] = [await connect(app.databaseUrl), await connect(url)];
  const contents = await loadContents(after);
  // The changes that resume live streams refer to transaction ids of the old server.
  expect({ ...contents, svc_change: null }).toEqual({ ...(await loadContents(before)), svc_change: null });
  expect(Object.keys(contents).length - 1).toBe(backup.tables);
  expect(contents.svc_change).toMatchObject({ rows: 0 });
  // Any start on a database creates the triggers of tables added later.
  await runCommand({ ...otherEnv, SECRET_KEY }, 'workspace', 'list');
  expect(await loadConstraints(after)).toEqual(await loadConstraints(before));
  const jobs = `select name, data from pgboss.job where data <> '{}'::jsonb`;
  expect((await after.query(jobs)).rows).toEqual((await before.query(jobs)).rows);
  expect(readFileSync(join(otherEnv.DATA_DIR, 'secret.key'), 'utf8')).toBe(SECRET_KEY);

  expect(await runCommand({ ...otherEnv, SECRET_KEY }, 'blob', 'check')).toMatchObject({
    bytes: 3_000_000,
    missing: 0,
    wrong: 0,
  });

  const second = await runCli(otherEnv, 'restore', file);
  expect(second).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The database is not empty.*\n$/) });
});

test('restores a backup of a running embedded database, including its keys and mail, to a new server', {
  tags: 'soak',
}, async () => {
  const [source, target] = [
    { DATA_DIR: createTestFolder(), BACKUP_PASSPHRASE },
    { DATA_DIR: createTestFolder(), BACKUP_PASSPHRASE },
  ];
  const app = await startProcess(source);
  cleanUp(() => app.end('SIGKILL'));
  const [team] = /us_[0-9a-z]{10}_[0-9a-f]{32}/.exec(app.output())!;
  const [user] = /uk_[0-9a-z]{10}_[0-9a-f]{32}/.exec(app.output())!;
  const mail = { from: 'a@main.localhost', to: 'b@example.org', subject: 's', text: 't' };
  const headers = { authorization: `Bearer ${team}`, 'content-type': 'application/json' };
  const send = async ({ url }: AppProcess): Promise<string> => {
    const response = await fetch(`${url}/api/v1/emails`, {
      method: 'POST',
      headers,
      body: JSON.stringify(mail),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { emailId: string }).emailId;
  };
  const before = [await send(app), await send(app)];
  let isWriting = true;
  const writer = (async () => {
    for (let n = 0; isWriting; n++)
      await json2(app, 'res.partner/create', { vals_list: [{ name: `p ${n}` }] }, user);
  })();
  const file = join(createTestFolder(), 'live.backup');
  await runCommand(source, 'backup', file);
  isWriting = false;
  await writer;
  expect(await app.end('SIGTERM')).toBe(0);

  await runCommand(target, 'restore', file);
  const next = await startProcess(target);
  cleanUp(() => next.end('SIGTERM'));
  const readStatus = async (id: string) =>
    ((await (await fetch(`${next.url}/api/v1/emails/${id}`, { headers })).json()) as { latestStatus: string })
      .latestStatus;
  for (const id of [...before, await send(next)]) await expect.poll(() => readStatus(id)).toBe('DELIVERED');
  const response = await json2(next, 'res.partner/create', { vals_list: [{ name: 'after' }] }, user);
  expect(response.status, response.text).toBe(200);
  const secrets = [source, target].map(({ DATA_DIR }) => readFileSync(join(DATA_DIR, 'secret.key'), 'utf8'));
  expect(secrets[0]).toBe(secrets[1]);
});

test('creates backups readable only by the owner and deletes files left by killed commands', async () => {
  const file = join(createTestFolder(), 'b.backup');
  const [abandoned, current, other, foreign] = [
    `${file}.11.atrium-part`,
    `${file}.12.atrium-part`,
    `${file}2.13.atrium-part`,
    `${file}.14.part`,
  ];
  const long = new Date(Date.now() - 2 * 3_600_000);
  for (const draft of [abandoned, current, other, foreign]) writeFileSync(draft, 'all data');
  for (const draft of [abandoned, other, foreign]) utimesSync(draft, long, long);
  await writeAtomically(file, [Readable.from(['whole'])]);
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['whole', 0o600]);
  expect([abandoned, current, other, foreign].map((draft) => existsSync(draft))).toEqual([
    false,
    true,
    false,
    true,
  ]);
  const failingReadable = Readable.from(
    (async function* () {
      yield 'half';
      throw new Error('the disk is full');
    })(),
  );
  await expect(writeAtomically(`${file}.second`, [failingReadable])).rejects.toThrow('the disk is full');
  expect(readdirSync(dirname(file)).filter((name) => name.includes('second'))).toEqual([]);
});

test('restores nothing from a damaged backup, so that an intact one can still be restored', async () => {
  const { file, env } = await startSource();
  await runCommand(env, 'backup', file, '--without-key');
  const otherEnv = { ...env, DATABASE_URL: await createDatabase() };
  const truncatedFile = `${file}.cut`;
  writeFileSync(truncatedFile, readFileSync(file));
  truncateSync(truncatedFile, Math.floor(statSync(file).size * 0.8));
  const changed = `${file}.changed`;
  const bytes = readFileSync(file);
  bytes[Math.floor(bytes.length * 0.7)]! ^= 1;
  writeFileSync(changed, bytes);
  for (const damaged of [truncatedFile, changed]) {
    const { code, stdout, stderr } = await runCli(otherEnv, 'restore', damaged);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`${damaged} is not a complete backup of Atrium.\n`);
  }
  const client = await connect(otherEnv.DATABASE_URL);
  expect((await client.query('select from workspace')).rowCount).toBe(0);
  await runCommand(otherEnv, 'restore', file);
  expect((await client.query('select from workspace')).rowCount).toBe(1);
});

const expectWaiting = (client: pg.Client, name: string, count = 1) =>
  expect
    .poll(async () => {
      const { rows } = await client.query(
        `select from pg_stat_activity
         where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
        [name],
      );
      return rows.length;
    }, POLL)
    .toBe(count);

const POLL = { timeout: 60_000, interval: 20 };

test('includes a table that a migration rewrites during the backup', async () => {
  const { app, file, env } = await startSource();
  const [holder, migration] = [await connect(app.databaseUrl), await connect(app.databaseUrl)];
  const { rows: before } = await holder.query('select id, name from res_partner order by id');
  await holder.query('begin; lock table account_tax in access exclusive mode');
  const backup = runCommand(env, 'backup', file, '--without-key');
  await expectWaiting(migration, 'atrium backup');
  await migration.query('alter table res_partner alter column color set data type bigint');
  await holder.query('commit');
  await backup;

  const otherEnv = { ...env, DATABASE_URL: await createDatabase() };
  await runCommand(otherEnv, 'restore', file);
  const restoredClient = await connect(otherEnv.DATABASE_URL);
  expect((await restoredClient.query('select id, name from res_partner order by id')).rows).toEqual(before);
});

test('writes a complete file even if two backups write to it concurrently', { tags: 'soak' }, async () => {
  const { app, file, env } = await startSource();
  const [holder, watcher] = [await connect(app.databaseUrl), await connect(app.databaseUrl)];
  await createJsonClient(app).create('ir.attachment', {
    name: 'x',
    datas: randomBytes(3_000_000).toString('base64'),
  });
  await holder.query('begin; lock table account_tax in access exclusive mode');
  const backups = [1, 2].map(() => runCliProcess(env, 'backup', file, '--without-key'));
  await expectWaiting(watcher, 'atrium backup', 2);
  await holder.query('commit');
  for (const { code, stderr } of await Promise.all(backups)) expect(code, stderr).toBe(0);
  await runCommand({ ...env, DATABASE_URL: await createDatabase() }, 'restore', file);
});

test('restores a backup after an earlier restore was killed while creating tables', {
  tags: 'soak',
}, async () => {
  const { file, env } = await startSource();
  await runCommand(env, 'backup', file, '--without-key');
  const otherEnv = { ...env, DATABASE_URL: await createDatabase() };
  const client = await connect(otherEnv.DATABASE_URL);
  const killedStreams = spawn(process.execPath, ['boot/cli.mjs', 'restore', file], {
    env: { PATH: process.env.PATH!, ...otherEnv },
  });
  const exit = once(killedStreams, 'exit');
  const others = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and backend_type = 'client backend'`;
  const creating = `select 1 ${others} and query like '%CREATE TABLE%' and state = 'active'`;
  await expect.poll(async () => (await client.query(creating)).rowCount, POLL).toBe(1);
  killedStreams.kill('SIGKILL');
  await exit;
  await expect.poll(async () => (await client.query(`select 1 ${others}`)).rowCount, POLL).toBe(0);
  expect((await client.query(`select to_regclass('workspace') as first`)).rows).toEqual([{ first: null }]);

  await runCommand(otherEnv, 'restore', file);
  expect((await client.query('select from workspace')).rowCount).toBe(1);
});

test('rejects one of two concurrent restores', { tags: 'soak' }, async () => {
  const { file, env } = await startSource();
  await runCommand(env, 'backup', file, '--without-key');
  const otherEnv = { ...env, DATABASE_URL: await createDatabase() };
  const results = await Promise.all([1, 2].map(() => runCliProcess(otherEnv, 'restore', file)));
  expect(results.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(results.find(({ code }) => code === 1)!.stderr).toMatch(/^The database is not empty.*\n$/);
});

test('reports the reason for a failed backup or restore in one line and writes nothing', async () => {
  const { file, env } = await startSource();
  const runFailing = async (overrides: Record<string, string>, ...args: string[]) => {
    const { code, stdout, stderr } = await runCli({ ...env, ...overrides }, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    return stderr;
  };
  expect(await runFailing({}, 'backup', file)).toMatch(/BACKUP_PASSPHRASE.*--without-key/);
  expect(existsSync(file)).toBe(false);
  await runCommand({ ...env, BACKUP_PASSPHRASE }, 'backup', file);
  expect(await runFailing({}, 'backup', file, '--without-key')).toMatch(/already exists/);

  const otherEnv = { DATABASE_URL: await createDatabase(), SECRET_KEY: '', DATA_DIR: createTestFolder() };
  expect(await runFailing({ ...otherEnv, BACKUP_PASSPHRASE: 'something else' }, 'restore', file)).toMatch(
    /BACKUP_PASSPHRASE/,
  );
  const other = { ...otherEnv, SECRET_KEY: 'another secret key, and just as long' };
  expect(await runFailing(other, 'restore', file)).toMatch(
    /is not the key that this backup was created with/,
  );
  expect(await runFailing(otherEnv, 'restore', join(createTestFolder(), 'none'))).toMatch(/no such file/);
  const strange = join(createTestFolder(), 'newer.backup');
  await writePieces(strange, buildNewerBackup());
  expect(await runFailing({}, 'restore', strange)).toMatch(/another version.*29990101000000_later/);
  expect(await runFailing({}, 'restore', file)).toMatch(/not empty/);
});

test("neither generates a secret key nor replaces another installation's key on restore", async () => {
  const { file: bare, env } = await startSource();
  const sealed = join(createTestFolder(), 'sealed.backup');
  await runCommand(env, 'backup', bare, '--without-key');
  await runCommand({ ...env, BACKUP_PASSPHRASE }, 'backup', sealed);
  const restoreFailing = async (DATA_DIR: string, file: string, overrides: Record<string, string> = {}) => {
    const before = readdirSync(DATA_DIR);
    const { code, stdout, stderr } = await runCli({ DATA_DIR, ...overrides }, 'restore', file);
    expect([code, stdout, stderr.trimEnd().split('\n').length], stderr).toEqual([1, '', 1]);
    expect(readdirSync(DATA_DIR)).toEqual(before);
    return stderr;
  };
  const empty = createTestFolder();
  const keyless = new RegExp(`Neither the backup nor ${empty}.*SECRET_KEY`);
  expect(await restoreFailing(empty, bare)).toMatch(keyless);
  expect(await restoreFailing(empty, bare, { DATABASE_URL: await createDatabase() })).toMatch(keyless);
  expect(await restoreFailing(empty, sealed)).toMatch(/encrypted.*BACKUP_PASSPHRASE.*SECRET_KEY/);

  const dataDir = createTestFolder();
  const other = 'the key of another installation here';
  writeFileSync(join(dataDir, 'secret.key'), other);
  const DATABASE_URL = await createDatabase();
  expect(await restoreFailing(dataDir, sealed, { BACKUP_PASSPHRASE })).toMatch(
    /another installation.s secret.key/,
  );
  expect(await restoreFailing(dataDir, sealed, { DATABASE_URL, BACKUP_PASSPHRASE })).toMatch(
    /another installation/,
  );
  expect(await restoreFailing(dataDir, bare, { DATABASE_URL })).toMatch(
    /secret.key in .*is not the key that this backup was created with. Set SECRET_KEY/,
  );
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(other);
  await runCommand({ DATA_DIR: dataDir, DATABASE_URL, SECRET_KEY }, 'restore', sealed);
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(other);
});

test('reads SECRET_KEY from the .env file', async () => {
  const { file, env } = await startSource();
  await runCommand({ ...env, BACKUP_PASSPHRASE }, 'backup', file);
  const [cwd, DATA_DIR] = [createTestFolder(), createTestFolder()];
  const DATABASE_URL = await createDatabase();
  const restore = (key: string) => {
    writeFileSync(join(cwd, '.env'), `SECRET_KEY=${key}\n`);
    return runCliIn(cwd, { DATA_DIR, DATABASE_URL, BACKUP_PASSPHRASE }, 'restore', file);
  };
  expect((await restore('another secret key, and just as long')).stderr).toMatch(/SECRET_KEY/);
  expect(await restore(SECRET_KEY)).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(DATA_DIR)).toEqual([]);
});

async function* buildNewerBackup() {
  yield {
    kind: 'header' as const,
    value: {
      format: 'atrium backup 1' as const,
      version: '99.0.0',
      created: new Date().toISOString(),
      migrations: [{ name: '29990101000000_later', checksum: 'x' }],
      key: null,
    },
  };
  yield { kind: 'end' as const, value: { sequences: [], jobs: [], tables: 0, rows: 0 } };
}
