import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type EmbeddedServer, startEmbedded } from '../src/db/embedded/embedded.ts';
import { isOutage } from '../src/db/outage.ts';
import { openDatabase } from '../src/db/pool.ts';
import { type Sql, sql } from '../src/db/sql.ts';
import { json2 } from './harness/facades/json2.ts';
import { buildRequest, switchMcp } from './harness/facades/mcp.ts';
import { setUpTeam } from './harness/facades/rest.ts';
import { postJsonRpc } from './harness/facades/rpc.ts';
import { postXml } from './harness/facades/xmlrpc.ts';
import { type AppProcess, startProcess } from './harness/process.ts';
import { until } from './harness/wait.ts';
import { CUT_MARKER, startCutter } from './standins/cutter.ts';

// Responses while the database is unavailable: callers are asked to retry, unless the operation may have taken effect.

const team = setUpTeam();
const cleanups: (() => unknown)[] = [];

afterAll(async () => {
  for (const end of cleanups.reverse()) await end();
});

function createFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'atrium outage '));
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const AWAY = 'The database cannot be reached at the moment. Try again.';

/** Calls all facades and returns the parts of the responses that concern retries. */
async function callAllFacades(url: string, key: string) {
  const bearer = { authorization: `Bearer ${key}` };
  const readOutcome = async (path: string, init: RequestInit) => {
    const response = await fetch(url + path, { redirect: 'manual', ...init });
    const text = await response.text();
    const { status, headers } = response;
    return { status, after: headers.get('retry-after'), isBusy: text.includes(AWAY), text };
  };
  const post = (path: string, body: object, headers: object = bearer) =>
    readOutcome(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const queryGraphql = (query: string) => post('/graphql', { query });
  const email = { from: 'a@main.localhost', to: 'b@example.org', subject: 's', text: 't' };
  return {
    graphql: await queryGraphql('{ partners { totalCount } }'),
    settings: await queryGraphql('{ contactBooks { nodes { id } } }'),
    change: await queryGraphql('mutation { contactBookCreate(book: { name: "x" }) { id } }'),
    rest: await readOutcome('/api/v1/domains', { headers: bearer }),
    email: await post('/api/v1/emails', email),
    json2: await post('/json/2/res.partner/search', { domain: [] }),
    json2Change: await post('/json/2/res.partner/create', { vals_list: [{ name: 'x' }] }),
    mcp: await post('/mcp', buildRequest('tools/list')),
    login: await readOutcome('/login', {
      method: 'POST',
      body: new URLSearchParams({ login: 'admin', password: 'x' }),
    }),
  };
}

async function stop(server: EmbeddedServer) {
  process.kill(server.pid, 'SIGINT');
  await server.stop();
}

test('returns BUSY in every facade while the database is unavailable, and recovers', {
  tags: 'soak',
  timeout: 240_000,
}, async () => {
  const dir = createFolder();
  let server = await startEmbedded(dir, { fsync: false });
  const app: AppProcess = await startProcess({ DATABASE_URL: server.url, DATA_DIR: createFolder() });
  cleanups.push(() => app.end('SIGKILL'));
  const key = /us_[0-9a-z]{10}_[0-9a-f]{32}/.exec(app.output())![0];
  const before = await callAllFacades(app.url, key);
  expect(Object.values(before).filter(({ isBusy, status }) => isBusy || status >= 500)).toEqual([]);
  await stop(server);
  await until(async () => !(await fetch(`${app.url}/api/ready`)).ok, 'not ready');
  const [outcomes, lines] = [await callAllFacades(app.url, key), () => app.output().split('\n')];
  for (let i = 0; i < 3; i++) await callAllFacades(app.url, key);
  const rest = { status: 503, after: '1', isBusy: true };
  for (const facade of ['rest', 'email', 'json2', 'json2Change', 'login', 'mcp'] as const)
    expect(outcomes[facade], facade).toMatchObject(rest);
  for (const facade of ['graphql', 'settings', 'change'] as const) {
    expect(outcomes[facade], `${facade} ${outcomes[facade].text}`).toMatchObject({ isBusy: true });
    expect(JSON.parse(outcomes[facade].text).errors[0].extensions).toMatchObject({
      code: 'BUSY',
      status: 503,
    });
  }
  const rpc = (
    await postJsonRpc(app, 'object', 'execute_kw', ['main', 2, key, 'res.partner', 'search', [[]]])
  ).json();
  expect(rpc.error.data).toMatchObject({ name: 'odoo.exceptions.LockError', message: AWAY });
  const xml = await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', [
    'main',
    2,
    key,
    'res.partner',
    'search',
    [[]],
  ]);
  expect(JSON.stringify(xml)).toContain(AWAY);
  const metrics = await fetch(`${app.url}/metrics`);
  expect(metrics.status).toBe(200);
  const figures = await metrics.text();
  expect(figures).toMatch(/^atrium_database_up 0$/m);
  expect(figures).not.toMatch(/^atrium_email_queued /m);
  expect(lines().filter((line) => line.includes('the database cannot be reached; until'))).toHaveLength(1);
  expect(lines().filter((line) => line.includes('unexpected error'))).toEqual([]);
  server = await startEmbedded(dir, { fsync: false });
  cleanups.push(() => server.stop());
  await until(async () => (await fetch(`${app.url}/api/ready`)).ok, 'ready again');
  const after = await callAllFacades(app.url, key);
  expect(Object.values(after).filter(({ isBusy, status }) => isBusy || status >= 500)).toEqual([]);
  expect(lines().filter((line) => line.includes('the database is reachable again'))).toHaveLength(1);
  expect(await (await fetch(`${app.url}/metrics`)).text()).toMatch(/^atrium_database_up 1$/m);
});

