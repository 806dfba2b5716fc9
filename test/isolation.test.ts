import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { post, setUpApp } from './harness/app.ts';
import { postGraphql, sendRequest } from './harness/facades/graphql.ts';
import { json2 } from './harness/facades/json2.ts';
import { buildRequest, postMcp as sendMcp } from './harness/facades/mcp.ts';
import { postJsonRpc } from './harness/facades/rpc.ts';
import type { Tenant } from './harness/tenant.ts';

/** The contents of a workspace. The other workspace has the same contents under different ids. */
interface World extends Tenant {
  company: number;
  contact: number;
  group: number;
  keyId: number;
  email: string;
}

const app = setUpApp({ PUBLIC_URL: 'http://atrium.test' });
let ownWorld: World;
let otherWorld: World;
const ABSENT_ID = 2_000_000_011;
const ABSENT_EMAIL = 'c0000000000000000000000000';

beforeAll(async () => {
  ownWorld = await populate(await app.tenant('here'));
  otherWorld = await populate(await app.tenant('there', 'apart'));
});

async function populate(tenant: Tenant): Promise<World> {
  const { ctx } = tenant;
  await ctx.db.rows(sql`update workspace set features = '{email,mcp}' where id = ${ctx.workspace.id}`);
  app.runtime.identity.invalidate();
  const create = async (vals: object) =>
    (await readJson(tenant, 'res.partner', 'create', { vals_list: [vals] })).json()[0] as number;
  await readJson(tenant, 'ir.model', 'create', { vals_list: [{ name: 'Twin', model: 'x_twin' }] });
  await readJson(tenant, 'x_twin', 'create', { vals_list: [{ x_name: 'one' }, { x_name: 'two' }] });
  const company = await create({ name: 'Acme', is_company: true, ref: 'twin' });
  const contact = await create({ name: 'Ann', parent_id: company, email: 'ann@acme.test', ref: 'twin' });
  const [group] = (
    await readJson(tenant, 'res.groups', 'search', { domain: [['name', '=', 'Administrator']] })
  ).json();
  const { data } = await postGraphql(app, '{ apiKeys { nodes { id name } } }', { key: tenant.admin.key });
  const sent = await postMail(tenant, 'same-key');
  return {
    ...tenant,
    company,
    contact,
    group,
    keyId: Number(data.apiKeys.nodes[0].id),
    email: sent.json().emailId,
  };
}

const readJson = (tenant: Tenant, model: string, method: string, args: object) =>
  json2(app, `${model}/${method}`, args, tenant.admin.key);

const postMail = (tenant: Tenant, key: string, domain = tenant.domain) =>
  post(
    `${app.url}/api/v1/emails`,
    { from: `hello@${domain}`, to: 'you@example.org', subject: 'Hello', text: 'Hi' },
    tenant.teamKey,
    { 'idempotency-key': key },
  );

/** Returns a snapshot of the other workspace's rows, to verify that nothing changed. */
const fingerprintOther = async () =>
  JSON.stringify(
    await otherWorld.ctx.db.rows(
      sql`select id, name, complete_name, parent_id, write_date, write_uid,
         (select count(*) from res_groups_users_rel where workspace_id = ${otherWorld.ctx.workspace.id}) as memberships,
         (select count(*) from svc_api_key where workspace_id = ${otherWorld.ctx.workspace.id}
             and revoked_at is null) as keys
       from res_partner where workspace_id = ${otherWorld.ctx.workspace.id} order by id`,
    ),
  );

/** Request id in GraphQL errors, which differs between requests. */
const REQUEST_ID = /,"requestId":"[^"]*"/g;

/** Verifies that the response to a foreign id equals the response to a nonexistent id, apart from the id. */
async function expectLooksAbsent(
  foreign: number | string,
  absent: number | string,
  call: (id: never) => Promise<{ status: number; text: string }>,
) {
  const before = await fingerprintOther();
  const [a, b] = [await call(foreign as never), await call(absent as never)];
  const normalizeText = (text: string, id: number | string) =>
    text
      .replace(/"locations":\[[^\]]*\],/g, '')
      .replace(REQUEST_ID, '')
      .replace(/^\[\d+\]$/, '[new id]')
      .replace(new RegExp(`(?<![\\w])${id}(?![\\w])`, 'g'), '#');
  expect([a.status, normalizeText(a.text, foreign)]).toEqual([b.status, normalizeText(b.text, absent)]);
  expect(await fingerprintOther()).toBe(before);
  return a;
}

