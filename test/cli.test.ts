import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import pg from 'pg';
import { expect, test } from 'vitest';
import { buildProgram } from '../boot/cli/program.ts';
import { IDENTITY_TTL_MS } from '../src/engine/identity/identity.ts';
import { runCli, runCliJson, runCliProcess, setUpServer } from './harness/cli.ts';
import { createBareDatabase } from './harness/database.ts';

const server = setUpServer();

const runAtrium = (...args: string[]) => runAtriumWith({}, ...args);

const runAtriumWith = (env: Record<string, string>, ...args: string[]) =>
  runCli({ DATA_DIR: server.dataDir, ...env }, ...args);

const AWAY = 'postgresql://nobody@127.0.0.1:1/nothing';

const readJson = <T>(...args: string[]) => runCliJson<T>({ DATA_DIR: server.dataDir }, ...args);

const requestStatus = async (key: string, path = '/json/2/res.users/context_get') =>
  (
    await fetch(`${server.app.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    })
  ).status;

test('manages workspaces, users, keys and domains of a running server with immediate effect', {
  tags: 'slow',
}, async () => {
  expect(await readJson('workspace', 'create', 'acme')).toMatchObject({ slug: 'acme' });
  expect(await readJson('user', 'create', 'bob', '--workspace', 'acme', '--admin')).toMatchObject({
    login: 'bob',
  });
  const user = await readJson<{ key: string; id: number }>(
    'key',
    'create',
    '--workspace',
    'acme',
    '--user',
    'bob',
  );
  const team = await readJson<{ key: string; id: number }>(
    'key',
    'create',
    '--workspace',
    'acme',
    '--team',
    '--expires',
    '30',
  );
  expect(user.key).toMatch(/^uk_[0-9a-z]{10}_[0-9a-f]{32}$/);
  expect(team.key).toMatch(/^us_[0-9a-z]{10}_[0-9a-f]{32}$/);
  expect(await readJson('domain', 'add', 'acme.test', '--workspace', 'acme')).toMatchObject({
    name: 'acme.test',
  });
  expect(await requestStatus(user.key)).toBe(200);
  const listed = await readJson<{ id: number; expires: string | null }[]>(
    'key',
    'list',
    '--workspace',
    'acme',
  );
  expect(listed.map((key) => key.id)).toEqual([user.id, team.id]);
  expect(JSON.stringify(listed)).not.toContain(user.key);
  // The first workspace has a key with the same id.
  expect((await runAtrium('key', 'revoke', String(user.id))).stderr).toContain('--workspace');
  expect(await requestStatus(user.key)).toBe(200);
  await readJson('key', 'revoke', String(user.id), '--workspace', 'acme');
  expect(await requestStatus(user.key)).toBe(401);
});

test('makes every process reload manually changed rows with `reload`', async () => {
  const { key } = await readJson<{ key: string }>('key', 'create', '--workspace', 'main', '--user', 'admin');
  expect(await requestStatus(key)).toBe(200);
  const { password, port } = JSON.parse(readFileSync(join(server.dataDir, 'postgres.json'), 'utf8'));
  const byHand = new pg.Client(`postgresql://atrium:${password}@127.0.0.1:${port}/atrium`);
  await byHand.connect();
  // Disables the triggers, as on a cluster, which has none.
  await byHand.query('set session_replication_role to replica');
  await byHand.query('update svc_api_key set revoked_at = now() where prefix = $1', [key.slice(0, 13)]);
  await byHand.end();
  expect(await requestStatus(key)).toBe(200);
  expect(await readJson('reload')).toEqual({ announced: true });
  // The timeout is shorter than the maximum age of cached callers.
  await expect.poll(() => requestStatus(key), { timeout: IDENTITY_TTL_MS / 2 }).toBe(401);
});

