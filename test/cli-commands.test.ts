import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSesEnv, SES_CREDENTIALS } from './email/sending.ts';
import { runCli, runCliJson, setUpServer } from './harness/cli.ts';
import { startSes } from './standins/ses.ts';

const OF = ['--workspace', 'main'];
const server = setUpServer();

const readJson = <T>(...args: string[]) => runCliJson<T>({ DATA_DIR: server.dataDir }, ...args);
const runAtrium = (...args: string[]) => runCli({ DATA_DIR: server.dataDir }, ...args);

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${server.app.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const createKey = async (...args: string[]) =>
  (await readJson<{ key: string }>('key', 'create', ...OF, ...args)).key;

const requestStatus = async (key: string, path = '/json/2/res.users/context_get') =>
  (await post(path, {}, { authorization: `Bearer ${key}` })).status;

/** Returns the cookie of a new session, or null if the password is wrong. */
async function signIn(login: string, password: string): Promise<string | null> {
  const params = { db: 'main', login, password };
  const response = await post('/web/session/authenticate', { jsonrpc: '2.0', params });
  const { result } = (await response.json()) as { result?: { uid: number } };
  return result?.uid ? response.headers.get('set-cookie')!.split(';')[0]! : null;
}

async function isSignedIn(cookie: string): Promise<boolean> {
  const response = await post('/web/session/get_session_info', { jsonrpc: '2.0', params: {} }, { cookie });
  return 'result' in ((await response.json()) as object);
}

test('resets a lost password, shows the new one once and ends existing sessions', async () => {
  const { password: first } = await readJson<{ password: string }>('user', 'create', 'bob', ...OF);
  const session = (await signIn('bob', first))!;
  expect(await isSignedIn(session)).toBe(true);
  const { password } = await readJson<{ password: string }>('user', 'password', 'bob', ...OF);
  // The command notifies the server through the database.
  await expect.poll(() => isSignedIn(session)).toBe(false);
  expect(await signIn('bob', first)).toBeNull();
  expect(await signIn('bob', password)).not.toBeNull();
  const output = await readJson('user', 'password', 'bob', ...OF, '--password', 'of my own choice');
  expect(output).not.toHaveProperty('password');
  expect(await signIn('bob', 'of my own choice')).not.toBeNull();
  expect((await runAtrium('user', 'password', 'bob', ...OF, '--password', 'short')).code).toBe(1);
  expect((await runAtrium('user', 'password', 'nobody', ...OF)).stderr).toContain('nobody');
});

test('revokes sessions and keys of an archived user', async () => {
  const { password } = await readJson<{ password: string }>('user', 'create', 'ann', ...OF);
  const key = await createKey('--user', 'ann');
  const session = (await signIn('ann', password))!;
  expect(await requestStatus(key)).toBe(200);
  expect(await readJson('user', 'archive', 'ann', ...OF)).toMatchObject({ active: false, keys_revoked: 1 });
  await expect.poll(() => requestStatus(key)).toBe(401);
  expect(await isSignedIn(session)).toBe(false);
  expect(await signIn('ann', password)).toBeNull();
  const users = await readJson<{ login: string }[]>('user', 'list', ...OF);
  expect(users.find(({ login }) => login === 'admin')).toMatchObject({
    active: true,
    role: 'administrator',
    last_login: null,
  });
  expect(users.find(({ login }) => login === 'ann')).toMatchObject({
    active: false,
    last_login: expect.any(String),
  });
  const keys = await readJson<{ user: string | null; revoked: string | null }[]>('key', 'list', ...OF);
  expect(keys.filter(({ user }) => user === 'ann').every(({ revoked }) => revoked !== null)).toBe(true);
});

test("changes a workspace's display name", async () => {
  expect(await readJson('workspace', 'rename', 'main', ' Home & Co ')).toMatchObject({ name: 'Home & Co' });
  expect(await readJson('workspace', 'list')).toEqual([
    expect.objectContaining({ slug: 'main', name: 'Home & Co' }),
  ]);
  expect((await runAtrium('workspace', 'rename', 'main', ' ')).code).toBe(1);
});

test("changes a workspace's slug and keeps its keys and data", async () => {
  await readJson('workspace', 'create', 'acme', '--name', 'Acme');
  const { password } = await readJson<{ password: string }>('user', 'create', 'eve', '--workspace', 'acme');
  const { key } = await readJson<{ key: string }>('key', 'create', '--workspace', 'acme', '--user', 'eve');
  const logIn = async (db: string) => {
    const args = [db, 'eve', password, {}];
    const call = {
      jsonrpc: '2.0',
      method: 'call',
      id: 1,
      params: { service: 'common', method: 'authenticate', args },
    };
    return ((await (await post('/jsonrpc', call)).json()) as { result?: number }).result ?? null;
  };
  expect(await logIn('acme')).toEqual(expect.any(Number));
  expect(await requestStatus(key)).toBe(200);
  const renamed = await readJson('workspace', 'rename', 'acme', '--slug', 'acme-holding');
  expect(renamed).toMatchObject({ slug: 'acme-holding', name: 'Acme' });
  await expect.poll(() => logIn('acme')).toBe(false);
  expect(await logIn('acme-holding')).toEqual(expect.any(Number));
  expect(await requestStatus(key)).toBe(200);
  for (const [old, slug] of [
    ['acme-holding', 'main'],
    ['acme-holding', 'Not A Slug'],
    ['main', 'home'],
  ])
    expect((await runAtrium('workspace', 'rename', old!, '--slug', slug!)).code).toBe(1);
  expect((await runAtrium('workspace', 'rename', 'acme-holding')).code).toBe(1);
  expect((await readJson<{ slug: string }[]>('workspace', 'list')).map(({ slug }) => slug)).toEqual([
    'main',
    'acme-holding',
  ]);
});

test.each([
  ['claude-code', "claude mcp add --transport http atrium 'http://"],
  ['claude-desktop', '"mcp-remote"'],
  ['cursor', '"mcpServers"'],
  ['vscode', '"type": "http"'],
  ['codex', '[mcp_servers.atrium]\nurl = '],
  ['gemini-cli', '"httpUrl"'],
  ['windsurf', '"serverUrl"'],
])('prints the MCP configuration for the client %s', async (client, part) => {
  const plainResult = await runAtrium('mcp', 'config', '--client', client);
  expect(plainResult.code, plainResult.stderr).toBe(0);
  expect(plainResult.stdout).toContain(part);
  expect(plainResult.stdout).not.toMatch(/Bearer|ATRIUM_KEY/);
  const narrow = await runAtrium(
    'mcp',
    'config',
    '--client',
    client,
    '--key',
    '--groups',
    'data,mail',
    '--read-only',
  );
  expect(narrow.stdout).toContain('/mcp?groups=data,mail&readonly=1');
  expect(narrow.stdout).toMatch(/Bearer|bearer_token_env_var/);
});

test("prints the workspace's URL in the MCP configuration", async () => {
  const env = { DATA_DIR: server.dataDir, PUBLIC_URL: 'https://example.org' };
  const { stdout } = await runCli(env, 'mcp', 'config', '--client', 'codex', '--workspace', 'acme');
  expect(stdout).toContain('"https://acme.example.org/mcp"');
});

test('rejects an unknown MCP client', async () => {
  expect((await runAtrium('mcp', 'config', '--client', 'telnet')).stderr).toContain('claude-code');
});

test('restricts a key with tool groups to the MCP server', async () => {
  await readJson('mcp', 'enable', ...OF);
  const key = await createKey('--user', 'admin', '--groups', 'data,mail', '--calls-per-day', '5');
  expect(await requestStatus(key)).toBe(403);
  expect(await requestStatus(key, '/mcp')).not.toBe(401);
  expect((await runAtrium('key', 'create', ...OF, '--user', 'admin', '--groups', 'all')).stderr).toContain(
    "'all'",
  );
  expect((await runAtrium('key', 'create', ...OF, '--team', '--groups', 'data')).code).toBe(1);
});

test('disables the MCP facade', async () => {
  const key = await createKey('--user', 'admin');
  await readJson('mcp', 'enable', ...OF);
  expect(await requestStatus(key, '/mcp')).not.toBe(404);
  expect(await readJson('mcp', 'disable', ...OF)).toEqual({ workspace: 'main', mcp: false });
  await expect.poll(() => requestStatus(key, '/mcp')).toBe(404);
});

test('sends a test email through the normal delivery path and rejects an unverified domain', async () => {
  await readJson('domain', 'add', 'mail.test', ...OF);
  const to = ['--to', 'ann@example.com'];
  const sent = await readJson('email', 'send', ...OF, '--from', 'hello@mail.test', ...to);
  expect(sent).toMatchObject({
    status: expect.stringMatching(/^(SENT|DELIVERED)$/),
    note: expect.stringContaining('/dev/outbox'),
  });
  const result = await runAtrium('email', 'send', ...OF, '--from', 'hello@other.test', ...to);
  expect([result.code, result.stdout]).toEqual([1, '']);
  expect(result.stderr).toMatch(/mail\.test\. Run: .* domain add other\.test --workspace main/);
});

test('deletes a domain and its keys with an audit entry', async () => {
  await readJson('domain', 'add', 'old.test', ...OF);
  const key = await createKey('--team', '--domain', 'old.test');
  expect(await readJson('domain', 'remove', 'Old.test', ...OF)).toMatchObject({
    name: 'old.test',
    removed: true,
  });
  const remainingDomains = await readJson<{ name: string }[]>('domain', 'list', ...OF);
  expect(remainingDomains.map(({ name }) => name)).not.toContain('old.test');
  const response = await fetch(`${server.app.url}/api/v1/domains`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect([401, 403]).toContain(response.status);
  expect((await runAtrium('domain', 'remove', 'old.test', ...OF)).stderr).toContain('old.test');
  const body = { domain: [['event', '=', 'domain.delete']], fields: ['event', 'success', 'channel'] };
  const admin = { authorization: `Bearer ${await createKey('--user', 'admin')}` };
  const lines = (await (await post('/json/2/svc.audit.event/search_read', body, admin)).json()) as object[];
  expect(lines).toEqual([expect.objectContaining({ success: true, channel: 'job' })]);
});

test('prints DNS records with their full names', async () => {
  const ses = await startSes();
  try {
    const env = { DATA_DIR: server.dataDir, ...buildSesEnv(ses), ...SES_CREDENTIALS };
    await runCliJson(env, 'domain', 'add', 'records.test', ...OF);
    const records = await runCliJson<{ type: string; name: string }[]>(
      env,
      'domain',
      'records',
      'records.test',
      ...OF,
    );
    expect(records.map(({ type, name }) => [type, name])).toEqual([
      ['TXT', expect.stringMatching(/^[^.]+\._domainkey\.records\.test$/)],
      ['MX', 'mail.records.test'],
      ['TXT', 'mail.records.test'],
      ['TXT', '_dmarc.records.test'],
    ]);
    expect(records.map((record) => (record as { required?: boolean }).required)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  } finally {
    await ses.close();
  }
});

test('prints the DNS record of a new DKIM key next to the current one', async () => {
  const env = {
    DATA_DIR: server.dataDir,
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: 'smtp://127.0.0.1:9',
    DNS_SERVERS: '127.0.0.1:9',
  };
  await runCliJson(env, 'domain', 'add', 'turned.test', ...OF);
  const records = await runCliJson<{ type: string; name: string; required: boolean }[]>(
    env,
    'domain',
    'rotate-key',
    'turned.test',
    ...OF,
  );
  expect(records.map(({ type, name, required }) => [type, name, required])).toEqual([
    ['TXT', 'atrium._domainkey.turned.test', true],
    ['TXT', 'atrium2._domainkey.turned.test', true],
    ['TXT', '_dmarc.turned.test', false],
  ]);
});

test('lists settings with their sources, reports unknown settings and shows no secrets', async () => {
  const folder = join(server.dataDir, 'none');
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: 'postgresql://atrium:s3cret@127.0.0.1:1/atrium?sslpassword=s4cret',
    SECRET_KEY: 's5cret of at least 32 characters, for sure',
    PUBLIC_URL: 'https://atrium.example.com/',
    MAIL_TRANSPROT: 's6cret',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://tenant:s7cret@s8cret@collector.example.com/otlp',
  };
  const settings = await runCliJson<{ setting: string }[]>(env, 'config');
  expect(JSON.stringify(settings)).not.toMatch(/s\dcret/);
  const findSetting = (name: string) => settings.find(({ setting }) => setting === name);
  expect(findSetting('DATABASE_URL')).toMatchObject({
    value: 'postgresql://atrium:***@127.0.0.1:1/atrium?***',
    from: 'environment',
  });
  expect(findSetting('SECRET_KEY')).toMatchObject({ value: '***', from: 'environment' });
  expect(findSetting('OTEL_EXPORTER_OTLP_ENDPOINT')).toMatchObject({
    value: 'https://***@collector.example.com/otlp',
  });
  expect(findSetting('PUBLIC_URL')).toMatchObject({
    value: 'https://atrium.example.com',
    from: 'environment',
  });
  expect(findSetting('PORT')).toMatchObject({ value: '3000', from: 'default' });
  expect(findSetting('DATA_DIR')).toMatchObject({ value: folder, from: 'environment' });
  expect(findSetting('SMTP_URL')).toMatchObject({ value: null, from: 'default' });
  expect(findSetting('MAIL_TRANSPROT')).toMatchObject({ value: null, from: 'unknown' });
  expect(existsSync(folder)).toBe(false);
  const result = await runCli(
    { ...env, PORT: 'many', OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://me:s9cret@x' },
    'config',
  );
  expect(result.stderr).not.toContain('s9cret');
  expect([result.code, result.stderr.trimEnd().split('\n').length]).toEqual([1, 2]);
});