describe('ids of another workspace', () => {
  it("GraphQL treats another workspace's id as nonexistent", async () => {
    const readRecord = (id: number) =>
      postGraphql(app, `{ partner(id: ${id}) { name parent { name } } user(id: ${id}) { login } }`, {
        key: ownWorld.admin.key,
      });
    expect((await expectLooksAbsent(otherWorld.contact, ABSENT_ID, readRecord)).text).toContain(
      '"partner":null',
    );
    const revoke = (id: number) =>
      postGraphql(app, `mutation { keyRevoke(id: ${id}) { id revokedAt } }`, { key: ownWorld.admin.key });
    expect((await expectLooksAbsent(otherWorld.keyId, ABSENT_ID, revoke)).text).toContain('NOT_FOUND');
    const createForeignKey = (id: number) =>
      postGraphql(app, `mutation { keyCreate(name: "x", userId: ${id}) { id } }`, {
        key: ownWorld.admin.key,
      });
    expect((await expectLooksAbsent(otherWorld.user.id, ABSENT_ID, createForeignKey)).text).toContain(
      'NOT_FOUND',
    );
    const readEmail = (id: string) =>
      postGraphql(app, `{ emailRead(id: "${id}") { id } }`, { key: ownWorld.teamKey });
    expect((await expectLooksAbsent(otherWorld.email, ABSENT_EMAIL, readEmail)).text).toContain('NOT_FOUND');
  });

  it.each([
    ['read', (id: number) => ({ ids: [id] })],
    ['write', (id: number) => ({ ids: [id], vals: { name: 'Mine now' } })],
    ['unlink', (id: number) => ({ ids: [id] })],
    ['search', (id: number) => ({ domain: [['id', '=', id]] })],
    ['search', (id: number) => ({ domain: [['parent_id', '=', id]] })],
    ['search', (id: number) => ({ domain: [['child_ids', 'in', [id]]] })],
    ['search', (id: number) => ({ domain: [['parent_id.child_ids.id', '=', id]] })],
    ['search_count', (id: number) => ({ domain: [['parent_id.id', 'in', [id]]] })],
    ['name_search', (id: number) => ({ domain: [['id', '=', id]] })],
    ['web_read', (id: number) => ({ ids: [id], specification: { name: {}, child_ids: { fields: {} } } })],
    ['web_search_read', (id: number) => ({ domain: [['id', '=', id]], specification: { name: {} } })],
    ['web_save', (id: number) => ({ ids: [id], vals: { name: 'Mine now' }, specification: { name: {} } })],
    ['export_data', (id: number) => ({ ids: [id], fields_to_export: ['name', 'parent_id/name'] })],
    ['load', (id: number) => ({ fields: ['.id', 'name'], data: [[String(id), 'Mine now']] })],
    ['load', (id: number) => ({ fields: ['name', 'parent_id/.id'], data: [['New', String(id)]] })],
    ['copy', (id: number) => ({ ids: [id] })],
    ['get_metadata', (id: number) => ({ ids: [id] })],
    ['action_archive', (id: number) => ({ ids: [id] })],
    ['explain_access', (id: number) => ({ ids: [id], operation: 'write' })],
    ['has_access', (id: number) => ({ ids: [id], operation: 'write' })],
    ['message_post', (id: number) => ({ ids: [id], body: 'Hello' })],
    [
      'formatted_read_group',
      (id: number) => ({ domain: [['id', '=', id]], groupby: ['name'], aggregates: ['id:max'] }),
    ],
  ])("the JSON API treats another workspace's id as nonexistent: %s (%#)", async (method, args) => {
    await expectLooksAbsent(otherWorld.contact, ABSENT_ID, (id: number) =>
      readJson(ownWorld, 'res.partner', method, args(id)),
    );
  });

  it.each([
    ['a relation', (id: number) => ({ parent_id: id })],
    ['company', (id: number) => ({ company_id: id })],
    ['link command', (id: number) => ({ child_ids: [[4, id]] })],
    ['update command', (id: number) => ({ child_ids: [[1, id, { name: 'Mine now' }]] })],
    ['delete command', (id: number) => ({ child_ids: [[2, id]] })],
    ['unlink command', (id: number) => ({ child_ids: [[3, id]] })],
    ['replace command', (id: number) => ({ child_ids: [[6, 0, [id]]] })],
  ])("a write treats another workspace's id as nonexistent: %s", async (_name, vals) => {
    const foreign = otherWorld.contact;
    await expectLooksAbsent(foreign, ABSENT_ID, (id: number) =>
      readJson(ownWorld, 'res.partner', 'write', { ids: [ownWorld.company], vals: vals(id) }),
    );
    await expectLooksAbsent(foreign, ABSENT_ID, (id: number) =>
      readJson(ownWorld, 'res.partner', 'create', { vals_list: [{ name: 'New', ...vals(id) }] }),
    );
  });

  it("a many2many command treats another workspace's id as nonexistent", async () => {
    await expectLooksAbsent(otherWorld.group, ABSENT_ID, (id: number) =>
      readJson(ownWorld, 'res.users', 'write', { ids: [ownWorld.user.id], vals: { group_ids: [[4, id]] } }),
    );
  });

  it("the email REST API treats another workspace's id as nonexistent", async () => {
    const get = (id: string) =>
      sendRequest(app, 'GET', `/api/v1/emails/${id}`, { authorization: `Bearer ${ownWorld.teamKey}` });
    expect((await expectLooksAbsent(otherWorld.email, ABSENT_EMAIL, get)).status).toBe(404);
    expect((await get(ownWorld.email)).status).toBe(200);
  });

  it("classic RPC treats another workspace's id as nonexistent", async () => {
    const execute = (method: string, ...args: unknown[]) =>
      postJsonRpc(app, 'object', 'execute_kw', [
        'here',
        ownWorld.admin.id,
        ownWorld.admin.key,
        'res.partner',
        method,
        args,
      ]);
    for (const method of ['read', 'unlink', 'name_search']) {
      await expectLooksAbsent(otherWorld.contact, ABSENT_ID, (id: number) =>
        execute(
          method,
          method === 'name_search' ? '' : [id],
          ...(method === 'name_search' ? [[['id', '=', id]]] : []),
        ),
      );
    }
    await expectLooksAbsent(otherWorld.contact, ABSENT_ID, (id: number) =>
      execute('write', [id], { name: 'Mine now' }),
    );
  });

  it("MCP treats another workspace's id as nonexistent", async () => {
    const get = (id: number) => callTool('get', { model: 'res.partner', ids: [id] });
    await expectLooksAbsent(otherWorld.contact, ABSENT_ID, get);
    const searchPartner = (id: number) =>
      callTool('search', { model: 'res.partner', domain: [['id', '=', id]] });
    expect((await expectLooksAbsent(otherWorld.contact, ABSENT_ID, searchPartner)).text).not.toContain('Ann');
    expect(
      (await callTool('search', { model: 'res.partner', domain: [['id', '=', ownWorld.contact]] })).text,
    ).toContain('Ann');
  });
});

