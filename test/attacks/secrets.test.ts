import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMailBodyFacade } from '../../facades/message/facade.ts';
import { createOAuthFacade } from '../../facades/oauth/facade.ts';
import { startSubmission } from '../../facades/smtp/facade.ts';
import { createWebFacade } from '../../facades/web/facade.ts';
import { ensureDkimKey } from '../../schema/email/domains/domain-key.ts';
import { type SignedLink, signLink } from '../../src/engine/identity/signed-link.ts';
import { createJobs } from '../../src/engine/work/jobs.ts';
import { redactPath } from '../../src/http/redact-path.ts';
import { type Tracing, tracing } from '../../src/trace.ts';
import { startApp } from '../harness/app.ts';
import { postGraphql, sendRequest } from '../harness/facades/graphql.ts';
import { createJsonClient, json2 } from '../harness/facades/json2.ts';
import { runTool as callTool, readLogLines, switchMcp } from '../harness/facades/mcp.ts';
import { postJsonRpc } from '../harness/facades/rpc.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { postXml } from '../harness/facades/xmlrpc.ts';
import { setUp } from '../harness/set-up.ts';
import { connectClient, PROXIED, refreshToken } from '../oauth/sign-in.ts';

const app = setUp(() => startApp({ ...PROXIED, LOG_LEVEL: 'trace' }, (line) => logged.push(line)));
const submission = setUp(() => startSubmission(app.runtime, { port: 0, tlsPort: 0 }));
let secrets: Record<string, string>;
/** Log lines at the lowest level, and trace contents. */
const logged: string[] = [];
const traced: string[] = [];

beforeAll(async () => {
  tracing.now = recordTraces(traced);
  await switchMcp(app, app.main, true);
  secrets = { ...(await makeSecrets()), ...(await makeTokens()) };
});
afterAll(() => (tracing.now = null));

function recordTraces(lines: string[]): Tracing {
  const note = (...facts: unknown[]) => lines.push(JSON.stringify(facts));
  return {
    runSpan: async (span, run) => {
      note(span);
      return run(note);
    },
    startSpan: (span) => {
      note(span);
      return (error) => error && note(`${(error as { code?: string }).code}`);
    },
  };
}

const getAdminCalls = () => createJsonClient(app);
/** Bypasses the connection limiter, because the whole database is searched. */
const queryRows = async <T extends object>(text: string, ...params: unknown[]): Promise<T[]> =>
  (await app.runtime.db.pool.query<T>(text, params)).rows;

/** Creates a secret of each kind in every possible way. @returns the plaintexts by kind */
async function makeSecrets(): Promise<Record<string, string>> {
  return { ...(await makeKeys()), ...(await makePasswords()), ...(await makeOthers()) };
}

async function makeKeys(): Promise<Record<string, string>> {
  const { key } = app.main.admin;
  const generate = { key, name: 'generated', scope: 'rpc', expiration_date: '2030-01-01' };
  const createGraphKey = async (args: string) =>
    (await postGraphql(app, `mutation { keyCreate(${args}) { key } }`, { key })).data.keyCreate.key as string;
  const narrow = createJsonClient(app, app.main.user.key);
  await narrow.expectRejection('res.users.apikeys/generate', {
    ...generate,
    key: 'uk_0000000000_wrongwrongwrong',
  });
  return {
    'key by generate': await getAdminCalls().value('res.users.apikeys/generate', generate),
    'key by GraphQL': await createGraphKey('name: "mine"'),
    'team key': await createGraphKey('name: "ours", team: true'),
    session: (await signInWeb(app)).replace('session_id=', ''),
    'key in the template': app.main.readOnlyKey,
  };
}

