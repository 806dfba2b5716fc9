import { expect, test, vi } from 'vitest';
import { postWebhook } from '../../schema/email/webhooks/post-webhook.ts';
import { sql } from '../../src/db/sql.ts';
import { isPublicAddress, isPublicHost } from '../../src/net/public-address.ts';
import { recordAllDue } from '../harness/due.ts';
import { pause } from '../harness/wait.ts';
import { startNameServer } from '../standins/dns.ts';
import { type CreatedWebhook, stageWebhooks } from './webhook-stage.ts';

/** Content of the hosts file, independent of the machine. */
const HOSTS = '127.0.0.1 localhost # this machine\n127.0.0.1\town.example OTHER.example\n';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const readFile = (path: string, ...rest: unknown[]) =>
    path === '/etc/hosts' ? Promise.resolve(HOSTS) : real.readFile(path, ...(rest as []));
  return { ...real, readFile };
});

// A quarter of the configured timeout suffices for a local DNS server.
vi.mock('node:dns/promises', async (original) => {
  const real = await original<typeof import('node:dns/promises')>();
  class Resolver extends real.Resolver {
    constructor(options: { timeout: number }) {
      super({ ...options, timeout: options.timeout / 4 });
    }
  }
  return { ...real, Resolver };
});

const stage = stageWebhooks();
const { calls, gql, make, sent, work } = stage;

test.each([
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.20.0.1', false],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['8.8.8.8', true],
  ['172.32.0.1', true],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['ff02::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001:db8::1', false],
  ['2001:0:1::1', false],
  ['2606:4700:4700::1111', true],
  ['not an address', false],
])('decides whether %s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

test.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://017700000001/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://localhost:3000/',
  'http://x.LOCALHOST./',
])('rejects %s before resolving anything', (address) => {
  expect(isPublicHost(new URL(address).hostname)).toBe(false);
});

const buildNetworkOptions = (allowPrivate: boolean, dnsServers: string[] | null = null) => ({
  allowPrivate,
  dnsServers,
});

test('rejects a name that resolves to a private address', async () => {
  const { address, close } = await startNameServer({ 'A inside.example': ['127.0.0.1'] });
  try {
    for (const name of ['own.example', 'inside.example']) {
      const outcome = await postWebhook(
        `http://${name}:${stage.port}/`,
        {},
        '{}',
        buildNetworkOptions(false, [address]),
      );
      expect([outcome.status, outcome.error]).toEqual([
        null,
        `${name} resolves to an address that is not public.`,
      ]);
    }
    expect((await postWebhook(`${stage.url}/`, {}, '{}', buildNetworkOptions(false))).error).toContain(
      'not public',
    );
    expect(stage.received).toEqual([]);
    expect((await postWebhook(`${stage.url}/`, {}, '{}', buildNetworkOptions(true))).status).toBe(200);
  } finally {
    close();
  }
});

test('resolves names through the hosts file and then the configured name servers within a time limit', {
  tags: 'slow',
}, async () => {
  const { config } = stage.team.runtime;
  const { port } = stage;
  const { address, close } = await startNameServer({
    'A inside.example': ['127.0.0.1'],
    'A mixed.example': ['192.0.2.10', '10.0.0.1'],
  });
  config.dnsServers = [address];
  const createHook = async (host: string) => {
    const { id } = (await gql(
      `mutation { webhookCreate(url: "http://${host}:${port}/") { id secret } }`,
    )) as CreatedWebhook;
    await gql(`mutation { webhookTest(id: ${id}) { id } }`);
    await expect.poll(async () => (await calls(id))[0].attempt).toBe(1);
    const [{ lastError, responseStatus }] = await calls(id);
    return responseStatus ?? lastError;
  };
  try {
    work({ pause: 60_000 });
    expect(
      await Promise.all([createHook('localhost'), createHook('own.example'), createHook('inside.example')]),
    ).toEqual([200, 200, 200]);
    config.webhookAllowPrivate = false;
    for (const host of ['own.example', 'inside.example', 'mixed.example'])
      expect(await createHook(host)).toBe(`${host} resolves to an address that is not public.`);
    expect(await createHook('nobody.example')).toBe('nobody.example has no IP address.');
    const silent = Array.from({ length: 6 }, (_, index) => `${index}.silent.example`);
    expect(await Promise.all(silent.map(createHook))).toEqual(
      silent.map((host) => `The address of ${host} could not be resolved (ETIMEOUT).`),
    );
    expect(stage.received).toHaveLength(3);
  } finally {
    config.webhookAllowPrivate = true;
    config.dnsServers = null;
    close();
  }
});

