import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { signLink } from '../src/engine/identity/signed-link.ts';
import { call } from '../src/engine/operation/call.ts';
import { createLinkCtx, createPublicCtx } from '../src/http/guest.ts';
import { createUnauthenticatedCtx } from '../src/http/http.ts';
import { postGraphql } from './harness/facades/graphql.ts';
import { json2 } from './harness/facades/json2.ts';
import { runTool, postMcp as sendMcp, switchMcp } from './harness/facades/mcp.ts';
import { setUpTeam } from './harness/facades/rest.ts';
import { postJsonRpc } from './harness/facades/rpc.ts';
import { postXml } from './harness/facades/xmlrpc.ts';

// The authorization for operations without a key can be neither obtained nor forged through another facade.

const team = setUpTeam();
let book: string;
let contactId: string;

beforeAll(async () => {
  await switchMcp(team, team.main, true);
  book = await team.book();
  const body = { email: 'reader@example.net' };
  contactId = (await team.ask('POST', `/api/v1/contactBooks/${book}/contacts`, { body })).json.contactId;
});

const isSubscribed = async (): Promise<boolean> =>
  (await team.ask('GET', `/api/v1/contactBooks/${book}/contacts/${contactId}`)).json.subscribed;

/** Returns the state that an attacker could forge: a subscription, and provider events. */
async function loadState() {
  const count = await team.runtime.db.value<number>(
    sql`select count(*)::int from svc_provider_event where workspace_id is null or workspace_id > 0`,
  );
  return { subscribed: await isSubscribed(), reports: count };
}

let before: Awaited<ReturnType<typeof loadState>>;
beforeEach(async () => {
  before = await loadState();
});

const KEYS: [string, () => string | undefined][] = [
  ['nobody', () => undefined],
  ['a user', () => team.main.user.key],
  ['an administrator', () => team.main.admin.key],
  ['a team', () => team.main.teamKey],
];

const message = {
  Type: 'Notification',
  MessageId: 'made-up',
  TopicArn: 'arn:aws:sns:eu-west-1:123456789012:ses-events',
  Message: JSON.stringify({ eventType: 'Complaint', mail: { messageId: 'x' }, complaint: {} }),
  Timestamp: new Date().toISOString(),
  SignatureVersion: '2',
  Signature: Buffer.from('made up').toString('base64'),
  SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem',
};
const bytes = Buffer.from(JSON.stringify(message)).toString('base64');

describe.each(KEYS)('link operations attempted by %s', (_, keyOf) => {
  test.each([
    'mutation { unsubscribe { email subscribed } }',
    'mutation { unsubscribe(subscribed: true) { email subscribed } }',
    'query { unsubscribeView { email } }',
    'mutation { subscriptionConfirm { email } }',
    'query { subscriptionConfirmView { email } }',
    `mutation { snsMessageReceive(body: "${bytes}") }`,
    `mutation { mailSesReceive(body: "${bytes}") }`,
    `mutation { mailRelayReceive(recipients: ["user@main.test"], hash: "x", signature: "x", body: "${bytes}") { outcome } }`,
  ])('are rejected at /graphql: %.40s', async (query) => {
    const key = keyOf();
    const { errors, data } = await postGraphql(team, query, { key });
    expect(errors[0]!.extensions.code).toBe(key ? 'FORBIDDEN' : 'UNAUTHENTICATED');
    expect(Object.values(data).every((value) => value === null)).toBe(true);
    expect(await loadState()).toEqual(before);
  });

  test('are rejected at /graphql with a link in arguments, headers or context', async () => {
    const { secretKey } = team.runtime.config;
    const { id, hash } = signLink(secretKey, 'unsubscribe', team.main.ctx.workspace.id, `${contactId}-x`);
    for (const property of ['subject', 'guest', 'id', 'hash', 'link']) {
      const query = `mutation { unsubscribe(${property}: "${property === 'hash' ? hash : id}") { email } }`;
      expect((await postGraphql(team, query, { key: keyOf() })).errors[0]!.extensions.code).toBe(
        'GRAPHQL_VALIDATION_FAILED',
      );
    }
    const headers = { 'x-guest': 'LINK', 'x-link-id': id, 'x-link-hash': hash };
    const { errors } = await postGraphql(team, 'mutation { unsubscribe { email } }', {
      key: keyOf(),
      headers,
    });
    expect(errors[0]!.extensions.code).toMatch(/^(FORBIDDEN|UNAUTHENTICATED)$/);
    expect(await loadState()).toEqual(before);
  });

  test('are rejected at every path of the JSON API', async () => {
    const bodies = [{}, { subscribed: false }, { body: bytes }, { context: { guest: { kind: 'SIGNED' } } }];
    for (const method of ['unsubscribe', 'subscriptionConfirm', 'snsMessageReceive', 'publicFile'])
      for (const model of ['svc.contact', 'res.partner', 'ir.attachment', '*'])
        for (const body of bodies) {
          const { status } = await json2(team, `${model}/${method}`, body, keyOf());
          expect(status, `${model}/${method}`).toBe(keyOf() ? 404 : 401);
        }
    expect(await loadState()).toEqual(before);
  });

  test('are rejected at the REST API and as an MCP tool', async () => {
    for (const path of ['unsubscribe', 'snsMessageReceive', 'contacts/unsubscribe']) {
      const { status } = await team.ask('POST', `/api/v1/${path}`, { body: {}, key: keyOf() ?? null });
      expect([401, 403, 404]).toContain(status);
    }
    const key = keyOf();
    for (const name of ['unsubscribe', 'snsMessageReceive', 'publicFile']) {
      if (key) expect((await runTool(team, key, name, { body: bytes })).content).toBeUndefined();
      else
        expect(
          (await sendMcp(team, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } })).status,
        ).toBe(401);
    }
    expect(await loadState()).toEqual(before);
  });
});

