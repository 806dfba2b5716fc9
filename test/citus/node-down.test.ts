import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { distributeTables } from '../../src/db/citus/distribute.ts';
import { migrateDatabase } from '../../src/db/migrations/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { type App, post, startAppOn } from '../harness/app.ts';
import { runCli } from '../harness/cli.ts';
import { seedDatabase } from '../harness/database.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { buildRequest, switchMcp } from '../harness/facades/mcp.ts';
import { postJsonRpc } from '../harness/facades/rpc.ts';
import { postXml } from '../harness/facades/xmlrpc.ts';
import { definePeer } from '../harness/peer.ts';
import { type People, SECRET_KEY, type Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';
import { type CitusCluster, findCitus, startCitus } from '../standins/citus.ts';

import { createWorkload, runAll } from './workload.ts';

// A worker node is killed while several workspaces are in use, and is then restarted.

const citus = definePeer(findCitus(process.env.CITUS_BIN), 'a PostgreSQL with Citus (CITUS_BIN)', false);

const AWAY = 'The database cannot be reached at the moment. Try again.';

interface Outcome {
  subject: string;
  status: number;
  retryAfter: string | null;
  text: string;
}

interface Load {
  outcomes: Outcome[];
  end(): Promise<void>;
}

citus.describe('a cluster', () => {
  let cluster: CitusCluster;
  let app: App;
  /** Number of times that each email was handed over to the provider, by public id. */
  const sends = new Map<string, number>();
  beforeAll(async () => {
    cluster = await startCitus(citus.module);
    let people!: People;
    const database = await cluster.database('crash', async (emptyUrl) => {
      await migrateDatabase(emptyUrl);
      people = await seedDatabase(emptyUrl);
    });
    await distributeTables(database.url, 4, () => migrateDatabase(database.url));
    app = await startAppOn({ url: database.url, people, drop: () => cluster.end() });
    await switchMcp(app, app.main, true);
    await app.deliver({
      transport: {
        name: 'ses',
        async send({ emailId }) {
          sends.set(emailId, (sends.get(emailId) ?? 0) + 1);
          return { kind: 'sent', providerId: emailId };
        },
        limits: async () => null,
        close: async () => undefined,
      },
    });
  }, 600_000);
  afterAll(async () => {
    await (app ? app.close() : cluster?.end());
  });

  /** Returns the port of the node that stores the workspace. */
  async function loadPort({ ctx }: Tenant): Promise<number> {
    const { rows } = await app.runtime.db.pool.query<{ port: number }>(
      `select nodeport as port from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('workspace_counter', $1::int)`,
      [ctx.workspace.id],
    );
    return rows[0]!.port;
  }

  /** Creates a workspace on the node if `isThere` is true, otherwise on another node. */
  async function createTenantOn(port: number, isThere: boolean): Promise<Tenant> {
    for (let attempt = 0; ; attempt++) {
      const tenant = await app.tenant(`${isThere ? 'same' : 'other'}${attempt}`);
      if (((await loadPort(tenant)) === port) === isThere) return tenant;
    }
  }

  async function send(tenant: Tenant, subject: string): Promise<Outcome> {
    const body = { from: `a@${tenant.domain}`, to: 'b@example.org', subject, text: 't' };
    const { status, headers, text } = await post(`${app.url}/api/v1/emails`, body, tenant.teamKey);
    return { subject, status, retryAfter: headers.get('retry-after'), text };
  }

  const create = async (tenant: Tenant, name: string): Promise<number> =>
    (await json2(app, 'res.partner/create', { vals_list: [{ name }] }, tenant.admin.key)).status;

  /** Sends one email after another on three connections until it is stopped. */
  function startLoad(tenant: Tenant): Load {
    const outcomes: Outcome[] = [];
    let isOver = false;
    const lanes = [1, 2, 3].map(async (lane) => {
      for (let n = 0; !isOver; n++) outcomes.push(await send(tenant, `${tenant.slug} ${lane} ${n}`));
    });
    return {
      outcomes,
      async end() {
        isOver = true;
        await Promise.all(lanes);
      },
    };
  }

  const loadEmails = ({ ctx }: Tenant) =>
    app.runtime.db.rows<{ public_id: string; subject: string; state: string }>(
      sql`select public_id, subject, state from svc_email where workspace_id = ${ctx.workspace.id}`,
    );

  const loadReadiness = async () => (await fetch(`${app.url}/api/ready`)).json();
  const loadMetrics = async () => (await fetch(`${app.url}/metrics`)).text();

  /** Asserts that every protocol asks the caller to retry. */
  async function expectRefusals(tenant: Tenant): Promise<void> {
    const { key } = tenant.admin;
    const refused = { status: 503, retryAfter: '1' };
    expect(await send(tenant, 'refused')).toMatchObject(refused);
    for (const [path, body] of [
      ['/json/2/res.partner/search', { domain: [] }],
      ['/json/2/res.partner/create', { vals_list: [{ name: 'refused' }] }],
      ['/mcp', buildRequest('tools/call', { name: 'search', arguments: { model: 'res.partner' } })],
    ] as const) {
      const { status, headers, text } = await post(`${app.url}${path}`, body, key);
      const isError = status === 200 && path === '/mcp' && JSON.parse(text).result.isError;
      if (!isError) expect({ status, retryAfter: headers.get('retry-after') }, path).toEqual(refused);
      expect(text).toContain(AWAY);
    }
    const graphql = await postGraphql(app, '{ partners { totalCount } }', { key });
    expect(graphql.errors).toMatchObject([{ message: AWAY, extensions: { code: 'BUSY', status: 503 } }]);
    const args = [tenant.slug, tenant.admin.id, key, 'res.partner', 'search', [[]]];
    expect((await postJsonRpc(app, 'object', 'execute_kw', args)).text).toContain(AWAY);
    expect(JSON.stringify(await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', args))).toContain(AWAY);
  }

  /** Asserts that every accepted email was stored and sent once, and that no refused one was stored. */
  async function expectNothingLost(tenant: Tenant, outcomes: readonly Outcome[]): Promise<void> {
    await until(
      async () => (await loadEmails(tenant)).every(({ state }) => state === 'sent' || state === 'cancelled'),
      `all emails of ${tenant.slug} are sent`,
    );
    const emails = (await loadEmails(tenant)).filter(({ state }) => state === 'sent');
    expect(emails.filter(({ public_id }) => sends.get(public_id) !== 1)).toEqual([]);
    const sent = new Set(outcomes.map(({ subject }) => subject));
    const stored = emails.map(({ subject }) => subject).filter((subject) => sent.has(subject));
    expect(new Set(stored).size).toBe(stored.length);
    const accepted = outcomes.filter(({ status }) => status === 200).map(({ subject }) => subject);
    expect(accepted.filter((subject) => !stored.includes(subject))).toEqual([]);
    const refused = new Set(outcomes.filter(({ status }) => status === 503).map(({ subject }) => subject));
    expect(stored.filter((subject) => refused.has(subject))).toEqual([]);
  }

  test('serves other workspaces while a worker node is down, and loses nothing when it returns', {
    timeout: 400_000,
  }, async () => {
    const port = await loadPort(app.main);
    const same = await createTenantOn(port, true);
    const other = await createTenantOn(port, false);
    const workload = await createWorkload(app, other);
    const node = `127.0.0.1:${port}`;
    expect([await create(app.main, 'before'), await create(other, 'before')]).toEqual([200, 200]);
    expect(await loadReadiness()).toMatchObject({ status: 'ready', nodesDown: [] });
    const [hit, hitToo, spared] = [startLoad(app.main), startLoad(same), startLoad(other)];
    onTestFinished(() => Promise.all([hit.end(), hitToo.end(), spared.end()]).then(() => undefined));
    await until(() => [hit, hitToo, spared].every(({ outcomes }) => outcomes.length > 30), 'there is load');

    await cluster.crash(port);
    const [hitBefore, sparedBefore] = [hit.outcomes.length, spared.outcomes.length];
    await until(() => hit.outcomes.length > hitBefore + 30, 'requests are refused');
    await until(() => spared.outcomes.length > sparedBefore + 30, 'the other workspace is served');
    await until(async () => (await loadReadiness()).nodesDown.includes(node), 'readiness names the node');
    expect(await loadReadiness()).toMatchObject({ ready: true, status: 'degraded', nodesDown: [node] });
    expect(await loadMetrics()).toContain(`atrium_database_node_up{node="${node}"} 0`);
    await expectRefusals(app.main);
    expect(await create(other, 'in between')).toBe(200);
    // Domain names are stored on every node.
    const { status, headers } = await post(
      `${app.url}/api/v1/domains`,
      { name: 'new.example.org', region: 'us-east-1' },
      other.teamKey,
    );
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(await send(other, 'in between')).toMatchObject({ status: 200 });
    await runAll(workload, 'in between');
    await until(
      async () =>
        (await loadEmails(other)).some(({ subject, state }) => subject === 'in between' && state === 'sent'),
      'mail of the other workspace is sent',
    );
    const env = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.runtime.config.dataDir, SECRET_KEY };
    const { code, stdout } = await runCli(env, 'doctor', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ check: `node ${node}`, state: 'failure' }),
    );
    // Requests in progress at the crash may have lost their responses.
    const refused = hit.outcomes.slice(hitBefore + 6);
    expect(new Set(refused.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(
      new Set(['503 1']),
    );

    await cluster.restart(port);
    const returnedAt = performance.now();
    const count = hit.outcomes.length;
    await until(() => hit.outcomes.slice(count).some(({ status }) => status === 200), 'it is served again');
    expect(performance.now() - returnedAt).toBeLessThan(10_000);
    await until(
      async () => (await app.runtime.db.nodes()).every(({ isUp, prepared }) => isUp && prepared < 5),
      'no prepared transaction is pending',
    );
    await Promise.all([hit.end(), hitToo.end(), spared.end()]);
    expect(spared.outcomes.filter(({ status }) => status !== 200)).toEqual([]);
    await expectNothingLost(app.main, hit.outcomes);
    await expectNothingLost(same, hitToo.outcomes);
    await expectNothingLost(other, spared.outcomes);
    await until(async () => (await loadReadiness()).status === 'ready', 'it is ready again');
  });
});