async function makePasswords(): Promise<Record<string, string>> {
  const passwords = {
    created: 'planted-password-one',
    written: 'planted-password-two',
    own: 'planted-password-3',
  };
  const id = await getAdminCalls().create('res.users', {
    login: 'secretive',
    name: 'S',
    password: passwords.created,
  });
  await getAdminCalls().value('res.users/write', { ids: [id], vals: { password: passwords.written } });
  const { key, password } = app.main.user;
  const change = { old_passwd: password, new_passwd: passwords.own };
  await createJsonClient(app, key).value('res.users/change_password', change);
  const invalid = { refused: 'planted-password-of-no-text', keyed: 'planted-password-kept-once' };
  await getAdminCalls().expectRejection('res.users/write', {
    ids: [id],
    vals: { password: [invalid.refused] },
  });
  await getAdminCalls().expectRejection('res.users/create', {
    vals_list: [{ login: 'secretive', password: invalid.refused }],
  });
  const headers = { 'idempotency-key': 'a-password' };
  const write = { ids: [id], vals: { password: invalid.keyed } };
  expect((await json2(app, 'res.users/write', write, app.main.admin.key, headers)).status).toBe(200);
  const guess = 'planted-password-guessed';
  await expect(signInWeb(app, { login: 'secretive', password: guess })).rejects.toThrow();
  return { ...passwords, ...invalid, guess, initial: password };
}

async function makeOthers(): Promise<Record<string, string>> {
  const { ctx, admin: owner } = app.main;
  const runMutation = async (query: string) => (await postGraphql(app, query, { key: owner.key })).data;
  const webhookSecret = 'planted-webhook-secret';
  const hook = `mutation { webhookCreate(url: "https://example.com/", secret: "${webhookSecret}") { id secret } }`;
  const { id } = (await runMutation(hook)).webhookCreate;
  const { webhookRotate } = await runMutation(`mutation { webhookRotate(id: ${id}) { secret } }`);
  const [domain] = await queryRows<{ id: number }>(
    'select id from svc_domain where workspace_id = $1',
    ctx.workspace.id,
  );
  const { privateKey } = await ensureDkimKey(
    app.runtime.db,
    app.runtime.config,
    ctx.workspace.id,
    domain!.id,
  );
  const password = 'planted-password-of-another-server';
  const box = (await runMutation('{ mailboxes { nodes { id } } }')).mailboxes.nodes[0].id;
  const conn = `{ host: "imap.example.com", username: "a", password: "${password}" }`;
  await runMutation(`mutation { mailImportStart(accountId: ${box}, conn: ${conn}) { ok } }`);
  return {
    ...(await makeParameters()),
    'password of an import': password,
    'webhook secret': webhookSecret,
    'rotated secret': webhookRotate.secret,
    'DKIM key': privateKey,
    'DKIM key, a line of it': privateKey.slice(200, 264),
  };
}

async function makeTokens(): Promise<Record<string, string>> {
  const { clientId, browser, at, code, verifier, ...tokens } = await connectClient(app, app.main.admin);
  await callTool(app, tokens.access_token, 'list_models', {});
  const { json: renewed } = await refreshToken(app, clientId, tokens.refresh_token);
  const client = createTransport({
    ...{ host: '127.0.0.1', port: submission.port, ignoreTLS: true, logger: false },
    auth: { user: 'any', pass: app.main.teamKey },
  });
  await client.verify();
  client.close();
  return {
    code,
    verifier,
    'page of a decision': at.split('/').at(-1)!,
    'access token': tokens.access_token,
    'refresh token': tokens.refresh_token,
    'renewed access token': renewed.access_token,
    'renewed refresh token': renewed.refresh_token,
    'session of a browser': browser.cookies.get('session_id')!,
    'key at SMTP': app.main.teamKey,
  };
}

