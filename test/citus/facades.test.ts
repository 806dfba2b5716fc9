import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { distributeTables } from '../../src/db/citus/distribute.ts';
import { migrateDatabase } from '../../src/db/migrations/migrate.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { type App, post, startAppOn } from '../harness/app.ts';
import { seedDatabase } from '../harness/database.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient, type JsonClient, json2 } from '../harness/facades/json2.ts';
import { runTool, switchMcp } from '../harness/facades/mcp.ts';
import { postXml } from '../harness/facades/xmlrpc.ts';
import { definePeer } from '../harness/peer.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import type { People } from '../harness/tenant.ts';
import { subscribe } from '../live/listen.ts';
import { type CitusCluster, findCitus, startCitus } from '../standins/citus.ts';

// Runs the facades on a cluster, in a workspace moved to it from a single server.

const citus = definePeer(findCitus(process.env.CITUS_BIN), 'a PostgreSQL with Citus (CITUS_BIN)', false);

citus.describe('on a cluster', () => {
  let cluster: CitusCluster;
  let app: App;
  let admin: JsonClient;
  let otherProcess: AppProcess;
  let numberedCount = 0;
  beforeAll(async () => {
    cluster = await startCitus(citus.module);
    let people!: People;
    const fill = async (emptyUrl: string) => {
      await migrateDatabase(emptyUrl);
      people = await seedDatabase(emptyUrl);
    };
    const { url } = await cluster.database('doors', fill);
    await distributeTables(url, 4, () => migrateDatabase(url));
    app = await startAppOn(
      { url, people, drop: () => cluster.end() },
      { LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal' },
    );
    admin = createJsonClient(app);
    await app.deliver();
    otherProcess = await startProcess({
      ROLE: 'web',
      DATABASE_URL: url,
      DATA_DIR: app.runtime.config.dataDir,
      SECRET_KEY: app.runtime.config.secretKey,
    });
  }, 600_000);
  afterAll(async () => {
    await otherProcess?.end('SIGKILL');
    await (app ? app.close() : cluster?.end());
  });

  const readRest = async (method: string, path: string, body?: unknown, key = app.main.teamKey) => {
    const response = await fetch(`${app.url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300);
    return JSON.parse(text);
  };

  const queryGraphql = async (query: string, variables: object = {}) => {
    const response = await postGraphql(app, query, { key: app.main.admin.key, variables });
    expect(response.errors, query).toEqual([]);
    return response.data;
  };

  const buildMail = (overrides = {}) => ({
    from: `a@${app.main.domain}`,
    to: 'b@example.org',
    subject: `s${++numberedCount}`,
    text: 't',
    ...overrides,
  });

  const expectDelivered = (id: string) =>
    expect.poll(async () => (await readRest('GET', `emails/${id}`)).latestStatus).toBe('DELIVERED');

  test('creates, reads, searches, groups, updates and deletes records through the JSON API', async () => {
    const parent = await admin.create('res.partner', { name: 'Parent', is_company: true });
    const id = await admin.create('res.partner', {
      name: 'Child',
      parent_id: parent,
      email: 'c@example.org',
    });
    expect(await admin.row('res.partner', id, ['display_name'])).toMatchObject({
      display_name: 'Parent, Child',
    });
    await admin.value('res.partner/write', { ids: [parent], vals: { name: 'Elder' } });
    expect(await admin.row('res.partner', id, ['display_name'])).toMatchObject({
      display_name: 'Elder, Child',
    });
    const search = { domain: [['id', 'child_of', parent]], fields: ['name'], order: 'name' };
    expect(
      (await admin.value('res.partner/search_read', search)).map((row: { name: string }) => row.name),
    ).toEqual(['Child', 'Elder']);
    const copy = await admin.value('res.partner/copy', { ids: [id] });
    await admin.value('res.partner/unlink', { ids: [id, ...[copy].flat()] });
    expect(await admin.value('res.partner/search_count', { domain: [['id', 'child_of', parent]] })).toBe(1);
    const groups = await admin.value('res.partner/read_group', {
      domain: [],
      fields: ['id:count'],
      groupby: ['is_company'],
    });
    expect(groups.length).toBeGreaterThan(0);
  });

  test('creates leads, orders and tasks with computed values', async () => {
    const lead = await admin.create('crm.lead', { name: 'Lead', type: 'opportunity', expected_revenue: 5 });
    expect(await admin.row('crm.lead', lead, ['stage_id', 'expected_revenue'])).toMatchObject({
      expected_revenue: 5,
    });
    const partner = await admin.create('res.partner', { name: 'Customer' });
    const product = await admin.create('product.product', { name: 'Thing', list_price: 7 });
    const order = await admin.create('sale.order', {
      partner_id: partner,
      order_line: [[0, 0, { product_id: product, product_uom_qty: 3 }]],
    });
    expect(await admin.row('sale.order', order, ['amount_untaxed'])).toMatchObject({ amount_untaxed: 21 });
    const project = await admin.create('project.project', { name: 'Project' });
    const task = await admin.create('project.task', { name: 'Task', project_id: project });
    expect(await admin.row('project.task', task, ['project_id'])).toMatchObject({
      project_id: [project, 'Project'],
    });
  });

  test('signs in, creates and reads records over XML-RPC', async () => {
    const { login, password } = app.main.admin;
    const { value: uid } = await postXml(`${app.url}/xmlrpc/2/common`, 'authenticate', [
      app.main.slug,
      login,
      password,
      {},
    ]);
    expect(uid).toBe(app.main.admin.id);
    const call = async (model: string, method: string, args: unknown[]) => {
      const response = await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', [
        app.main.slug,
        uid,
        password,
        model,
        method,
        args,
      ]);
      expect(response.fault).toBeUndefined();
      return response.value;
    };
    const id = await call('crm.tag', 'create', [{ name: 'By XML' }]);
    expect(await call('crm.tag', 'read', [[id], ['name']])).toEqual([{ id, name: 'By XML' }]);
  });

  test('sends, deduplicates and lists emails through the REST API', async () => {
    const body = buildMail();
    const responses = await Promise.all(
      [1, 2].map(() =>
        post(`${app.url}/api/v1/emails`, body, app.main.teamKey, { 'idempotency-key': 'once' }),
      ),
    );
    const ids = responses.filter(({ status }) => status === 200).map((answer) => answer.json().emailId);
    expect(new Set(ids).size, responses[0]!.text + responses[1]!.text).toBe(1);
    const batch = await readRest('POST', 'emails/batch', [buildMail(), buildMail()]);
    const batchIds = batch.data.map(({ emailId }: { emailId: string }) => emailId);
    for (const id of [...ids, ...batchIds]) await expectDelivered(id);
    const later = await readRest(
      'POST',
      'emails',
      buildMail({ scheduledAt: new Date(Date.now() + 3600_000).toISOString() }),
    );
    await readRest('POST', `emails/${later.emailId}/cancel`);
    expect((await readRest('GET', `emails/${later.emailId}`)).latestStatus).toBe('CANCELLED');
    expect((await readRest('GET', 'emails?limit=3')).data).toHaveLength(3);
  });

  test('batches concurrent calls into one statement with correct results', async () => {
    const numbers = Array.from({ length: 40 }, (_, i) => i);
    const warm = () =>
      Promise.all(numbers.map(() => admin.value('res.partner/search_count', { domain: [] })));
    const createLead = (i: number) => admin.create('crm.lead', { name: `together ${i}` });
    await warm();
    const ids = await Promise.all(numbers.map(createLead));
    await Promise.all(
      ids.map((id, i) => admin.value('crm.lead/write', { ids: [id], vals: { city: `C${i}` } })),
    );
    const rows = await Promise.all(ids.map((id) => admin.row('crm.lead', id, ['name', 'city'])));
    expect(rows).toEqual(ids.map((id, i) => ({ id, name: `together ${i}`, city: `C${i}` })));
    const update =
      'mutation ($id: ID!, $n: String!) { crmLeadUpdate(id: $id, input: { name: $n }) { id name city } }';
    const changed = await Promise.all(
      ids.map((id, i) => queryGraphql(update, { id: String(id), n: `graph ${i}` })),
    );
    expect(changed.map((data) => data.crmLeadUpdate)).toEqual(
      ids.map((id, i) => ({ id: String(id), name: `graph ${i}`, city: `C${i}` })),
    );
    await admin.value('crm.lead/unlink', { ids });
    await warm();
    const sent = await Promise.all(numbers.map(() => readRest('POST', 'emails', buildMail())));
    for (const { emailId } of sent) await expectDelivered(emailId);
  });

  test('sends a campaign to the contacts of its book', async () => {
    const { id: book } = await readRest('POST', 'contactBooks', { name: 'Readers' });
    for (const email of ['ann@example.net', 'bob@example.net'])
      await readRest('POST', `contactBooks/${book}/contacts`, { email });
    const { id } = await readRest('POST', 'campaigns', {
      name: 'Spring',
      from: `news@${app.main.domain}`,
      subject: 'Hello',
      contactBookId: book,
      html: '<a href="{{usesend_unsubscribe_url}}">leave</a>',
    });
    await readRest('POST', `campaigns/${id}/schedule`, {});
    await runDueCampaigns(app.runtime);
    await expect.poll(async () => (await readRest('GET', `campaigns/${id}`)).sent).toBe(2);
  });

  test('reads and writes records through GraphQL, and notifies a subscriber of another process', async () => {
    const subscription = await subscribe(otherProcess.url, {
      key: app.main.admin.key,
      query: 'subscription { crmTagChanged { kind id record { name } } }',
    });
    const { crmTagCreate: tag } = await queryGraphql(
      'mutation { crmTagCreate(input: { name: "By GraphQL" }) { id name } }',
    );
    expect(tag.name).toBe('By GraphQL');
    // Workers record no individual changes, so subscribers must reload.
    expect(await subscription.waitForEvents(1)).toMatchObject([{ kind: 'RESYNC' }]);
    subscription.close();
    const { crmLeads } = await queryGraphql(
      '{ crmLeads(first: 5) { nodes { id name stage { name } partner { name } } totalCount } }',
    );
    expect(crmLeads.nodes.length).toBe(crmLeads.totalCount);
  });

  test('searches and creates records through MCP', async () => {
    await switchMcp(app, app.main, true);
    for (const name of ['Contact 1', 'Contact 2', 'Contact 3']) await admin.create('res.partner', { name });
    const search = { model: 'res.partner', domain: [['name', 'like', 'Contact ']], fields: ['name'] };
    const result = await runTool(app, app.main.admin.key, 'search', search);
    expect(result.structuredContent).toMatchObject({ _count: 3 });
    expect((await readRest('GET', 'emails?limit=1')).data).toHaveLength(1);
  });

  test('signs in a new user and disables a revoked key in another process', async () => {
    const login = 'new@example.org';
    const id = await admin.create('res.users', { name: 'New', login, password: 'a long password 1' });
    expect(await admin.row('res.users', id, ['login'])).toMatchObject({ login });
    const { key } = await createKey(app.main.ctx, { name: 'soon gone', userId: id, scopes: [], days: null });
    const readStatus = async () => (await json2(otherProcess, 'res.users/context_get', {}, key)).status;
    expect(await readStatus()).toBe(200);
    const revokedResponse = await postGraphql(app, 'mutation ($key: String!) { userKeyRevoke(key: $key) }', {
      key,
      variables: { key },
    });
    expect(revokedResponse.errors).toEqual([]);
    await vi.waitFor(async () => expect(await readStatus()).toBe(401), 20_000);
  });

  test('applies revoked rights in another process', async () => {
    const count = async () =>
      (await json2(otherProcess, 'crm.lead/search_count', { domain: [] }, app.main.admin.key)).status;
    expect(await count()).toBe(200);
    const search = { domain: [['model_id.model', '=', 'crm.lead']], context: { active_test: false } };
    const ids = await admin.value('ir.model.access/search', search);
    await admin.value('ir.model.access/write', { ids, vals: { active: false } });
    await vi.waitFor(async () => expect(await count()).toBe(403), 20_000);
    await admin.value('ir.model.access/write', { ids, vals: { active: true } });
    await vi.waitFor(async () => expect(await count()).toBe(200), 20_000);
  });

  test('creates a workspace whose users can sign in', async () => {
    const tenant = await app.tenant('second');
    const answer = await json2(app, 'res.partner/search_count', { domain: [] }, tenant.admin.key);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json()).toBeGreaterThan(0);
  });

  test('runs all scheduled jobs', async () => {
    const failed: string[] = [];
    for (const job of listScheduledJobs())
      await job.run(app.runtime, {}).catch((error) => failed.push(`${job.name}: ${error.message}`));
    expect(failed).toEqual([]);
  });

  test('stores no rows of workspace tables on the coordinator', async () => {
    const client = new pg.Client({ connectionString: app.databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      `select logicalrelid::text as table from pg_dist_partition where partmethod = 'h' and pg_relation_size(logicalrelid) > 0`,
    );
    await client.end();
    expect(rows).toEqual([]);
  });
});