describe('identical data in two workspaces', () => {
  it('a search by any path finds only records of one workspace', async () => {
    for (const domain of [
      [['ref', '=', 'twin']],
      ['|', ['parent_id.name', '=', 'Acme'], ['child_ids.name', '=', 'Ann']],
      ['!', ['ref', '!=', 'twin']],
    ]) {
      for (const world of [ownWorld, otherWorld]) {
        const ids = (await readJson(world, 'res.partner', 'search', { domain, order: 'id' })).json();
        expect(ids).toEqual([world.company, world.contact]);
      }
    }
  });

  it('the lists of every model contain only records of one workspace', async () => {
    let rows = 0;
    // Models and fields defined in code are shared by all workspaces.
    const tenantModels = [...app.runtime.registry.values()].filter((model) => !model.options.sharedTable);
    for (const model of ['x_twin', ...tenantModels.map(({ name }) => name)]) {
      const ownResult = (
        await readJson(ownWorld, model, 'search', { domain: [], context: { active_test: false } })
      ).json() as number[];
      const otherResult = (
        await readJson(otherWorld, model, 'search', { domain: [], context: { active_test: false } })
      ).json() as number[];
      expect(
        ownResult.filter((id) => otherResult.includes(id)),
        model,
      ).toEqual([]);
      rows += ownResult.length;
    }
    expect(rows).toBeGreaterThan(20);
  });

  it('graph relations return only records of one workspace', async () => {
    const { data } = await postGraphql(
      app,
      `{ partners(where: { ref: { eq: "twin" } }) {
        nodes { id parent { id } children { nodes { id } } company { id } } } }`,
      { key: ownWorld.admin.key },
    );
    const ids = JSON.stringify(data.partners).match(/\d+/g)!.map(Number);
    expect(new Set(ids)).toEqual(new Set([ownWorld.company, ownWorld.contact]));
  });

  it('one idempotency key creates an email in each workspace', async () => {
    expect(ownWorld.email).not.toBe(otherWorld.email);
    expect((await postMail(ownWorld, 'same-key')).json().emailId).toBe(ownWorld.email);
    expect((await postMail(otherWorld, 'same-key')).json().emailId).toBe(otherWorld.email);
  });

  it('a sending domain of another workspace is rejected like an unknown one', async () => {
    const [foreign, absent] = [
      await postMail(ownWorld, 'a', otherWorld.domain),
      await postMail(ownWorld, 'b', 'absent.test'),
    ];
    expect(foreign.status).toBe(400);
    expect(foreign.text.replaceAll(otherWorld.domain, '#')).toBe(absent.text.replaceAll('absent.test', '#'));
  });

  it("another workspace's domain cannot be added", async () => {
    const { errors } = await postGraphql(app, `mutation { domainAdd(name: "${otherWorld.domain}") { id } }`, {
      key: ownWorld.admin.key,
    });
    expect(errors[0]!.extensions.code).toBe('NOT_UNIQUE');
  });
});