/** Terminates connections whose statement matches `like`, once there is one. */
async function terminateBackends(like: string) {
  await until(async () => {
    const cuts = await team.runtime.db.rows(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query ilike ${like}`,
    );
    return cuts.length > 0;
  }, `there is ${like}`);
}

/** Simulates tables whose Citus node is unavailable, with a function that raises the same error. */
async function testWithoutDatabase(
  reads: string[],
  countedTable: string,
  fn: () => Promise<void>,
): Promise<void> {
  const { pool } = team.runtime.db;
  const readAll = (item: (table: string) => string) => pool.query(reads.map(item).join(';'));
  await pool.query(`create function node_away() returns boolean language plpgsql volatile as $$ begin
      raise exception 'connection to the remote node failed' using errcode = '08006'; end $$;
    create function node_away_row() returns trigger language plpgsql as $$ begin perform node_away(); return new; end $$;
    create trigger node_away before insert or update on ${countedTable} for each row execute function node_away_row()`);
  await readAll(
    (table) => `alter table ${table} rename to ${table}_away;
    create view ${table} as select * from ${table}_away where (select node_away())`,
  );
  try {
    await fn();
  } finally {
    await readAll((table) => `drop view ${table}; alter table ${table}_away rename to ${table}`);
    await pool.query(
      `drop trigger node_away on ${countedTable}; drop function node_away_row; drop function node_away`,
    );
  }
}

test('returns BUSY in every facade while a node is unavailable', async () => {
  const tag = { vals_list: [{ name: 'Away' }] };
  const { key } = team.main.admin;
  const contact = await json2(team, 'res.partner/create', { vals_list: [{ name: 'There' }] }, key);
  expect(contact.status).toBe(200);
  await switchMcp(team, team.main, true);
  const tables = ['svc_contact_book', 'res_partner_category', 'svc_oauth_payload'];
  await testWithoutDatabase(tables, 'workspace_counter', async () => {
    const facades = await callAllFacades(team.url, key);
    const responses = {
      ...facades,
      stream: await json2(team, 'res.partner.category/search_read', { domain: [] }, key),
      count: await json2(team, 'res.partner.category/search_count', { domain: [] }, key),
      create: await json2(team, 'res.partner.category/create', tag, key),
    };
    for (const facade of ['email', 'json2Change', 'stream', 'count', 'create'] as const)
      expect(
        [responses[facade].status, responses[facade].text.includes(AWAY)],
        `${facade} ${responses[facade].text}`,
      ).toEqual([503, true]);
    for (const facade of ['settings', 'change'] as const)
      expect(
        JSON.parse(responses[facade].text).errors[0].extensions,
        `${facade} ${responses[facade].text}`,
      ).toMatchObject({
        code: 'BUSY',
        status: 503,
      });
    const rpc = await postJsonRpc(team, 'object', 'execute_kw', [
      'main',
      team.main.admin.id,
      key,
      'res.partner',
      'create',
      [{ name: 'x' }],
    ]);
    expect(rpc.json().error.data).toMatchObject({ name: 'odoo.exceptions.LockError', message: AWAY });
    const token = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: 'x'.repeat(43),
      client_id: 'unknown',
    });
    const oauth = [
      await fetch(`${team.url}/oauth/token`, { method: 'POST', body: token }),
      await fetch(`${team.url}/oauth/authorize?client_id=unknown&response_type=code`),
    ];
    expect(oauth.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [503, '1'],
      [503, '1'],
    ]);
    expect(await oauth[0]!.json()).toEqual({ error: 'temporarily_unavailable', error_description: AWAY });
    expect([responses.rest.status, responses.json2.status]).toEqual([200, 200]);
  });
});

test('returns BUSY if a connection is lost before the commit, even for a change', async () => {
  const holder = await team.runtime.db.pool.connect();
  await holder.query('begin');
  await holder.query('lock table res_partner in access exclusive mode');
  const body = { vals_list: [{ name: 'Cut off' }] };
  const creation = json2(team, 'res.partner/create', body, team.main.admin.key);
  await terminateBackends('%res_partner%');
  expect(await creation).toMatchObject({ status: 503 });
  const search = json2(team, 'res.partner/search', { domain: [] }, team.main.admin.key);
  await terminateBackends('%res_partner%');
  expect(await search).toMatchObject({ status: 503 });
  await holder.query('rollback');
  holder.release();
  const response = await json2(
    team,
    'res.partner/search',
    { domain: [['name', '=', 'Cut off']] },
    team.main.admin.key,
  );
  expect(response.json()).toEqual([]);
});

const CITUS = 'connection to the remote node atrium@10.0.0.2:5432 failed';
const LOST = `${CITUS} with the following error: server closed the connection unexpectedly`;
const REFUSED = `${CITUS} with the following error: connection to server at "10.0.0.2", port 5432 failed: refused`;

const buildDatabaseUrl = () => team.runtime.db.directUrl;

test.each([
  { code: '08006', message: REFUSED, read: true, change: true, onCitus: true },
  {
    code: '08006',
    message: `${CITUS} with the following error: Connection refused\n\tIs the server running on that host`,
  },
  { code: 'XX000', message: 'failure on connection marked as essential: 10.0.0.2:5432' },
  { code: '08006', message: 'could not establish any connections to the node 10.0.0.2:5432 after 5000 ms' },
  { code: '08006', message: LOST, change: false, onCitus: false },
  { code: '08006', message: CITUS, change: false, onCitus: false },
  { code: '08P01', message: 'server conn crashed?', change: false, onCitus: false },
  { code: '57P01', message: 'terminating connection due to administrator command', onCitus: false },
  { code: '57P02', message: 'terminating connection because of crash', change: false, onCitus: false },
  { code: '57P03', message: 'the database system is starting up' },
  { code: '53300', message: 'sorry, too many clients already' },
  { code: '23514', message: 'a check failed', read: false, change: false, onCitus: false },
])(
  'reports a database error that leaves no change as retryable: $code $message',
  async ({ code, message, read = true, change = true, onCitus = true }) => {
    const { pool } = team.runtime.db;
    await pool.query(`create function fail_as(code text, message text) returns boolean language plpgsql volatile as $$
      begin raise exception using errcode = code, message = message; end $$`);
    const database = openDatabase(buildDatabaseUrl(), team.runtime.log, { size: 1 });
    const runExpectingError = (statement: Sql) =>
      database.rows(statement).then(() => expect.unreachable(), isOutage);
    const readingSql = sql`select fail_as(${code}, ${message})`;
    const changingSql = sql`update installation set name = name where fail_as(${code}, ${message})`;
    const inTransaction = () =>
      database.transaction((tx) => tx.rows(changingSql)).then(() => expect.unreachable(), isOutage);
    try {
      const separate = [
        await runExpectingError(readingSql),
        await runExpectingError(changingSql),
        await inTransaction(),
      ];
      database.invalidations.trackTables(new Set(['res_partner']), new Map());
      expect([...separate, await runExpectingError(changingSql)]).toEqual([read, change, read, onCitus]);
    } finally {
      await database.close();
      await pool.query('drop function fail_as');
    }
  },
);

test('does not return BUSY if the response to a change is lost', async () => {
  const cutter = await startCutter(buildDatabaseUrl());
  const db = openDatabase(cutter.url, team.runtime.log, { size: 2 });
  const change = sql`update installation set name = name where name <> ${CUT_MARKER}`;
  const isBusy = (request: Promise<unknown>) => request.then(() => expect.unreachable(), isOutage);
  try {
    expect(await isBusy(db.rows(change))).toBe(false);
    expect(await isBusy(db.rows(sql`select ${CUT_MARKER}::text`))).toBe(true);
    expect(await isBusy(db.transaction((tx) => tx.rows(change)))).toBe(true);
    const finished = db.transaction((tx) => {
      const changing = tx.rows(change);
      tx.finish();
      return changing;
    });
    expect(await isBusy(finished)).toBe(false);
  } finally {
    await db.close();
    await cutter.end();
  }
});

test("returns BUSY if a transaction's connection is lost before the commit is sent", async () => {
  const { db } = team.runtime;
  const committing = db.transaction(async (tx) => {
    const [{ pid }] = (await tx.rows<{ pid: number }>(sql`select pg_backend_pid() as pid`)) as [
      { pid: number },
    ];
    await db.rows(sql`select pg_terminate_backend(${pid}, 10000)`);
  });
  expect(await committing.then(() => expect.unreachable(), isOutage)).toBe(true);
});

test('does not report a request as retryable after it has committed a change', async () => {
  const { db } = team.runtime;
  const requestDb = db.forRequest(1);
  expect(requestDb.hasChanged()).toBe(false);
  await requestDb.rows(sql`select 1`);
  expect(requestDb.hasChanged()).toBe(false);
  await requestDb.transaction((tx) => tx.rows(sql`select 1`));
  expect(requestDb.hasChanged()).toBe(true);
});
