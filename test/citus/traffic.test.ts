import { createTransport } from 'nodemailer';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSubmission } from '../../facades/smtp/facade.ts';
import { recordEvents } from '../../schema/email/state/email-events.ts';
import type { EmailStatus } from '../../schema/email/state/email-status.ts';
import { distributeTables } from '../../src/db/citus/distribute.ts';
import { migrateDatabase } from '../../src/db/migrations/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { startDispatch } from '../../src/engine/work/events.ts';
import { type App, post, startAppOn } from '../harness/app.ts';
import { seedDatabase } from '../harness/database.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createAgentKey, runTool, switchMcp } from '../harness/facades/mcp.ts';
import { definePeer } from '../harness/peer.ts';
import type { People, Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';
import { findEntries, waitUntilFiled } from '../mailbox/exchange.ts';
import { callMailOk, loadMailbox } from '../mailbox/mailboxes.ts';
import { type CitusCluster, findCitus, startCitus } from '../standins/citus.ts';

import { createWorkload, runAll, type Workload } from './workload.ts';

const citus = definePeer(findCitus(process.env.CITUS_BIN), 'a PostgreSQL with Citus (CITUS_BIN)', false);

citus.describe('a cluster', () => {
  let cluster: CitusCluster;
  let app: App;
  let workers: string[];
  let workload: Workload;
  beforeAll(async () => {
    cluster = await startCitus(citus.module);
    let people!: People;
    const database = await cluster.database('traffic', async (emptyUrl) => {
      await migrateDatabase(emptyUrl);
      people = await seedDatabase(emptyUrl);
    });
    ({ workers } = database);
    await distributeTables(database.url, 4, () => migrateDatabase(database.url));
    app = await startAppOn({ url: database.url, people, drop: () => cluster.end() });
    workload = await createWorkload(app, app.main);
  }, 600_000);
  afterAll(async () => {
    await (app ? app.close() : cluster?.end());
  });

  async function send(tenant: Tenant, subject: string): Promise<number> {
    const body = { from: `a@${tenant.domain}`, to: 'b@example.org', subject, text: 't' };
    return (await post(`${app.url}/api/v1/emails`, body, tenant.teamKey)).status;
  }

  const create = async (tenant: Tenant, name: string): Promise<number> =>
    (await json2(app, 'res.partner/create', { vals_list: [{ name }] }, tenant.admin.key)).status;

  const loadEmails = ({ ctx }: Tenant) =>
    app.runtime.db.rows<{ subject: string; state: string }>(
      sql`select subject, state from svc_email where workspace_id = ${ctx.workspace.id}`,
    );

  async function logStatements(): Promise<void> {
    for (const url of workers) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`alter system set log_statement = 'all'`);
      await client.query('select pg_reload_conf()');
      await client.end();
    }
  }

  /** Returns a function that returns what the workers have logged since. */
  function followLog(): () => string {
    const ports = workers.map((url) => Number(new URL(url).port));
    const starts = ports.map((port) => cluster.log(port).length);
    return () => ports.map((port, i) => cluster.log(port).slice(starts[i])).join('\n');
  }

  test('accepts emails without a two-phase commit, individually and in batches', async () => {
    await create(app.main, 'first');
    await send(app.main, 'first');
    await workload.sendWithKey('first key');
    await logStatements();
    await until(
      () => send(app.main, 'logged').then(() => /insert into.*svc_email_\d+/i.test(cluster.log())),
      'statements are logged',
    );
    await Promise.all(Array.from({ length: 12 }, (_, n) => send(app.main, `together ${n}`)));
    await workload.sendWithKey('keyed');
    await Promise.all(Array.from({ length: 12 }, (_, n) => workload.sendWithKey(`keyed ${n}`)));
    await workload.sendBatch('batch');
    await create(app.main, 'second');
    const subjects = (await loadEmails(app.main)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith('together'))).toHaveLength(12);
    expect(cluster.log()).not.toContain('PREPARE TRANSACTION');
  });

  test("stores emails, files, contacts and campaigns only on the workspace's node", async () => {
    const port = await loadPort(app.main);
    const other = workers.map((url) => Number(new URL(url).port)).find((each) => each !== port)!;
    const before = cluster.log(other).length;
    await runAll(workload, 'alone');
    await addWebhook(app.main);
    await runAll(workload, 'with a webhook');
    const statements = cluster.log(other).slice(before).split('\n');
    expect(statements.filter((line) => /format result|[a-z]_\d{6}\b/.test(line))).toEqual([]);
    expect(await loadCalls(app.main)).toBeGreaterThan(5);
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

  const addWebhook = ({ ctx }: Tenant) =>
    app.runtime.db.rows(
      sql`insert into svc_webhook (workspace_id, id, url, secret)
       values (${ctx.workspace.id}, 1, 'http://127.0.0.1:9', 'secret')`,
    );

  function loadCalls({ ctx }: Tenant): Promise<number> {
    return app.runtime.db.value<number>(
      sql`select count(*)::int from svc_webhook_call where workspace_id = ${ctx.workspace.id}`,
    );
  }

  let sentCount = 0;

  const relayEmails = () =>
    app.deliver({
      transport: {
        name: 'smtp',
        send: async () => ({ kind: 'sent', providerId: `relayed ${++sentCount}` }),
        limits: async () => null,
        close: async () => undefined,
      },
    });

  test('commits webhook calls and delivery outcomes without a two-phase commit', async () => {
    const readLog = followLog();
    await send(app.main, 'announced');
    await workload.sendWithKey('announced with a key');
    await workload.sendBatch('announced in a batch');
    const delivery = await relayEmails();
    const loadAnnounced = () =>
      app.runtime.db.rows<{ id: number; events: string[]; calls: string[] }>(
        sql`select e.id, array(select status from svc_email_event v
             where v.workspace_id = ${app.main.ctx.workspace.id} and v.email_id = e.id order by v.id) as events,
           array(select type from svc_webhook_call c
             where c.workspace_id = ${app.main.ctx.workspace.id} and c.email_id = e.id order by c.id) as calls
         from svc_email e where e.workspace_id = ${app.main.ctx.workspace.id} and e.subject like 'announced%'`,
      );
    await until(
      async () => (await loadAnnounced()).every(({ events }) => events.includes('SENT')),
      'all are sent',
    );
    await delivery.stop();
    const emails = await loadAnnounced();
    await recordEvents(
      app.runtime.db,
      app.runtime.config,
      emails.map(({ id }) => ({
        workspaceId: app.main.ctx.workspace.id,
        emailId: id,
        status: 'DELIVERED',
        data: { recipients: ['b@example.org'] },
      })),
    );
    expect(await loadAnnounced()).toEqual(
      emails.map(({ id }) => ({
        id,
        events: ['SENT', 'DELIVERED'],
        calls: ['email.queued', 'email.sent', 'email.delivered'],
      })),
    );
    expect(emails).toHaveLength(4);
    const log = readLog();
    expect(log).toMatch(/insert into.*svc_webhook_call_\d+/i);
    expect(log).not.toContain('PREPARE TRANSACTION');
  });

  test('commits bounces, complaints and suppressions without a two-phase commit', async () => {
    const { db } = app.runtime;
    const workspaceId = app.main.ctx.workspace.id;
    const settings = { softBounces: { limit: 3, windowDays: 7, pauseDays: 7 } };
    const emails = await db.rows<{ id: number }>(
      sql`select id from svc_email where workspace_id = ${workspaceId} and state = 'sent' and subject like 'announced%'`,
    );
    const report = (status: EmailStatus, bounce: object, addresses: string) =>
      recordEvents(
        db,
        settings,
        emails.map(({ id: emailId }) => ({
          workspaceId,
          emailId,
          status,
          data: { ...bounce, [addresses]: [{ emailAddress: 'b@example.org' }] },
        })),
      );
    const readLog = followLog();
    await report('BOUNCED', { bounceType: 'Transient', bounceSubType: 'MailboxFull' }, 'bouncedRecipients');
    expect(await loadReasons('b@example.org')).toEqual(['SOFT_BOUNCE']);
    await report('BOUNCED', { bounceType: 'Permanent', bounceSubType: 'General' }, 'bouncedRecipients');
    await report('COMPLAINED', {}, 'complainedRecipients');
    expect(await loadReasons('b@example.org')).toEqual(['HARD_BOUNCE']);
    const { errors } = await postGraphql(
      app,
      'mutation { suppressionsAdd(emails: ["x@example.org", "y@example.org"]) { added } }',
      { key: app.main.admin.key },
    );
    expect(errors).toEqual([]);
    expect(await loadReasons('y@example.org')).toEqual(['MANUAL']);
    const log = readLog();
    expect(log).toMatch(/insert into.*svc_soft_bounce_\d+/i);
    expect(log).toMatch(/insert into.*svc_suppression_\d+/i);
    expect(log).not.toContain('PREPARE TRANSACTION');
  });

  async function loadReasons(email: string): Promise<string[]> {
    const rows = await app.runtime.db.rows<{ reason: string }>(
      sql`select reason from svc_suppression
       where workspace_id = ${app.main.ctx.workspace.id} and email = ${email}`,
    );
    return rows.map(({ reason }) => reason);
  }

  test('commits contacts, campaigns and their events without a two-phase commit', async () => {
    const { db, log: logger } = app.runtime;
    const workspaceId = app.main.ctx.workspace.id;
    const [ann, bob, carl] = ['ann@x.example', 'bob@x.example', 'carl@x.example'] as const;
    const readLog = followLog();
    await workload.putContacts([ann, bob, carl]);
    await workload.putContacts([carl]);
    await workload.deleteContact(carl);
    await workload.startCampaign('reported');
    const loadSent = () =>
      db.rows<{ id: number; to: string; state: string }>(
        sql`select id, "to"[1] as to, state from svc_email
         where workspace_id = ${workspaceId} and subject = 'reported' order by "to"`,
      );
    const delivery = await relayEmails();
    await until(async () => (await loadSent()).every(({ state }) => state === 'sent'), 'all are sent');
    await delivery.stop();
    const idsByAddress = new Map((await loadSent()).map(({ id, to }) => [to, id]));
    const report = (address: string, status: EmailStatus, data: object) =>
      recordEvents(db, app.runtime.config, [
        { workspaceId, emailId: idsByAddress.get(address)!, status, data: { ...data } },
      ]);
    await report(ann, 'BOUNCED', {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: ann }],
    });
    await report(bob, 'COMPLAINED', { complainedRecipients: [{ emailAddress: bob }] });
    const dispatch = await startDispatch(db, logger);
    const loadCalls = () =>
      db.rows<{ email: string; type: string }>(
        sql`select data->>'email' as email, type from svc_webhook_call
         where workspace_id = ${workspaceId} and data->>'email' in (${ann}, ${bob}, ${carl}) order by email, id`,
      );
    await until(async () => (await loadCalls()).length === 7, 'all events are dispatched');
    await dispatch.stop();
    expect((await loadCalls()).map(({ email, type }) => `${email} ${type}`)).toEqual([
      `${ann} contact.created`,
      `${ann} contact.updated`,
      `${bob} contact.created`,
      `${bob} contact.updated`,
      `${carl} contact.created`,
      `${carl} contact.updated`,
      `${carl} contact.deleted`,
    ]);
    const log = readLog();
    expect(log).toMatch(/insert into.*svc_event_\d+/i);
    expect(log).not.toContain('PREPARE TRANSACTION');
  });

  test('files, moves and labels mail, and links records without a two-phase commit', async () => {
    const { ctx, user, admin } = app.main;
    const readLog = followLog();
    const filer = await app.fileMail();
    await workload.receive('filed on one node');
    await waitUntilFiled(app);
    const mailbox = await loadMailbox(ctx, user.id);
    const [entry] = await findEntries(app, mailbox, 'filed on one node');
    const { label_id: label } = await callMailOk(app, 'create_label', {
      account_id: mailbox.id,
      name: 'Later',
    });
    await callMailOk(app, 'set_labels', { entry_ids: [entry!.id], add_label_ids: [label] });
    await callMailOk(app, 'move_entries', { entry_ids: [entry!.id], folder_id: mailbox.folders.archive });
    await filer.stop();
    const link = async (path: string, args: object) => {
      const answer = await json2(app, path, args, admin.key);
      expect(answer.status, answer.text).toBe(200);
      return answer.json();
    };
    const [category] = await link('res.partner.category/create', { vals_list: [{ name: 'Linked' }] });
    const [partner] = await link('res.partner/create', {
      vals_list: [{ name: 'Linked', category_id: [[6, 0, [category]]] }],
    });
    await link('res.partner/message_subscribe', { ids: [partner], partner_ids: [partner] });
    const log = readLog();
    for (const table of ['svc_mail_entry', 'svc_mail_entry_label', 'mail_followers'])
      expect(log).toMatch(new RegExp(`insert into.*${table}_\\d+`, 'i'));
    expect(log).not.toContain('PREPARE TRANSACTION');
  });

  test('sends through GraphQL, SMTP, MCP and mailboxes without a two-phase commit', async () => {
    const { ctx, admin, domain, teamKey } = app.main;
    const from = `a@${domain}`;
    const mailbox = await loadMailbox(ctx, admin.id);
    await switchMcp(app, app.main, true);
    const agent = await createAgentKey(app);
    const submission = await startSubmission(app.runtime, { port: 0, tlsPort: 0 });
    const client = createTransport({
      host: '127.0.0.1',
      port: submission.port,
      ignoreTLS: true,
      auth: { user: 'any', pass: teamKey },
    });
    const compose = (subject: string) => ({
      account_id: mailbox.id,
      to: 'reader@example.org',
      subject,
      body: 't',
    });
    const senders: Record<string, (subject: string) => Promise<unknown>> = {
      graphql: async (subject) => {
        const input = `{ from: "${from}", to: "reader@example.org", subject: "${subject}", text: "t" }`;
        const { errors } = await postGraphql(app, `mutation { emailSend(input: ${input}) { id } }`, {
          key: admin.key,
        });
        expect(errors).toEqual([]);
      },
      smtp: (subject) => client.sendMail({ from, to: 'reader@example.org', subject, text: 't' }),
      mcp: async (subject) => {
        const args = { ...compose(subject), confirm: true };
        expect(await runTool(app, agent.key, 'mail_send', args)).toMatchObject({
          structuredContent: { ok: true },
        });
      },
      mailbox: async (subject) => {
        const { error } = await callMailOk(app, 'compose_send', compose(subject), admin.key);
        expect(error).toBeUndefined();
      },
    };
    const delivery = await relayEmails();
    // The first call of a key or a session writes rows of its own.
    for (const [name, sendOne] of Object.entries(senders)) await sendOne(`first by ${name}`);
    const readLog = followLog();
    for (const [name, sendOne] of Object.entries(senders)) await sendOne(`protocol ${name}`);
    const loadStates = async () =>
      (await loadEmails(app.main)).filter(({ subject }) => subject.startsWith('protocol '));
    await until(async () => (await loadStates()).every(({ state }) => state === 'sent'), 'all are sent');
    expect(await loadStates()).toHaveLength(Object.keys(senders).length);
    await delivery.stop();
    client.close();
    await submission.close();
    const prepared = readLog()
      .split('\n')
      .filter((line) => line.includes('PREPARE TRANSACTION'));
    expect(prepared).toEqual([]);
  });

  test('polls for due work without a statement on a worker node', async () => {
    const delivery = await app.deliver();
    const marker = `drained ${Date.now()}`;
    expect(await send(app.main, marker)).toBe(200);
    await until(
      async () =>
        (await loadEmails(app.main)).every(({ state }) => state !== 'queued' && state !== 'sending'),
      'all are sent',
    );
    const polls = await countPolls();
    await until(async () => (await countPolls()) >= polls + 6, 'the worker polls');
    expect(cluster.log()).not.toMatch(/svc_due/);
    await delivery.stop();
  });

  /** Returns the number of times that the worker has searched for due mail. */
  async function countPolls(): Promise<number> {
    const { rows } = await app.runtime.db.pool.query<{ n: number }>(
      `select (seq_scan + coalesce(idx_scan, 0))::int as n from pg_stat_user_tables where relname = 'svc_due'`,
    );
    return rows[0]!.n;
  }
});
