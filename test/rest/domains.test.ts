import { beforeAll, expect, test } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { lookUpDomainRecords } from '../../schema/email/domains/domain-dns.ts';
import { sql } from '../../src/db/sql.ts';
import { buildSesEnv, SES_CREDENTIALS } from '../email/sending.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { buildExpectedEnvelope, buildMail, setUpTeam, startTeam } from '../harness/facades/rest.ts';
import type { Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';
import { startNameServer } from '../standins/dns.ts';
import { type SesStandin, startSes } from '../standins/ses.ts';

const team = setUpTeam();
let otherTenant: Tenant;
beforeAll(async () => {
  otherTenant = await team.tenant('other');
});

const create = (name: string, key?: string) =>
  team.ask('POST', '/api/v1/domains', { body: { name, region: 'us-east-1' }, key });
const getDomain = (id: unknown, key?: string) => team.ask('GET', `/api/v1/domains/${id}`, { key });
const remove = (id: unknown, key?: string) => team.ask('DELETE', `/api/v1/domains/${id}`, { key });

test('creates, reads, verifies and deletes a domain', async () => {
  const domain = await create('Shop.Example');
  expect(domain.status).toBe(200);
  expect(domain.json).toMatchObject({ name: 'shop.example', status: 'SUCCESS', clickTracking: false });
  const { id } = domain.json;
  expect((await getDomain(id)).json).toEqual(domain.json);
  const verifiedResponse = await team.ask('PUT', `/api/v1/domains/${id}/verify`, { body: {} });
  expect([verifiedResponse.status, verifiedResponse.json]).toEqual([
    200,
    { message: expect.stringContaining('SUCCESS') },
  ]);
  expect((await team.send(buildMail({ from: 'a@shop.example' }))).status).toBe(200);
  const response = await remove(id);
  expect([response.status, response.json]).toEqual([200, { id, success: true, message: expect.any(String) }]);
  expect((await getDomain(id)).status).toBe(404);
  expect((await team.send(buildMail({ from: 'a@shop.example' }))).status).toBe(400);
});

test('returns 409 NOT_UNIQUE for a duplicate domain of this or another team', async () => {
  await create('twice.example');
  for (const key of [undefined, otherTenant.teamKey]) {
    const { status, json } = await create('twice.example', key);
    expect([status, json]).toEqual([409, buildExpectedEnvelope('NOT_UNIQUE')]);
  }
});

test('a deleted domain can be added by another team', async () => {
  const { json } = await create('moving.example');
  await remove(json.id);
  expect((await create('moving.example', otherTenant.teamKey)).status).toBe(200);
});

test("returns 404 for an unknown domain on every route, regardless of the id's format", async () => {
  for (const id of ['nothing', '0', '99999999', '2147483648', '-1', '1.5'])
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PUT', '/verify'],
    ] as const) {
      const { status, json } = await team.ask(method, `/api/v1/domains/${id}${path}`);
      expect([status, json], `${method} ${id}`).toEqual([404, buildExpectedEnvelope('NOT_FOUND')]);
    }
});

test("hides another team's domain", async () => {
  const { json } = await create('mine.example');
  for (const response of [
    await getDomain(json.id, otherTenant.teamKey),
    await remove(json.id, otherTenant.teamKey),
  ])
    expect(response.status).toBe(404);
  expect((await getDomain(json.id)).status).toBe(200);
});

test.each([{ name: 'nodots' }, { name: 'a b.example' }, { name: 5 }, {}])(
  'rejects an invalid name with BAD_REQUEST: %j',
  async (body) => {
    const { status, json } = await team.ask('POST', '/api/v1/domains', { body: { region: 'x', ...body } });
    expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
  },
);

test("cancels a deleted domain's waiting emails, and keeps the domain id in emails", async () => {
  const { id } = (await create('ending.example')).json;
  const waiting = (
    await team.send(buildMail({ from: 'a@ending.example', scheduledAt: '2099-01-01T00:00:00Z' }))
  ).json;
  await remove(id);
  expect(await team.email(waiting.emailId)).toMatchObject({
    latestStatus: 'CANCELLED',
    domainId: id,
    emailEvents: [{ status: 'CANCELLED', data: { error: expect.stringContaining('domain') } }],
  });
});

test("deletes a domain's keys with the domain", async () => {
  const { id } = (await create('bound.example')).json;
  const { key } = await createKey(team.main.ctx, {
    name: 'b',
    userId: null,
    scopes: [],
    days: null,
    domainId: id,
  });
  const send = () =>
    team.ask('POST', '/api/v1/emails', { key, body: buildMail({ from: 'a@bound.example' }) });
  expect((await send()).status).toBe(200);
  await remove(id);
  expect((await send()).json).toEqual(buildExpectedEnvelope('UNAUTHORIZED'));
  expect((await team.ask('GET', '/api/v1/emails', { key })).status).toBe(401);
});