test('excludes guest methods from classic RPC over XML and JSON', async () => {
  const { id, key } = team.main.admin;
  for (const method of ['unsubscribe', 'subscriptionConfirm', 'snsMessageReceive', 'publicFile'])
    for (const model of ['res.partner', 'ir.attachment']) {
      const params = ['main', id, key, model, method, [], {}];
      const xml = await postXml(`${team.url}/xmlrpc/2/object`, 'execute_kw', params);
      expect(xml.fault, method).toBeDefined();
      const rpc = await postJsonRpc(team, 'object', 'execute_kw', params);
      expect(rpc.json().error, method).toBeDefined();
    }
  expect(await loadState()).toEqual(before);
});

test('rejects a forged notification and stores no part of it', async () => {
  for (const body of [
    JSON.stringify(message),
    '{}',
    '',
    'x',
    Buffer.from([0xff, 0xfe]),
    JSON.stringify({ body: bytes }),
  ]) {
    const response = await fetch(`${team.url}/api/ses_callback`, { method: 'POST', body });
    expect([400, 403]).toContain(response.status);
  }
  expect(await loadState()).toEqual(before);
});

describe('a guest', () => {
  const buildLink = (kind: string, expires: number | null = null) =>
    signLink(team.runtime.config.secretKey, kind, team.main.ctx.workspace.id, contactId, expires);
  const error = { kind: 'UNAUTHENTICATED' };

  test('can use a link only for its intended purpose', async () => {
    const ctx = await createLinkCtx(team.runtime, 'subscribe', buildLink('subscribe'), 'r');
    await expect(call(ctx, 'subscriptionConfirmView', {})).resolves.toMatchObject({ list: 'Readers' });
    for (const [name, args] of [
      ['unsubscribe', {}],
      ['unsubscribeView', {}],
      ['publicFile', { id: 1 }],
      ['snsMessageReceive', { body: Buffer.from('{}') }],
      ['recordSearch', { model: 'res.partner', domain: [] }],
      ['keyCreate', { name: 'x' }],
    ] as const)
      await expect(call(ctx, name, args), name).rejects.toMatchObject(error);
  });

  test('is rejected with a forged, expired or unrelated link', async () => {
    const goodLink = buildLink('unsubscribe');
    for (const [kind, invalidLinks] of [
      ['unsubscribe', { ...goodLink, hash: goodLink.hash.replace(/^./, (c) => (c === '0' ? '1' : '0')) }],
      ['unsubscribe', { ...goodLink, id: goodLink.id.replace(/\d+$/, '999') }],
      ['unsubscribe', { ...goodLink, expires: Date.now() + 1000 }],
      ['subscribe', goodLink],
      ['subscribe', buildLink('subscribe', Date.now() - 1)],
    ] as const)
      await expect(createLinkCtx(team.runtime, kind, invalidLinks, 'r')).rejects.toMatchObject({
        kind: 'BAD_REQUEST',
      });
  });

  test('gains no other access by knowing a workspace name or posting a notification', async () => {
    const anyone = (await createPublicCtx(team.runtime, 'main', 'r'))!;
    await expect(call(anyone, 'publicFile', { id: 1 })).resolves.toBeNull();
    await expect(call(anyone, 'unsubscribe', {})).rejects.toMatchObject(error);
    await expect(call(anyone, 'fileContent', { id: 1 })).rejects.toMatchObject(error);
    const signed = createUnauthenticatedCtx(team.runtime, 'web', 'r', { kind: 'SIGNED' });
    await expect(call(signed, 'publicFile', { id: 1 })).rejects.toMatchObject(error);
    await expect(call(signed, 'unsubscribe', {})).rejects.toMatchObject(error);
    expect(await createPublicCtx(team.runtime, 'nowhere', 'r')).toBeNull();
  });
});

