import { beforeAll, expect, test, vi } from 'vitest';
import { EMAILS_PER_CHECKPOINT } from '../../schema/email/emails/page-checkpoints.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';
import { prefixStatement, renderText } from '../harness/sql.ts';
import type { Tenant } from '../harness/tenant.ts';

const team = setUpTeam();
let otherTenant: Tenant;
const ids: string[] = [];
beforeAll(async () => {
  otherTenant = await team.tenant('other');
  const body = Array.from({ length: 60 }, (_, i) => buildMail({ subject: `s${i}` }));
  const { json } = await team.batch(body);
  ids.push(...json.data.map((row: { emailId: string }) => row.emailId).reverse());
  await team.ask('POST', '/api/v1/emails', {
    key: otherTenant.teamKey,
    body: buildMail({ from: 'x@other.test' }),
  });
});

const list = (query = '') => team.ask('GET', `/api/v1/emails${query}`);
const getIds = (response: { json: { data: { id: string }[] } }) => response.json.data.map((row) => row.id);

test('GET /emails returns the newest 50 emails and the total count by default', async () => {
  const { status, json } = await list();
  expect(status).toBe(200);
  expect(Object.keys(json)).toEqual(['data', 'count']);
  expect(json.count).toBe(60);
  expect(json.data.map((row: { id: string }) => row.id)).toEqual(ids.slice(0, 50));
  expect(json.data[0]).toEqual({
    id: ids[0],
    to: ['ann@example.net'],
    replyTo: [],
    cc: [],
    bcc: [],
    from: 'Main Team <hello@main.test>',
    subject: 's59',
    html: '<p>Hi</p>',
    text: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: expect.stringMatching(/Z$/),
    latestStatus: 'QUEUED',
    scheduledAt: null,
    domainId: expect.any(Number),
  });
});

test('pages through every email exactly once', async () => {
  const met: string[] = [];
  for (let page = 1, count = 1; met.length < count; page++) {
    const response = await list(`?page=${page}&limit=7`);
    count = response.json.count;
    expect(response.json.data.length).toBeGreaterThan(0);
    met.push(...getIds(response));
  }
  expect(met).toEqual(ids);
  expect((await list('?page=10&limit=7')).json).toEqual({ data: [], count: 60 });
});

test.each(['', '&page=3', '&page=3&limit=50'])(
  'returns no emails for a range that ends before it starts: %s',
  async (extra) => {
    const { status, json } = await list(`?startDate=2099-12-01&endDate=2020-11-01${extra}`);
    expect([status, json]).toEqual([200, { data: [], count: 0 }]);
  },
);

test.each([
  'limit=0',
  'limit=51',
  'limit=1000000000000',
  'limit=abc',
  'limit=',
  'limit=1.5',
  'limit=-1',
  'limit=1&limit=2',
  'page=0',
  'page=-1',
  'page=x',
  'page=99999999999999',
  'startDate=soon',
  'endDate=2026-02-31T00:00:00Z',
  'endDate=9999-12-31T23:59:59-10:00',
  'startDate=0000-01-01',
  'domainId=x',
  'domainId=99999999999',
])('rejects GET /emails?%s with BAD_REQUEST and names the parameter', async (query) => {
  const { status, json } = await list(`?${query}`);
  expect(status).toBe(400);
  expect(json).toEqual(buildExpectedEnvelope('BAD_REQUEST'));
  expect(json.error.message).toContain(query.split('=')[0]);
});

test('filters by startDate and endDate', async () => {
  const at = (await list('?limit=1')).json.data[0].createdAt;
  const [before, after] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.parse(at) + ms).toISOString());
  expect((await list(`?startDate=${before}&endDate=${after}`)).json.count).toBe(60);
  expect((await list(`?startDate=${after}`)).json.count).toBe(0);
  expect((await list(`?startDate=2020-01-01T00:00:00+02:00&endDate=${before}`)).json.count).toBe(0);
  expect((await list(`?startDate=${before!.slice(0, -1)}`)).json.count).toBe(60);
});

test('filters by one or more domainId parameters', async () => {
  const domain = (await list('?limit=1')).json.data[0].domainId;
  expect((await list(`?domainId=${domain}`)).json.count).toBe(60);
  expect((await list(`?domainId=${domain + 1000}`)).json).toEqual({ data: [], count: 0 });
  expect((await list(`?domainId=${domain + 1000}&domainId=${domain}`)).json.count).toBe(60);
});

test('GET /emails/{emailId} returns the email with its events', async () => {
  const { status, json } = await team.ask('GET', `/api/v1/emails/${ids[3]}`);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id: ids[3],
    teamId: team.main.ctx.workspace.id,
    subject: 's56',
    emailEvents: [],
  });
});

test("another team's email and an unknown one return the same 404", async () => {
  const foreignResponse = await team.ask('GET', `/api/v1/emails/${ids[0]}`, { key: otherTenant.teamKey });
  const unknownResponse = await team.ask('GET', '/api/v1/emails/nothing', { key: otherTenant.teamKey });
  expect(foreignResponse.status).toBe(404);
  expect(foreignResponse.json).toEqual(buildExpectedEnvelope('NOT_FOUND'));
  expect(foreignResponse.text).toBe(unknownResponse.text);
});

test("lists only the team's own emails", async () => {
  const { json } = await team.ask('GET', '/api/v1/emails', { key: otherTenant.teamKey });
  expect(json.count).toBe(1);
  expect(json.data[0].from).toBe('x@other.test');
});

