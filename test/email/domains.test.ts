import { createPrivateKey, createPublicKey } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { verifyDomain } from '../../schema/email/domains/domain-verify.ts';
import { addDomain } from '../../schema/email/domains/domains.ts';
import { sql } from '../../src/db/sql.ts';
import { createCtx } from '../../src/engine/ctx/ctx.ts';
import { createJobs } from '../../src/engine/work/jobs.ts';
import { provokeErrors } from '../concurrency/provoke.ts';
import { startApp } from '../harness/app.ts';
import { buildMail, startTeam } from '../harness/facades/rest.ts';
import { findFreePort } from '../harness/process.ts';
import { setUp } from '../harness/set-up.ts';
import type { Tenant } from '../harness/tenant.ts';
import { until as eventually, pause } from '../harness/wait.ts';
import { startSes } from '../standins/ses.ts';
import { buildSesEnv, setUpSes, untilEmail } from './sending.ts';

const ses = setUpSes();
const team = setUp(() => startTeam(buildSesEnv(ses)));
let otherTenant: Tenant;

beforeAll(async () => {
  ses.set({ requireVerified: true }, { MaxSendRate: 1000 });
  otherTenant = await team.tenant('other');
});

const add = (name: string, tenant = team.main) =>
  team.graphql('mutation ($name: String!) { domainAdd(name: $name) { id } }', { name }, tenant.admin.key);

const verify = (id: number, tenant = team.main) =>
  team.graphql('mutation ($id: ID!) { domainVerify(id: $id) { id status } }', { id }, tenant.admin.key);

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
const findListed = async (name: string): Promise<any> =>
  (await team.ask('GET', '/api/v1/domains')).json.find((domain: { name: string }) => domain.name === name);

const sendFrom = (name: string) => team.send(buildMail({ from: `Sales <sales@${name}>` }));

/** Returns the public key for a private key, both as base64-encoded DER. The key must have 2048 bits. */
function toPublicKey(privateKey: string): string {
  const key = createPublicKey(
    createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' }),
  );
  expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048);
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

async function runCheck(): Promise<void> {
  await team.runtime.db.rows(sql`update svc_domain set checked_at = null where workspace_id > 0`);
  const worker = createJobs(team.runtime);
  await worker.start(true);
  await worker.enqueue(team.main.ctx, 'domain-check', {});
  const open = sql`select 1 from svc_domain where workspace_id > 0 and checked_at is null`;
  await eventually(async () => (await team.runtime.db.rows(open)).length === 0, 'all are looked at');
  await worker.stop();
}

test('adds a domain as PENDING with its DNS records and lets it send once it is verified', async () => {
  const addedResponse = await add('Shop.example');
  const id = Number(addedResponse.data.domainAdd.id);
  expect(id).toEqual(expect.any(Number));
  const pending = await findListed('shop.example');
  expect(pending).toMatchObject({
    id,
    status: 'PENDING',
    dkimStatus: 'PENDING',
    spfDetails: 'PENDING',
    region: 'eu-west-1',
    isVerifying: true,
  });
  expect(pending.dnsRecords.map((r: { type: string; status: string }) => [r.type, r.status])).toEqual([
    ['TXT', 'PENDING'],
    ['MX', 'PENDING'],
    ['TXT', 'PENDING'],
    ['TXT', 'NOT_STARTED'],
  ]);
  const identity = ses.account.identities.get('shop.example')!;
  expect(identity.mailFrom).toBe('mail.shop.example');
  expect(toPublicKey(identity.signing!.DomainSigningPrivateKey!)).toBe(pending.publicKey);
  expect(pending.dnsRecords[0]).toMatchObject({ name: 'atrium._domainkey', value: `p=${pending.publicKey}` });
  const response = await sendFrom('shop.example');
  expect([response.status, response.json.error.message]).toEqual([
    400,
    expect.stringContaining('not verified'),
  ]);

  expect((await verify(id)).data.domainVerify.status).toBe('PENDING');
  ses.verify('shop.example');
  expect((await verify(id)).data.domainVerify.status).toBe('SUCCESS');
  expect(await findListed('shop.example')).toMatchObject({ status: 'SUCCESS', isVerifying: false });
  const sentResponse = await sendFrom('shop.example');
  expect(sentResponse.status).toBe(200);
  const worker = await team.deliver();
  await untilEmail(team, sentResponse.json.emailId, (row) => row.state === 'sent');
  await worker.stop();
  expect(ses.accepted.at(-1)).toMatchObject({ from: 'sales@shop.example' });
});