test('returns a public file to key holders at /graphql, but no private file', async () => {
  const { key } = team.main.admin;
  const attach = async (vals: object): Promise<number> =>
    (await json2(team, 'ir.attachment/create', { vals_list: vals }, key)).json()[0];
  const openFile = await attach({ name: 'open.txt', raw: 'open', public: true });
  const hidden = await attach({ name: 'hidden.txt', raw: 'hidden' });
  const query = 'query ($id: ID!, $token: String) { publicFile(id: $id, token: $token) { name content } }';
  const tell = async (id: number, token?: string) =>
    (await team.graphql(query, { id, token }, team.main.user.key)).data.publicFile;
  expect(await tell(openFile)).toMatchObject({
    name: 'open.txt',
    content: Buffer.from('open').toString('base64'),
  });
  expect(await tell(hidden)).toBeNull();
  expect(await tell(hidden, '')).toBeNull();
  expect(await tell(hidden, 'null')).toBeNull();
  expect((await postGraphql(team, query, { variables: { id: openFile } })).errors[0]!.extensions.code).toBe(
    'UNAUTHENTICATED',
  );
});

describe("a workspace's audit trail", () => {
  let from = 0;
  const readTrail = () =>
    team.runtime.db.rows<Record<string, unknown>>(
      sql`select id, event, success, user_id, channel, error, summary from svc_audit_event
        where workspace_id = ${team.main.ctx.workspace.id} and event like 'contact.%' and id > ${from} order by id`,
    );
  const buildUrl = (kind: string, path: string, expires: number | null = null) => {
    const subject = kind === 'unsubscribe' ? `${contactId}-none` : contactId;
    const { id, hash } = signLink(
      team.runtime.config.secretKey,
      kind,
      team.main.ctx.workspace.id,
      subject,
      expires,
    );
    return `${team.url}${path}?${expires ? `contactId=${id}&expiresAt=${expires}` : `id=${id}`}&hash=${hash}`;
  };

  test('contains each attempt without a valid link', async () => {
    const { key, id } = team.main.user;
    await team.graphql('mutation { unsubscribe { email } }', {}, key);
    const lines = await readTrail();
    expect(lines.at(-1)).toMatchObject({
      event: 'contact.unsubscribe',
      success: false,
      user_id: id,
      error: 'This requires a signed link.',
    });
    from = lines.at(-1)!.id as number;
  });

  test('contains each write through a link, but no views or forged links', async () => {
    const leave = buildUrl('unsubscribe', '/unsubscribe');
    expect((await fetch(leave)).status).toBe(200);
    expect((await fetch(`${leave}0`, { method: 'POST' })).status).toBe(400);
    expect(await readTrail()).toEqual([]);
    expect((await fetch(leave, { method: 'POST' })).status).toBe(200);
    const confirm = buildUrl('subscribe', '/subscribe', Date.now() + 60_000);
    expect((await fetch(confirm)).status).toBe(200);
    expect((await fetch(confirm, { method: 'POST' })).status).toBe(400);
    const lines = await readTrail();
    expect(lines).toMatchObject([
      { event: 'contact.unsubscribe', success: true, user_id: null, channel: 'web', error: null },
      { event: 'contact.confirm', success: false, user_id: null, channel: 'web' },
    ]);
    expect(lines.map(({ summary }) => JSON.parse(summary as string))).toEqual([
      { subscribed: false, subject: `${contactId}-none` },
      { subject: contactId },
    ]);
  });
});