test('configures tracking for each domain', async () => {
  const { id } = (await create('tracked.example')).json;
  const set = (key: string, args: string) =>
    team.graphql(
      `mutation { domainTracking(id: ${id}, ${args}) { id clickTracking openTracking } }`,
      {},
      key,
    );
  expect((await set(team.main.admin.key, 'clickTracking: true')).data.domainTracking.clickTracking).toBe(
    true,
  );
  expect((await set(team.main.admin.key, 'openTracking: true')).data.domainTracking.openTracking).toBe(true);
  expect((await getDomain(id)).json).toMatchObject({ clickTracking: true, openTracking: true });
  expect((await set(otherTenant.admin.key, 'openTracking: false')).errors[0]!.extensions.code).toBe(
    'NOT_FOUND',
  );
  expect((await set(team.main.user.key, 'openTracking: false')).errors[0]!.extensions.code).toBe('FORBIDDEN');
});

test('removes a deleted domain from SES, and selects the configuration set for the tracking settings', {
  tags: 'slow',
}, async () => {
  const ses: SesStandin = await startSes();
  Object.assign(process.env, SES_CREDENTIALS);
  const cloud = await startTeam({
    ...buildSesEnv(ses),
    SES_CONFIGURATION_SET: 'plain',
    SES_TRACKING_SETS: 'click=clicks,full=both',
  });
  try {
    const add = (region: string) =>
      cloud.ask('POST', '/api/v1/domains', { body: { name: 'ses.example', region } });
    const elsewhereResponse = await add('us-east-1');
    expect([elsewhereResponse.status, elsewhereResponse.json.error.message]).toEqual([
      400,
      'region: must be eu-west-1, the region of this installation.',
    ]);
    const { id } = (await add('eu-west-1')).json;
    const set = (args: string) =>
      postGraphql(
        cloud,
        `mutation { domainTracking(id: ${id}, ${args}) { id clickTracking openTracking } }`,
        {
          key: cloud.main.admin.key,
        },
      );
    expect((await set('openTracking: true')).errors[0]!.message).toContain('SES_TRACKING_SETS');
    expect((await set('clickTracking: true')).data.domainTracking.clickTracking).toBe(true);
    ses.verify('ses.example');
    await cloud.ask('PUT', `/api/v1/domains/${id}/verify`);
    await cloud.send(buildMail({ from: 'a@ses.example' }));
    const delivery = await cloud.deliver();
    await until(() => ses.accepted.length > 0, 'it is sent');
    await delivery.stop();
    expect(ses.accepted[0]).toMatchObject({ configurationSet: 'clicks' });
    expect((await cloud.ask('DELETE', `/api/v1/domains/${id}`)).status).toBe(200);
    expect(ses.account.identities.has('ses.example')).toBe(false);
  } finally {
    await cloud.close();
    await ses.close();
  }
});

test.each([
  ['acme.co.uk', '', ['atrium._domainkey', 'mail', 'mail', '_dmarc']],
  ['news.acme.co.uk', 'news', ['atrium._domainkey.news', 'mail.news', 'mail.news', '_dmarc']],
  ['a.b.acme.example', 'a.b', ['atrium._domainkey.a.b', 'mail.a.b', 'mail.a.b', '_dmarc']],
])('returns record names for %s relative to the registrable domain', async (name, subdomain, names) => {
  const ses = await startSes();
  Object.assign(process.env, SES_CREDENTIALS);
  const cloud = await startTeam(buildSesEnv(ses));
  try {
    const { json } = await cloud.ask('POST', '/api/v1/domains', { body: { name, region: 'eu-west-1' } });
    expect([json.name, json.subdomain]).toEqual([name, subdomain]);
    expect(json.dnsRecords.map((record: { name: string }) => record.name)).toEqual(names);
  } finally {
    await cloud.close();
    await ses.close();
  }
});