test('skips webhooks leased by another worker, and does not call private addresses', async () => {
  const { config, db } = stage.team.runtime;
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  await sent();
  await db.rows(
    sql`update svc_webhook set lease_by = 'another', lease_until = now() + interval '1 hour' where workspace_id > 0`,
  );
  config.webhookAllowPrivate = false;
  try {
    for (let i = 0; i < 3; i++) work({ pause: 60_000 });
    await pause(700);
    expect(await calls(id)).toMatchObject([{ status: 'PENDING', attempt: 0, lastError: null }]);
    await db.rows(sql`update svc_webhook set lease_until = now() where workspace_id > 0`);
    await recordAllDue(db);
    await expect
      .poll(() => calls(id))
      .toMatchObject([
        { attempt: 1, responseStatus: null, lastError: expect.stringContaining('not public') },
      ]);
    expect(stage.received).toEqual([]);
  } finally {
    config.webhookAllowPrivate = true;
  }
});

test('rejects private URLs, URLs with a password, and other schemes if WEBHOOK_ALLOW_PRIVATE is off', async () => {
  const { config } = stage.team.runtime;
  config.webhookAllowPrivate = false;
  try {
    for (const [address, reason] of [
      [stage.url, 'not public'],
      ['http://[fe80::1]/', 'not public'],
      ['https://u:p@example.com/', 'must not contain a user name'],
      ['ftp://example.com/', 'https://'],
      ['nothing', 'must be a URL'],
    ])
      await expect(gql(`mutation { webhookCreate(url: "${address}") { id secret } }`)).rejects.toThrow(
        reason,
      );
    const { id } = (await gql(
      `mutation { webhookCreate(url: "https://example.com/hook") { id secret } }`,
    )) as CreatedWebhook;
    await stage.team.runtime.db.rows(
      sql`update svc_webhook set url = ${`${stage.url}/`} where workspace_id > 0`,
    );
    await gql(`mutation { webhookTest(id: ${id}) { id } }`);
    work({ pause: 60_000 });
    await expect.poll(async () => (await calls(id))[0].lastError).toContain('not public');
    expect(stage.received).toEqual([]);
  } finally {
    config.webhookAllowPrivate = true;
  }
});

test('validates the fields of a webhook and names the invalid field', async () => {
  const createWebhook = (args: string) =>
    gql(`mutation { webhookCreate(url: "${stage.url}", ${args}) { id secret } }`);
  await expect(createWebhook('eventTypes: [EMAIL_LOST]')).rejects.toThrow('EMAIL_LOST');
  await expect(createWebhook('eventTypes: [WEBHOOK_TEST]')).rejects.toThrow('eventTypes');
  await expect(createWebhook('domainIds: [2000000000]')).rejects.toThrow('domainIds');
  await expect(createWebhook('secret: "short"')).rejects.toThrow('secret');
  const { id, secret } = (await createWebhook('secret: "a secret of my own, long"')) as CreatedWebhook;
  expect(secret).toBe('a secret of my own, long');
  await gql(`mutation { webhookUpdate(id: ${id}, eventTypes: [EMAIL_SENT]) { id } }`);
  expect(await gql('{ webhooks { nodes { id url eventTypes domains { name } } } }')).toEqual({
    nodes: [{ id, url: `${stage.url}/`, eventTypes: ['EMAIL_SENT'], domains: [] }],
  });
  await expect(gql(`mutation { webhookUpdate(id: ${id}, status: OFF) { id } }`)).rejects.toThrow('OFF');
  expect(await gql(`mutation { webhookDelete(id: ${id}) { id } }`)).toEqual({ id });
  await expect(gql(`mutation { webhookDelete(id: ${id}) { id } }`)).rejects.toThrow('not found');
});