test('detects in a background job when a domain is verified or loses its verification', async () => {
  await add('job.example');
  await runCheck();
  expect(await findListed('job.example')).toMatchObject({ status: 'PENDING' });
  ses.verify('job.example');
  await runCheck();
  expect(await findListed('job.example')).toMatchObject({ status: 'SUCCESS' });
  expect((await sendFrom('job.example')).status).toBe(200);
  ses.verify('job.example', 'FAILED', 'HOST_NOT_FOUND');
  await runCheck();
  expect(await findListed('job.example')).toMatchObject({ status: 'FAILED', errorMessage: 'HOST_NOT_FOUND' });
  expect((await sendFrom('job.example')).status).toBe(400);
  ses.account.identities.delete('job.example');
  await runCheck();
  expect((await findListed('job.example')).errorMessage).toContain('no longer');
  const topics = await team.runtime.db.rows<{ topic: string }>(
    sql`select topic from svc_event where workspace_id = ${team.main.ctx.workspace.id} and payload->>'name' = 'job.example' order by id`,
  );
  expect(topics.map((event) => event.topic)).toEqual(['domain.created', 'domain.verified', 'domain.updated']);
});

test('returns NOT_UNIQUE for a domain that exists in this or another workspace', async () => {
  await add('once.example');
  expect((await add('once.example')).errors[0]?.extensions.code).toBe('NOT_UNIQUE');
  expect((await add('once.example', otherTenant)).errors[0]?.extensions.code).toBe('NOT_UNIQUE');
  const rows = await team.runtime.db.rows(
    sql`select 1 from svc_domain where workspace_id > 0 and name = 'once.example'`,
  );
  expect(rows).toHaveLength(1);
});

test('lets only the operator assign a domain that already belongs to the provider account', async () => {
  ses.verify('corporate.example');
  expect((await add('corporate.example')).errors[0]?.extensions.code).toBe('NOT_UNIQUE');
  expect(await findListed('corporate.example')).toBeUndefined();
  await addDomain(team.main.ctx, 'corporate.example');
  expect(await findListed('corporate.example')).toMatchObject({ status: 'SUCCESS' });
  expect(ses.account.identities.get('corporate.example')!.mailFrom).toBeNull();
  expect((await sendFrom('corporate.example')).status).toBe(200);
});

test('lets only the operator assign a subdomain added before another workspace verified its parent', async () => {
  const { id } = (await add('mail.late.example', otherTenant)).data.domainAdd;
  const above = (await add('late.example')).data.domainAdd;
  ses.verify('late.example');
  expect((await verify(above.id)).data.domainVerify.status).toBe('SUCCESS');
  // The provider verifies subdomains together with their parent.
  ses.verify('mail.late.example');
  const readStatus = () =>
    team.runtime.db.value<string>(
      sql`select status from svc_domain where workspace_id = ${otherTenant.ctx.workspace.id} and name = 'mail.late.example'`,
    );
  expect((await verify(id, otherTenant)).data.domainVerify.status).toBe('FAILED');
  await runCheck();
  expect(await readStatus()).toBe('FAILED');
  expect(await verifyDomain(otherTenant.ctx, 'mail.late.example')).toMatchObject({ status: 'SUCCESS' });
  await runCheck();
  expect(await readStatus()).toBe('SUCCESS');
});

test('reuses the provider identity of a domain that could not be stored', async () => {
  await add('retry.example');
  await team.runtime.db.rows(sql`delete from svc_domain where workspace_id > 0 and name = 'retry.example'`);
  expect((await add('retry.example')).data.domainAdd.id).toEqual(expect.any(String));
  const listedDomain = await findListed('retry.example');
  expect(listedDomain).toMatchObject({ status: 'PENDING', dkimSelector: 'atrium' });
  const { signing } = ses.account.identities.get('retry.example')!;
  expect(toPublicKey(signing!.DomainSigningPrivateKey!)).toBe(listedDomain.publicKey);
});