async function visitAddresses(): Promise<Record<string, string>> {
  const { secretKey } = app.runtime.config;
  const { workspace } = app.main.ctx;
  const foundSecrets: Record<string, string> = {};
  const buildLink = (kind: string, to: (link: SignedLink) => string): string => {
    const link = signLink(secretKey, kind, workspace.id, '1', Date.now() + 60_000);
    foundSecrets[`link of ${kind}`] = link.hash;
    return to(link);
  };
  const inQuery = (path: string) => (link: SignedLink) =>
    `${path}?id=${link.id}&hash=${link.hash}&expires=${link.expires}`;
  const { key } = app.main.user;
  const rotatedResponse = await postGraphql(app, 'mutation { calendarFeedRotate { address } }', { key });
  const feed = new URL(rotatedResponse.data.calendarFeedRotate.address).pathname;
  foundSecrets['address of a calendar'] = feed.split('/').at(-2)!;
  const image = Buffer.from('https://example.com/planted-image').toString('base64url');
  foundSecrets['signature of an image'] = '0123456789abcdef'.repeat(4);
  foundSecrets['token of a file'] = 'planted-token-of-a-file';
  const paths = [
    feed,
    buildLink('email-image', ({ id, hash }) => `/email/image/${id}/${hash}`),
    buildLink('unsubscribe', inQuery('/unsubscribe')),
    buildLink(
      'subscribe',
      ({ id, hash, expires }) => `/subscribe?contactId=${id}&expiresAt=${expires}&hash=${hash}`,
    ),
    buildLink('user-invitation', inQuery('/invitation')),
    buildLink('mail-file', inQuery('/mail/file')),
    buildLink('calendar-answer', inQuery('/calendar/answer')),
    buildLink('helpdesk-ticket', inQuery('/helpdesk/ticket')),
    buildLink('workspace-export', inQuery('/workspace/export')),
    `/mail/image/${foundSecrets['signature of an image']}.${image}`,
    `/web/content/1?access_token=${foundSecrets['token of a file']}`,
    `/api/v1/emails/${app.main.teamKey}`,
    `/json/2/res.partner/${key}`,
    `/${secrets['session of a browser']}`,
  ];
  for (const path of paths)
    for (const spelling of listSpellings(path)) await sendRequest(app, 'GET', spelling);
  for (const path of paths) await sendRequest(app, 'POST', path);
  const metrics = 'planted-token-of-the-metrics';
  for (const token of [metrics, key])
    await sendRequest(app, 'GET', '/metrics', { authorization: `Bearer ${token}` });
  foundSecrets['token of the metrics'] = metrics;
  return { ...foundSecrets, 'key in an address': key, 'team key in an address': app.main.teamKey };
}