describe('credentials of another workspace', () => {
  const facades: [string, string, string][] = [
    ['GraphQL', '/graphql', JSON.stringify({ query: '{ workspace { slug } }' })],
    ['JSON API', '/json/2/res.partner/search', JSON.stringify({ domain: [] })],
    ['MCP', '/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
  ];

  it.each(facades)("a key is rejected at another workspace's URL: %s", async (_name, path, body) => {
    const call = (key: string, host: string) =>
      sendRequest(
        app,
        'POST',
        path,
        {
          host,
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body,
      );
    expect((await call(ownWorld.admin.key, 'here.atrium.test')).status).toBe(200);
    const [foreignResponse, unknownResponse] = [
      await call(ownWorld.admin.key, 'there.atrium.test'),
      await call(`uk_aaaaaaaaaa_${'0'.repeat(32)}`, 'there.atrium.test'),
    ];
    expect(foreignResponse.status).toBe(401);
    const normalize = ({ status, text }: typeof foreignResponse) => [status, text.replace(REQUEST_ID, '')];
    expect(normalize(foreignResponse!)).toEqual(normalize(unknownResponse!));
  });

  it("a team key is rejected at another workspace's URL", async () => {
    const list = (host: string) =>
      sendRequest(app, 'GET', '/api/v1/domains', { host, authorization: `Bearer ${ownWorld.teamKey}` });
    expect((await list('here.atrium.test')).status).toBe(200);
    expect((await list('there.atrium.test')).status).toBe(401);
  });

  it('a session is rejected outside its workspace', async () => {
    const form = new URLSearchParams({
      login: 'admin',
      password: ownWorld.admin.password,
      workspace: 'here',
    }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const signedIn = await sendRequest(app, 'POST', '/login', type, form);
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!;
    const readSlug = (host: string) =>
      postGraphql(app, '{ workspace { slug } }', { headers: { cookie, host } });
    expect((await readSlug('here.atrium.test')).data.workspace.slug).toBe('here');
    expect((await readSlug('there.atrium.test')).errors[0]!.extensions.code).toBe('UNAUTHENTICATED');
    const otherResponse = await sendRequest(
      app,
      'POST',
      '/login',
      { ...type, host: 'there.atrium.test' },
      form,
    );
    expect(otherResponse.status).toBe(401);
  });

  it('a key or password is rejected for any other database', async () => {
    for (const secret of [ownWorld.admin.key, ownWorld.admin.password]) {
      const ownLogin = await postJsonRpc(app, 'common', 'authenticate', ['here', 'admin', secret, {}]);
      expect(JSON.parse(ownLogin.text).result).toBe(ownWorld.admin.id);
      const foreign = await postJsonRpc(app, 'common', 'authenticate', ['there', 'admin', secret, {}]);
      expect(JSON.parse(foreign.text).result).toBe(false);
      const executed = await postJsonRpc(app, 'object', 'execute_kw', [
        'there',
        ownWorld.admin.id,
        secret,
        'res.partner',
        'search',
        [[]],
      ]);
      expect(JSON.parse(executed.text).error).toBeDefined();
    }
  });
});

const callTool = (name: string, args: object) =>
  sendMcp(app, buildRequest('tools/call', { name, arguments: args }), ownWorld.admin.key);