/** Starts a proxy that drops connections until `mend` is called. */
async function startCutLine(to: string): Promise<{ url: string; mend(): void; close(): void }> {
  let isCut = true;
  const line = createNetServer((socket) => {
    if (isCut) return socket.destroy();
    const onward = connect(Number(new URL(to).port), '127.0.0.1');
    for (const end of [socket, onward]) end.on('error', () => {});
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const { port } = line.address() as AddressInfo;
  const mend = () => {
    isCut = false;
  };
  return { url: `http://127.0.0.1:${port}`, mend, close: () => line.close() };
}

test('adds a domain while the provider is unreachable, and registers it later', async () => {
  const lateSes = await startSes();
  const line = await startCutLine(lateSes.url);
  const app = await startApp({ ...buildSesEnv(ses), AWS_SES_ENDPOINT: line.url });
  const readStatus = async () =>
    (
      await app.runtime.db.rows(
        sql`select status, error_message from svc_domain where workspace_id > 0 and name = 'main.test'`,
      )
    )[0];
  expect(await readStatus()).toMatchObject({
    status: 'NOT_STARTED',
    error_message: expect.stringContaining('could not be reached'),
  });
  line.mend();
  lateSes.verify('elsewhere.test');
  expect(await verifyDomain(app.main.ctx, 'main.test')).toMatchObject({ status: 'PENDING' });
  expect(await readStatus()).toMatchObject({ status: 'PENDING', error_message: null });
  expect(lateSes.account.identities.has('main.test')).toBe(true);
  await app.close();
  line.close();
  await lateSes.close();
});

test("returns the same NOT_FOUND for another workspace's domain and for an unknown one", async () => {
  const id = Number((await add('mine.example')).data.domainAdd.id);
  const otherResponse = await verify(id, otherTenant);
  expect(otherResponse.errors[0]).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
  expect((await verify(99_999_999)).errors[0]!.message).toBe(otherResponse.errors[0]!.message);
});

test("rejects verification by a command that lacks the server's settings", async () => {
  await add('word.example');
  const config = { ...team.runtime.config, mailTransport: 'local' as const };
  const { workspace, principal, channel, requestId } = team.main.ctx;
  const astray = createCtx({ ...team.runtime, config }, { workspace, principal, channel, requestId });
  await expect(verifyDomain(astray, 'word.example')).rejects.toThrow('MAIL_TRANSPORT');
  expect(await findListed('word.example')).toMatchObject({ status: 'PENDING' });
});

/** Starts a proxy to the provider that holds back responses until `release` is called. */
async function startSlowLine(): Promise<{
  url: string;
  countRequests(): number;
  release(): void;
  close(): void;
}> {
  let requestCount = 0;
  let release = () => {};
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  const line = createServer((request, response) => {
    requestCount++;
    const { method, url, headers } = request;
    const onward = httpRequest(ses.url + url, { method, headers }, async (result) => {
      await open;
      response.writeHead(result.statusCode!, result.headers);
      result.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const { port } = line.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    countRequests: () => requestCount,
    release,
    close: () => line.close(),
  };
}

test.each(['add', 'verify', 'delete'] as const)(
  'holds no transaction or row lock while the provider is slow to %s a domain',
  async (action) => {
    const name = `slow-${action}.example`;
    const id = action === 'add' ? 0 : Number((await add(name)).data.domainAdd.id);
    const line = await startSlowLine();
    const { config, db } = team.runtime;
    // A separate config, because the provider's clients are cached per config.
    Object.assign(team.runtime, { config: { ...config, awsSesEndpoint: line.url } });
    const doing = {
      add: () => add(name),
      verify: () => verify(id),
      delete: () => team.ask('DELETE', `/api/v1/domains/${id}`),
    }[action]();
    await eventually(line.countRequests, 'the provider is asked');
    const open = await db.rows(
      sql`select query from pg_stat_activity where datname = current_database() and application_name = 'atrium' and state like 'idle in transaction%'`,
    );
    const changed = await Promise.race([
      db.rows(
        sql`update svc_domain set write_date = now() where workspace_id > 0 and name = ${name} returning id`,
      ),
      pause(20_000),
    ]);
    line.release();
    await doing;
    Object.assign(team.runtime, { config });
    line.close();
    expect(open).toEqual([]);
    expect(changed).toHaveLength(1);
    expect((await findListed(name))?.status).toBe(action === 'delete' ? undefined : 'PENDING');
    expect(ses.account.identities.has(name)).toBe(action !== 'delete');
  },
);

test('keeps a domain if the provider cannot delete it, and deletes it on a later attempt', async () => {
  const id = Number((await add('stays.example')).data.domainAdd.id);
  const { config } = team.runtime;
  const deadUrl = `http://127.0.0.1:${await findFreePort()}`;
  Object.assign(team.runtime, { config: { ...config, awsSesEndpoint: deadUrl } });
  const response = await team.ask('DELETE', `/api/v1/domains/${id}`);
  Object.assign(team.runtime, { config });
  expect([response.status, response.json.message]).toEqual([503, expect.stringContaining('stays.example')]);
  expect(await findListed('stays.example')).toMatchObject({ id, status: 'PENDING' });
  // Simulates a process that died after the provider had deleted the domain.
  ses.account.identities.delete('stays.example');
  expect((await team.ask('DELETE', `/api/v1/domains/${id}`)).status).toBe(200);
  expect(await findListed('stays.example')).toBeUndefined();
  const trail = await team.runtime.db.rows(
    sql`select success from svc_audit_event where workspace_id > 0 and event = 'domain.delete' and strpos(summary, ${`${id}`}) > 0 order by id`,
  );
  expect(trail).toEqual([{ success: false }, { success: true }]);
});

test('stores nothing for a rejected domain', async () => {
  ses.verify('taken.example');
  expect((await add('taken.example')).errors[0]?.extensions.code).toBe('NOT_UNIQUE');
  const rows = await team.runtime.db.rows(
    sql`select 1 from svc_domain where workspace_id > 0 and name = 'taken.example'`,
  );
  expect(rows).toEqual([]);
  const trail = await team.runtime.db.rows(
    sql`select success from svc_audit_event where workspace_id > 0 and event = 'domain.add' and strpos(summary, 'taken.example') > 0`,
  );
  expect(trail).toEqual([{ success: false }]);
});

test('lets another workspace add a domain that was deleted during a provider request', async () => {
  const id = Number((await add('leaving.example')).data.domainAdd.id);
  ses.verify('leaving.example');
  const line = await startSlowLine();
  const { config } = team.runtime;
  Object.assign(team.runtime, { config: { ...config, awsSesEndpoint: line.url } });
  const verifying = verify(id);
  await eventually(line.countRequests, 'the provider is asked');
  Object.assign(team.runtime, { config });
  expect((await team.ask('DELETE', `/api/v1/domains/${id}`)).status).toBe(200);
  line.release();
  await verifying;
  line.close();
  expect((await add('leaving.example', otherTenant)).data.domainAdd.id).toEqual(expect.any(String));
});

const unwritten: [string, string | null, (id: number) => Promise<unknown>][] = [
  ['added', null, () => add('untraced.example')],
  ['verified', 'PENDING', (id) => verify(id)],
  ['deleted', 'PENDING', (id) => team.ask('DELETE', `/api/v1/domains/${id}`)],
];

test.each(unwritten)(
  'does not %s a domain in the database or at the provider without an audit entry',
  async (_, was, change) => {
    if (was) await add('untraced.example');
    const id = (await findListed('untraced.example'))?.id;
    if (was) ses.verify('untraced.example');
    const end = await provokeErrors(team, 'svc_audit_event', '53100', 1000);
    await change(id);
    expect(await end()).toBeGreaterThan(0);
    expect((await findListed('untraced.example'))?.status ?? null).toBe(was);
    expect(ses.account.identities.has('untraced.example')).toBe(was !== null);
  },
);

test('records the start of an interrupted deletion, but not of a rejected addition, in the audit trail', async () => {
  const id = Number((await add('halfway.example')).data.domainAdd.id);
  const line = await startSlowLine();
  const { config } = team.runtime;
  Object.assign(team.runtime, { config: { ...config, awsSesEndpoint: line.url } });
  const deleting = team.ask('DELETE', `/api/v1/domains/${id}`);
  await eventually(line.countRequests, 'the provider is asked');
  const readTrail = () =>
    team.runtime.db.rows<{ event: string; request_id: string }>(
      sql`select event, success, request_id from svc_audit_event where workspace_id > 0
        and event like 'domain.delete%' and strpos(summary, ${`${id}`}) > 0 order by id`,
    );
  const beginEvent = { event: 'domain.delete.begin', success: true };
  expect(await readTrail()).toMatchObject([beginEvent]);
  line.release();
  Object.assign(team.runtime, { config });
  await deleting;
  line.close();
  const lines = await readTrail();
  expect(lines).toMatchObject([beginEvent, { event: 'domain.delete', success: true }]);
  expect(lines[1]!.request_id).toBe(lines[0]!.request_id);
  await team.graphql('mutation { domainAdd(name: "no.example") { id } }', {}, team.main.user.key);
  const auditEvents = await team.runtime.db.rows(
    sql`select event, success from svc_audit_event where workspace_id > 0 and strpos(summary, 'no.example') > 0`,
  );
  expect(auditEvents).toEqual([{ event: 'domain.add', success: false }]);
});