test("GET /domains returns the team's domains", async () => {
  const { status, json } = await team.ask('GET', '/api/v1/domains');
  expect(status).toBe(200);
  expect(json).toHaveLength(1);
  expect(json[0]).toMatchObject({
    id: expect.any(Number),
    name: 'main.test',
    teamId: team.main.ctx.workspace.id,
    status: 'SUCCESS',
  });
  // The local transport requires no DNS records.
  expect(json[0].dnsRecords).toEqual([]);
  expect(
    (await team.ask('GET', '/api/v1/domains', { key: otherTenant.teamKey })).json.map(
      (row: { name: string }) => row.name,
    ),
  ).toEqual(['other.test']);
});

test.each(['emails', 'domains'])(
  'returns the same response for GET /%s below the base URL with an additional /v1',
  async (name) => {
    const plainResponse = await team.ask('GET', `/api/v1/${name}`);
    for (const path of [`/api/v1/v1/${name}`, `/api/v1/api/v1/${name}`, `//api/v1/${name}`]) {
      const literal = await team.ask('GET', path);
      expect(literal.status).toBe(200);
      expect(literal.text).toBe(plainResponse.text);
    }
  },
);

test('includes both ends of a date range', async () => {
  const at = (await list('?limit=1')).json.data[0].createdAt;
  const { json } = await list(`?startDate=${at}&endDate=${at}`);
  expect(json.count).toBe(60);
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Returns the scans of the email table in a plan that uses an index wherever possible. */
async function listScans(query: Sql): Promise<{ node: string; rows: number }[]> {
  const scannedNodes: { node: string; rows: number }[] = [];
  const walk = (plan: Plan): void => {
    const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
    if (plan['Relation Name'] === 'svc_email') scannedNodes.push({ node: plan['Node Type'], rows });
    plan.Plans?.forEach(walk);
  };
  await team.runtime.db.transaction(async (db) => {
    await db.rows(sql`set local enable_seqscan = off`);
    await db.rows(sql`set local enable_bitmapscan = off`);
    const [row] = await db.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      prefixStatement('explain (analyze, format json)', query),
    );
    walk(row!['QUERY PLAN'][0].Plan);
  });
  return scannedNodes;
}

test('returns the same pages and counts as a full scan of a long list', async () => {
  const longTenant = await team.tenant('long');
  const { id: workspace } = longTenant.ctx.workspace;
  // Emails share timestamps, and their ids do not follow the time.
  await longTenant.ctx.db.rows(
    sql`insert into svc_email (id, workspace_id, domain_id, public_id, "from", "to", subject, state, latest_status, create_date)
     select nextval('svc_email_id_seq'), ${workspace}, d.id, 'long' || n, 'a@long.test', '{b@example.org}', 's', 'sent', 'SENT', timestamp '2026-01-01' + (n * 7 % 5200) / 3 * interval '1 second'
     from svc_domain d, generate_series(1, 5200) n where d.workspace_id = ${workspace}`,
  );
  const truth = await longTenant.ctx.db.rows<{ public_id: string; at: string }>(
    sql`select public_id, to_char(create_date, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from svc_email where workspace_id = ${workspace} order by create_date desc, id desc`,
  );
  const runQuery = async (query: string) =>
    (await team.ask('GET', `/api/v1/emails?${query}`, { key: longTenant.teamKey })).json;
  const check = async (query: string, expected: typeof truth, page: number, size: number) => {
    const response = await runQuery(`page=${page}&limit=${size}${query}`);
    expect(response.count, query).toBe(expected.length);
    expect(getIds({ json: response }), `${query} page ${page}`).toEqual(
      expected.slice((page - 1) * size, page * size).map((row) => row.public_id),
    );
  };
  const domain = (await runQuery('limit=1')).data[0].domainId;
  for (const filter of ['', `&domainId=${domain}`])
    for (const page of [1, 2, 20, 41, 42, 43, 60, 61, 80, 100, 103, 104, 105, 5000])
      await check(filter, truth, page, 50);
  for (const [start, end] of [
    [3000, 100],
    [5100, 4900],
    [5199, 0],
    [1001, 999],
  ]) {
    const [from, to] = [truth[start!]!.at, truth[end!]!.at];
    const within = truth.filter((row) => row.at >= from && row.at <= to);
    for (const page of [1, 3, 41, 50, 58, 59])
      await check(`&startDate=${from}&endDate=${to}`, within, page, 50);
  }
  const several = await runQuery(`domainId=${domain}&domainId=${domain + 100000}&page=70`);
  expect([several.count, several.data[0].id]).toEqual([5200, truth[69 * 50]!.public_id]);
  // Deep pages use an index and read about as many rows as the first pages.
  const spy = vi.spyOn(team.runtime.db, 'rows');
  await runQuery(`page=103`);
  await runQuery(`page=103&domainId=${domain}`);
  const listQueries = spy.mock.calls.filter(([query]) => renderText(query).includes('from svc_email m'));
  spy.mockRestore();
  expect(listQueries.length).toBeGreaterThanOrEqual(2);
  for (const [query] of listQueries) {
    const text = renderText(query);
    const scanned = await listScans(query);
    expect(scanned.length, text).toBeGreaterThan(0);
    for (const { node, rows } of scanned) {
      expect(node, text).toMatch(/^Index( Only)? Scan$/);
      expect(rows, text).toBeLessThan(2 * EMAILS_PER_CHECKPOINT);
    }
  }
  // The count includes new emails.
  await longTenant.ctx.db.rows(
    sql`insert into svc_email (id, workspace_id, public_id, "from", "to", subject, state) select nextval('svc_email_id_seq'), ${workspace}, 'new' || n, 'a@long.test', '{b@example.org}', 's', 'sent' from generate_series(1, 30) n`,
  );
  const later = await runQuery('page=60');
  expect([later.count, later.data[30].id]).toEqual([5230, truth[59 * 50]!.public_id]);
});