const listSpellings = (path: string): string[] => [
  path,
  `/${path}`,
  path.replace(/(?<=.)\//, '//'),
  path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  `${path}/`,
  `/x${path}`,
];

async function makeParameters(): Promise<Record<string, string>> {
  const value = {
    created: 'planted-parameter-1',
    written: 'planted-parameter-2',
    set: 'planted-parameter-3',
  };
  const id = await getAdminCalls().create('ir.config_parameter', {
    key: 'mail.smtp.password',
    value: value.created,
  });
  await getAdminCalls().value('ir.config_parameter/write', { ids: [id], vals: { value: value.written } });
  await getAdminCalls().value('ir.config_parameter/set_param', {
    key: 'mail.smtp.password',
    value: value.set,
  });
  const invalid = 'planted-parameter-of-no-text';
  await getAdminCalls().expectRejection('ir.config_parameter/write', {
    ids: [id],
    vals: { value: [{ a: invalid }] },
  });
  await getAdminCalls().expectRejection('ir.config_parameter/create', { vals_list: [{ value: invalid }] });
  const parameterValue = 'planted-parameter-4';
  for (const vals of [{ value: parameterValue }, { value: value.set }]) {
    const save = { ids: [id], vals, specification: { value: {} } };
    const headers = { 'idempotency-key': `save-${vals.value.length}-${vals.value.at(-1)}` };
    const answer = await json2(app, 'ir.config_parameter/web_save', save, app.main.admin.key, headers);
    expect(answer.json()[0].value).toBe(vals.value);
  }
  for (const domain of [
    [['value', '=', parameterValue]],
    [['value', 'in', [invalid]]],
    [['value', 'is', invalid]],
  ])
    await callTool(app, app.main.admin.key, 'search', { model: 'ir.config_parameter', domain });
  const users = { model: 'res.users', domain: [['password', '=', invalid]] };
  await callTool(app, app.main.admin.key, 'count', users);
  return Object.fromEntries(
    Object.entries({ ...value, wrong: invalid, kept: parameterValue }).map(([name, secret]) => [
      `parameter ${name}`,
      secret,
    ]),
  );
}

/** Finds every plaintext occurrence in the database, as `table.column: kind`. */
async function findPlaces(secrets: Record<string, string>): Promise<string[]> {
  const tables = await queryRows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(100);
  const patterns = Object.values(secrets).flatMap((secret) => [secret, Buffer.from(secret).toString('hex')]);
  const places = new Set<string>();
  for (const { name } of tables) {
    const hits = await queryRows<{ column: string; value: string }>(
      `select e.key as column, e.value from ${name} t cross join jsonb_each_text(to_jsonb(t)) e
       where exists (select 1 from unnest($1::text[]) s where strpos(e.value, s) > 0)`,
      patterns,
    );
    for (const { column, value } of hits)
      for (const [kind, secret] of Object.entries(secrets))
        if (value.includes(secret) || value.includes(Buffer.from(secret).toString('hex')))
          places.add(`${name}.${column}: ${kind}`);
  }
  return [...places].sort();
}

test('stores no kind of secret in plain text', async () => {
  expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
  // Administrators may read and write parameters, so they are stored as plaintext.
  expect(await findPlaces(secrets)).toEqual(['public.ir_config_parameter.value: parameter set']);
});

test('writes no secret to logs, traces or metrics in any protocol', async () => {
  await postXml(`${app.url}/xmlrpc/2/common`, 'login', ['main', 'admin', app.main.admin.password]);
  await postJsonRpc(app, 'common', 'login', ['main', 'admin', 'planted-password-at-rpc']);
  const planted = {
    ...secrets,
    ...(await visitAddresses()),
    password: app.main.admin.password,
    'wrong password': 'planted-password-at-rpc',
  };
  const outputs = { log: logged, traces: traced, metrics: [await app.runtime.metrics.registry.metrics()] };
  const leaks = Object.entries(planted).flatMap(([kind, secret]) => {
    const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
    const lines = Object.entries(outputs).flatMap(([place, names]) =>
      names.map((line) => `${place}: ${kind}: ${line}`),
    );
    return lines.filter((line) => forms.some((form) => line.includes(form)));
  });
  expect(leaks).toEqual([]);
  expect(logged.length).toBeGreaterThan(150);
  expect(traced.some((line) => line.includes('/calendar/feed/'))).toBe(true);
});

test('redacts credentials in the paths of all routes in logs', () => {
  const routes = [createWebFacade, createMailBodyFacade, createOAuthFacade].flatMap(
    (open) => open(app.runtime).routes,
  );
  const secret = new Set(
    routes.map(({ path }) => path).filter((path) => /:(?:hash|signed|uid|token|secret|key)\b/.test(path)),
  );
  expect(secret.size).toBeGreaterThan(4);
  for (const path of secret)
    expect(redactPath(path.replaceAll(/:\w+/g, 'planted')), path).not.toContain('planted');
});

test.each([
  ['/', '/'],
  ['/web/image/7/a.png', '/web/image/7/a.png'],
  [
    '/api/v1/emails/3f2b8c1e-5d74-4c1a-9b0e-1a2b3c4d5e6f',
    '/api/v1/emails/3f2b8c1e-5d74-4c1a-9b0e-1a2b3c4d5e6f',
  ],
  ['/calendar/feed/1-2/abc/calendar.ics', '/calendar/feed/…'],
  ['/mail/%', '/mail/%'],
  [
    '/blog/how-to-write-an-email-that-people-read-in-2026',
    '/blog/how-to-write-an-email-that-people-read-in-2026',
  ],
  ['/uk_u1hzylq4yv_b5a0377b296992b7c225fd64f16e0e2', '/uk_u1hzylq4yv_…'],
  ['/a-AAAAARHHwzVuWXhjs51ctzJ8IpH9e-gMxEckVH8d3mk', '/…'],
  ['/x/e0b7cf14c34bf40302196dab', '/x/…'],
])('logs the path %s as %s', (path, logged) => {
  expect(redactPath(path)).toBe(logged);
});

test('finds planted text when it scans the database', async () => {
  const id = await getAdminCalls().create('res.partner', { name: 'planted in a name', comment: '<p>x</p>' });
  await getAdminCalls().create('ir.attachment', {
    name: 'f',
    datas: Buffer.from('planted bytes').toString('base64'),
  });
  const places = await findPlaces({ name: 'planted in a name', bytes: 'planted bytes' });
  expect(places).toContain('public.res_partner.name: name');
  expect(places.some((place) => place.endsWith(': bytes'))).toBe(true);
  expect(id).toBeGreaterThan(0);
});

test('records the name of a parameter in the audit trail without its value', async () => {
  await getAdminCalls().create('ir.config_parameter', { key: 'named.in.the.trail', value: 'planted' });
  const lines = await queryRows<{ summary: string }>(
    `select summary from svc_audit_event where event = 'ir.config_parameter.create'
     and summary::text like '%named.in.the.trail%'`,
  );
  expect(JSON.parse(lines[0]!.summary)).toEqual({ values: [{ key: 'named.in.the.trail', value: '***' }] });
});

test('rejects an Idempotency-Key for a method that returns a new secret', async () => {
  const { key } = app.main.admin;
  const count = async () => (await queryRows('select 1 from svc_api_key')).length;
  const before = await count();
  const generate = { key, name: 'twice', scope: 'rpc', expiration_date: '2030-01-01' };
  const answer = await json2(app, 'res.users.apikeys/generate', generate, key, { 'idempotency-key': 'g' });
  expect([answer.status, answer.json().message]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
  expect(await count()).toBe(before);
});

test('runs a job that encrypts plain-text webhook secrets without changing them', async () => {
  const { ctx, admin: owner } = app.main;
  const plain = { secret: 'an old secret in plain', old: 'an older secret in plain' };
  const [row] = await queryRows<{ id: number }>(
    `insert into svc_webhook (id, workspace_id, url, secret, old_secret) values (nextval('svc_webhook_id_seq'), $1, 'https://example.com', $2, $3)
     returning id`,
    ctx.workspace.id,
    plain.secret,
    plain.old,
  );
  expect(await findPlaces(plain)).toHaveLength(2);
  const worker = createJobs(app.runtime);
  await worker.start(true);
  try {
    await worker.enqueue(ctx, 'webhook-seal', {});
    await expect.poll(() => findPlaces(plain)).toEqual([]);
  } finally {
    await worker.stop();
  }
  const { data } = await postGraphql(app, `{ webhookSecret(id: ${row!.id}) }`, { key: owner.key });
  expect(data.webhookSecret).toBe(plain.secret);
});

test('reports a webhook secret that cannot be decrypted and allows its rotation', async () => {
  const { key } = app.main.admin;
  const [row] = await queryRows<{ id: number }>(
    `insert into svc_webhook (id, workspace_id, url, secret) values (nextval('svc_webhook_id_seq'), $1, 'https://example.com', 'sealed.v1:AAAA')
     returning id`,
    app.main.ctx.workspace.id,
  );
  const response = await postGraphql(app, `{ webhookSecret(id: ${row!.id}) }`, { key });
  expect(response.errors[0]!.message).toContain('Rotate');
  const { data } = await postGraphql(app, `mutation { webhookRotate(id: ${row!.id}) { secret } }`, { key });
  expect((await postGraphql(app, `{ webhookSecret(id: ${row!.id}) }`, { key })).data.webhookSecret).toBe(
    data.webhookRotate.secret,
  );
});

test('omits the operand from the logged error of a tool call', async () => {
  const domain = [['password', '=', 'planted-operand']];
  const result = await callTool(app, app.main.admin.key, 'count', { model: 'res.users', domain });
  expect(result.isError).toBe(true);
  // Excludes planted lines.
  const line = (await readLogLines(app.main)).find(
    ({ error }) => error && !String(error).includes('field x'),
  );
  expect(line!.error).toMatch(/in condition …$/);
  expect(JSON.stringify(line)).not.toContain('planted-operand');
});