test('lists workspaces, domains and keys with their status and permissions', async () => {
  await readJson('workspace', 'create', 'lists', '--name', 'List & Co');
  const options = ['--workspace', 'lists'];
  expect(await readJson('domain', 'add', 'Mail.Lists.test', ...options)).toMatchObject({
    name: 'mail.lists.test',
  });
  await readJson('key', 'create', ...options, '--team');
  const bound = ['--team', '--sending', '--domain', 'mail.lists.test', '--name', 'shop'];
  await readJson('key', 'create', ...options, ...bound);
  await readJson('key', 'create', ...options, '--team', '--read-only', '--name', 'reports');
  const workspaces = await readJson<{ slug: string }[]>('workspace', 'list');
  expect(workspaces.find(({ slug }) => slug === 'lists')).toMatchObject({
    name: 'List & Co',
    features: ['email'],
  });
  expect(await readJson('domain', 'list', ...options)).toMatchObject([
    { workspace: 'lists', name: 'mail.lists.test', status: 'SUCCESS', error: null },
  ]);
  expect(await readJson('key', 'list', ...options)).toMatchObject([
    { name: 'Operator key', permission: 'FULL', domain: null },
    { name: 'shop', permission: 'SENDING', domain: 'mail.lists.test' },
    { name: 'reports', permission: 'READ', domain: null },
  ]);
  expect((await readJson<object[]>('domain', 'list')).length).toBeGreaterThan(1);
  for (const resource of ['workspace', 'domain', 'key'])
    for (const { created } of await readJson<{ created: string }[]>(resource, 'list'))
      expect(new Date(created).toISOString()).toBe(created);
});

test('creates a user with groups that grant their rights', async () => {
  const groups = ['--group', 'sales_team.group_sale_manager', '--group', 'base.group_allow_export'];
  await readJson('user', 'create', 'sally', '--workspace', 'main', ...groups);
  await readJson('user', 'create', 'sam', '--workspace', 'main');
  const createLeads = async (login: string) => {
    const { key } = await readJson<{ key: string }>('key', 'create', '--workspace', 'main', '--user', login);
    return requestStatus(key, '/json/2/crm.lead/search_read');
  };
  expect([await createLeads('sally'), await createLeads('sam')]).toEqual([200, 403]);
});

test('enables the MCP facade for a single workspace', async () => {
  const { key } = await readJson<{ key: string }>('key', 'create', '--workspace', 'main', '--user', 'admin');
  expect(await requestStatus(key, '/mcp')).toBe(404);
  await readJson('mcp', 'enable', '--workspace', 'main');
  // The server is notified after the command has committed.
  await expect.poll(() => requestStatus(key, '/mcp')).not.toBe(404);
});

test('adds demo records only once and reports their number per model', async () => {
  const added = await readJson<Record<string, number>>('seed', 'demo');
  for (const model of ['res.partner', 'crm.lead', 'project.task', 'product.product', 'sale.order'])
    expect(added[model], model).toBeGreaterThan(5);
  const secondSeed = await readJson<Record<string, number>>('seed', 'demo');
  expect(Object.keys(secondSeed)).toEqual(Object.keys(added));
  expect(new Set(Object.values(secondSeed))).toEqual(new Set([0]));
  expect(await readJson('migrate')).toEqual({ applied: [] });
});

test.each([
  ['an unknown command', ['dance'], 2],
  ['a missing option', ['user', 'create', 'eve'], 2],
  ['a taken slug', ['workspace', 'create', 'main'], 1],
  ['an unknown group', ['user', 'create', 'eve', '--workspace', 'main', '--group', 'base.group_typo'], 1],
  ['an invalid slug', ['workspace', 'create', 'No Slug'], 1],
  ['an unknown workspace', ['key', 'create', '--workspace', 'nowhere', '--team'], 1],
  ['a list in an unknown workspace', ['domain', 'list', '--workspace', 'nowhere'], 1],
  ['an unknown user', ['key', 'create', '--workspace', 'main', '--user', 'nobody'], 1],
  ['a key without an owner', ['key', 'create', '--workspace', 'main'], 2],
  [
    'a key with two permissions',
    ['key', 'create', '--workspace', 'main', '--team', '--sending', '--read-only'],
    2,
  ],
  ['an invalid number of days', ['key', 'create', '--workspace', 'main', '--team', '--expires', 'soon'], 1],
  ['an unknown key', ['key', 'revoke', '999999'], 1],
] as const)('rejects %s in a single line', async (_what, args, code) => {
  const result = await runAtrium(...args, '--json');
  expect(result.code).toBe(code);
  expect(result.stdout).toBe('');
  expect(JSON.parse(result.stderr)).toEqual({ error: expect.stringMatching(/^.{5,200}$/) });
});