test('reports whether DNS records are correct, wrong or missing', async () => {
  const key = 'A'.repeat(392);
  const { address, close } = await startNameServer({
    'TXT atrium._domainkey.seen.example': [`v=DKIM1; k=rsa; p=${key}`],
    'MX mail.seen.example': ['feedback-smtp.eu-west-1.amazonses.com'],
    'TXT mail.seen.example': ['v=spf1 -all'],
    'TXT atrium._domainkey.wrong.example': ['p=other'],
    'TXT _dmarc.wrong.example': ['v=DMARC1; p=reject'],
    'TXT atrium._domainkey.news.wrong.example': [`p=${key}`],
  });
  const config = { ...team.runtime.config, dnsServers: [address] };
  const buildDomain = (name: string, subdomain = '') => ({
    name,
    subdomain,
    region: 'eu-west-1',
    public_key: key,
    dkim_selector: 'atrium',
    dkim_tokens: ['atrium'],
  });
  const observation = await lookUpDomainRecords(config, buildDomain('seen.example'));
  const checks = await lookUpDomainRecords(config, buildDomain('wrong.example'));
  const subdomainChecks = await lookUpDomainRecords(config, buildDomain('news.wrong.example', 'news'));
  close();
  expect(subdomainChecks).toMatchObject({ dkim: 'SUCCESS', dmarc: 'SUCCESS' });
  expect(observation).toMatchObject({ dkim: 'SUCCESS', mx: 'SUCCESS', spf: 'FAILED', dmarc: 'NOT_STARTED' });
  expect(observation!.observed).toEqual({
    'TXT atrium._domainkey.seen.example': [`v=DKIM1; k=rsa; p=${key}`],
    'MX mail.seen.example': ['feedback-smtp.eu-west-1.amazonses.com'],
    'TXT mail.seen.example': ['v=spf1 -all'],
    'TXT _dmarc.seen.example': [],
  });
  expect(checks).toMatchObject({ dkim: 'FAILED', mx: 'NOT_STARTED', spf: 'NOT_STARTED', dmarc: 'SUCCESS' });
  expect(
    await lookUpDomainRecords({ ...config, dnsServers: ['127.0.0.1:9'] }, buildDomain('seen.example')),
  ).toBeNull();
});

test('returns observed record values over GraphQL, but not over REST', async () => {
  const { json } = await team.ask('POST', '/api/v1/domains', {
    body: { name: 'news.observed.example', region: 'x' },
  });
  const observed = {
    'TXT atrium._domainkey.news.observed.example': ['p=another'],
    'TXT _dmarc.observed.example': ['v=DMARC1; p=none'],
  };
  await team.runtime.db.rows(
    sql`update svc_domain set subdomain = 'news', dkim_selector = 'atrium', public_key = 'A',
       dns_seen = ${JSON.stringify({ dkim: 'FAILED', dmarc: 'SUCCESS', observed })}::jsonb
     where workspace_id = ${team.main.ctx.workspace.id} and id = ${json.id}`,
  );
  const query = `{ sendingDomain(id: ${json.id}) { dnsRecords { name status observed } } }`;
  expect((await team.graphql(query)).data.sendingDomain.dnsRecords).toEqual([
    { name: 'atrium._domainkey.news', status: 'FAILED', observed: ['p=another'] },
    { name: '_dmarc', status: 'SUCCESS', observed: ['v=DMARC1; p=none'] },
  ]);
  const { text } = await team.ask('GET', `/api/v1/domains/${json.id}`);
  expect(text).not.toContain('observed":');
});

test('accepts any region and returns local if the provider has no regions', async () => {
  const { status, json } = await team.ask('POST', '/api/v1/domains', {
    body: { name: 'regions.example', region: 'ap-southeast-2' },
  });
  expect([status, json.region]).toEqual([200, 'local']);
});

test('returns record types that REST clients do not support in a separate list', async () => {
  const { json } = await team.ask('POST', '/api/v1/domains', { body: { name: 'easy.example', region: 'x' } });
  await team.runtime.db.rows(
    sql`update svc_domain set dkim_tokens = '{one,two,three}', dkim_status = 'SUCCESS' where workspace_id > 0 and id = ${json.id}`,
  );
  const domain = (await team.ask('GET', `/api/v1/domains/${json.id}`)).json;
  expect(domain.dnsRecords.map(({ type }: { type: string }) => type)).toEqual(['TXT']);
  expect(domain.cnameRecords[0]).toEqual({
    name: 'one._domainkey',
    value: 'one.dkim.amazonses.com',
    ttl: 'Auto',
    status: 'SUCCESS',
  });
  expect(domain.cnameRecords).toHaveLength(3);
  const { data } = await team.graphql(`{ sendingDomain(id: ${json.id}) { dnsRecords { type } } }`);
  expect(data.sendingDomain.dnsRecords.map(({ type }: { type: string }) => type)).toEqual([
    'CNAME',
    'CNAME',
    'CNAME',
    'TXT',
  ]);
});