const program = buildProgram(() => undefined, {});
const listPaths = (command: Command, parents: string[]): string[][] =>
  command.commands.flatMap((command) => {
    const path = [...parents, command.name()];
    return [path, ...listPaths(command, path)];
  });
const paths = listPaths(program, []);

test.each(paths)('prints help for %s %s without opening a database', async (...path) => {
  const words = path.filter(Boolean);
  const { code, stdout, stderr } = await runAtriumWith({ DATABASE_URL: AWAY }, ...words, '--help');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`Usage: npm run -s cli -- ${words.join(' ')} `);
  const command = words.reduce(
    (from, word) => from.commands.find((command) => command.name() === word)!,
    program,
  );
  expect(stdout.replace(/\s+/g, ' ')).toContain(command.description());
  for (const { flags, description } of command.options) {
    expect(description, flags).not.toBe('');
    expect(stdout).toContain(flags);
  }
  if (command.commands.length === 0) expectExamples(command, words, stdout);
});

/** Each example names the command, has its required options, and has no unknown ones. */
function expectExamples({ options, registeredArguments }: Command, words: string[], help: string): void {
  const lines = help.split(/^Examples?:$/m)[1]?.match(/\S.*/g) ?? [];
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const start = `npm run -s cli -- ${words.join(' ')}`;
    expect(`${line} `).toContain(`${start} `);
    const flags = line.match(/--[a-z]\S*/g) ?? [];
    expect(options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
    for (const { long, mandatory } of options) if (mandatory) expect(flags).toContain(long);
    const args = line.slice(start.length).split(' --')[0]!.trim().split(' ').filter(Boolean);
    expect(args.length).toBeGreaterThanOrEqual(registeredArguments.filter(({ required }) => required).length);
  }
}

test('exits silently if its reader, such as head, exits early', async () => {
  const child = spawn(process.execPath, ['boot/cli.mjs', '--help']);
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(stderr).toBe('');
});

test('prints the version from package.json without an installation', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(await runCliProcess({ DATA_DIR: server.dataDir, DATABASE_URL: AWAY }, '--version')).toEqual({
    code: 0,
    stdout: `atrium ${version}\n`,
    stderr: '',
  });
});

test('lists every command group in the help when called without arguments', async () => {
  const { code, stdout } = await runAtriumWith({ DATABASE_URL: AWAY });
  expect(code).toBe(0);
  for (const resource of program.commands) expect(stdout).toContain(`  ${resource.name()} `);
  expect((await runAtriumWith({ DATABASE_URL: AWAY }, 'help')).stdout).toBe(stdout);
});

test.each([
  ['a misspelled command group', ['kye', 'list'], 'Did you mean key?', ''],
  ['a misspelled command', ['key', 'creat'], 'Did you mean create?', ' key'],
  ['a misspelled option', ['key', 'list', '--worspace', 'x'], 'Did you mean --workspace?', ' key list'],
  [
    'a command group without a command',
    ['domain'],
    'add, list, verify, records, rotate-key, remove',
    ' domain',
  ],
  ['a missing required option', ['mcp', 'enable'], '--workspace <slug>', ' mcp enable'],
  ['a missing argument', ['key', 'revoke'], "'id'", ' key revoke'],
  ['an invalid choice', ['completion', 'cmd'], "the shell cannot be 'cmd'", ' completion'],
  ['a key without user and workspace', ['key', 'create', '--workspace', 'main'], '--team', ' key create'],
  ['an extra word', ['migrate', 'now'], 'now', ' migrate'],
] as const)('reports %s in one line that points to the help', async (_what, words, expected, help) => {
  const { code, stdout, stderr } = await runAtriumWith({ DATABASE_URL: AWAY }, ...words);
  expect([code, stdout]).toEqual([2, '']);
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toEqual([expect.stringContaining(expected), `See: npm run -s cli --${help} --help`]);
});

test('records operator commands in the audit trail without secrets', async () => {
  const { key } = await readJson<{ key: string }>('key', 'create', '--workspace', 'main', '--user', 'admin');
  const response = await fetch(`${server.app.url}/json/2/svc.audit.event/search_read`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      domain: [['event', '=', 'key.create']],
      fields: ['event', 'success', 'channel', 'summary'],
    }),
  });
  const lines = (await response.json()) as { event: string }[];
  expect(lines.length).toBeGreaterThan(0);
  expect(lines[0]).toMatchObject({ event: 'key.create', success: true, channel: 'job' });
  expect(JSON.stringify(lines)).not.toContain(key);
});

const onAnInstallation: string[][] = [
  ['workspace', 'create', 'early'],
  ['workspace', 'list'],
  ['workspace', 'rename', 'main', 'Home'],
  ['workspace', 'seats', 'main', '5'],
  ['workspace', 'export', 'main', 'main.tar.gz'],
  ['workspace', 'import', 'main.tar.gz'],
  ['workspace', 'delete', 'main', '--confirm', 'main'],
  ['workspace', 'restore', 'main'],
  ['app', 'list', '--workspace', 'main'],
  ['app', 'install', 'crm', '--workspace', 'main'],
  ['app', 'upgrade', 'crm', '--workspace', 'main'],
  ['app', 'remove', 'crm', '--workspace', 'main'],
  ['user', 'create', 'bob', '--workspace', 'main'],
  ['user', 'list', '--workspace', 'main'],
  ['user', 'password', 'admin', '--workspace', 'main'],
  ['user', 'archive', 'admin', '--workspace', 'main'],
  ['user', 'service', 'bob', '--workspace', 'main'],
  ['key', 'create', '--workspace', 'main', '--team'],
  ['key', 'list'],
  ['key', 'revoke', '1'],
  ['key', 'rotate', '1'],
  ['domain', 'add', 'acme.test', '--workspace', 'main'],
  ['domain', 'list'],
  ['domain', 'verify', 'acme.test', '--workspace', 'main'],
  ['domain', 'records', 'acme.test', '--workspace', 'main'],
  ['domain', 'rotate-key', 'acme.test', '--workspace', 'main'],
  ['domain', 'remove', 'acme.test', '--workspace', 'main'],
  ['email', 'send', '--workspace', 'main', '--from', 'a@acme.test', '--to', 'b@acme.test'],
  ['mailbox', 'create', 'info@acme.test', '--workspace', 'main'],
  ['mailbox', 'list', '--workspace', 'main'],
  ['mailbox', 'quota', 'info@acme.test', '1000', '--workspace', 'main'],
  ['mailbox', 'archive', 'info@acme.test', '--workspace', 'main'],
  ['mailbox', 'feature', 'mail.rules', 'off', '--workspace', 'main'],
  ['mailbox', 'policy', 'import_who', 'everyone', '--workspace', 'main'],
  ['mailbox', 'reserve', 'ceo', '--workspace', 'main'],
  ['mailbox', 'alias', 'add', 'info@acme.test', 'help@acme.test', '--workspace', 'main'],
  ['mailbox', 'alias', 'remove', 'info@acme.test', 'help@acme.test', '--workspace', 'main'],
  ['mailbox', 'alias', 'list', 'info@acme.test', '--workspace', 'main'],
  [
    'mailbox',
    'rule',
    'add',
    'info@acme.test',
    '--workspace',
    'main',
    '--when',
    'subject equals x',
    '--then',
    'star',
  ],
  ['mailbox', 'rule', 'list', 'info@acme.test', '--workspace', 'main'],
  ['mailbox', 'rule', 'remove', 'info@acme.test', '3', '--workspace', 'main'],
  ['mailbox', 'failed', '--workspace', 'main'],
  ['mailbox', 'retry', 'all', '--workspace', 'main'],
  ['mailbox', 'catch-all', 'acme.test', 'info@acme.test', '--workspace', 'main'],
  ['mailbox', 'import', 'README.md', '--workspace', 'main', '--mailbox', 'info@acme.test'],
  ['mailbox', 'export', 'never.mbox', '--workspace', 'main', '--mailbox', 'info@acme.test'],
  ['mailbox', 'reparse', '--workspace', 'main'],
  ['blob', 'check'],
  ['blob', 'move', '--to', 'pg'],
  ['mcp', 'enable', '--workspace', 'main'],
  ['mcp', 'disable', '--workspace', 'main'],
  ['job', 'run', 'due-sweep'],
  ['audit', 'verify'],
  ['migrate'],
  ['seed', 'demo'],
  ['backup', 'never.backup', '--without-key'],
  ['citus', 'distribute'],
  ['reload'],
];

/**
 * Runs a command that must fail and leave the folder unchanged.
 * @returns the error
 */
async function runRejected(folder: string, env: Record<string, string>, ...args: string[]): Promise<string> {
  const before = existsSync(folder) && readdirSync(folder);
  const result = await runAtriumWith({ DATA_DIR: folder, ...env }, ...args);
  expect([result.code, result.stdout], result.stderr).toEqual([1, '']);
  expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(existsSync(folder) && readdirSync(folder)).toEqual(before);
  return result.stderr;
}

test('lists every command that requires an installation', () => {
  const commandNames = onAnInstallation.map((args) =>
    args.filter((word) => paths.flat().includes(word)).join(' '),
  );
  const operations = paths.map((path) => path.join(' '));
  const all = operations.filter((path) => !operations.some((other) => other.startsWith(`${path} `)));
  const others = ['restore', 'config', 'doctor', 'completion', 'mcp config'];
  expect([...commandNames, ...others].sort()).toEqual(all.sort());
});

test.each(onAnInstallation)('%s %s does not create a missing installation', async (...args) => {
  const folder = join(server.dataDir, 'mistyped');
  expect(await runRejected(folder, {}, ...args)).toContain(`No installation found in ${folder} (DATA_DIR)`);
});

test('rejects an empty database, a database without its key, and a folder with only a secret key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium cli '));
  const database = await createBareDatabase();
  const env = { DATABASE_URL: database.url };
  try {
    expect(await runRejected(folder, env, 'key', 'list')).toMatch(
      /No secret key found in .*DATA_DIR.*SECRET_KEY/,
    );
    const SECRET_KEY = 'a secret key of at least 32 characters';
    expect(await runRejected(folder, { SECRET_KEY }, 'key', 'list')).toContain(
      `No installation found in ${folder} `,
    );
    writeFileSync(join(folder, 'secret.key'), SECRET_KEY);
    expect(await runRejected(folder, {}, 'key', 'list')).toContain(
      `No installation found in ${folder} (DATA_DIR)`,
    );
    for (const words of [['key', 'list'], ['seed', 'demo'], ['reload']])
      expect(await runRejected(folder, env, ...words)).toMatch(/DATABASE_URL contains no installation/);
    const client = new pg.Client(database.url);
    await client.connect();
    const { rows } = await client.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace`,
    );
    await client.end();
    expect(rows).toEqual([]);
    // Preparing the database before the first start needs no key, and stores none.
    rmSync(join(folder, 'secret.key'));
    const migratedResult = await runAtriumWith({ DATA_DIR: folder, ...env }, 'migrate', '--json');
    expect(JSON.parse(migratedResult.stdout).applied.length, migratedResult.stderr).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await database.drop();
  }
});

test('reports an unreachable database in one line', async () => {
  const result = await runAtriumWith({ DATABASE_URL: AWAY }, 'key', 'list', '--json');
  expect(result.code).toBe(1);
  expect(JSON.parse(result.stderr).error).toMatch(
    /^the database cannot be reached: connect ECONNREFUSED [^\n]*$/,
  );
});
