import { beforeAll, expect, test } from 'vitest';
import { addDomain } from '../../schema/email/domains/domains.ts';
import { sql } from '../../src/db/sql.ts';
import { write } from '../../src/engine/write/write.ts';
import { buildMail, setUpTeam } from '../harness/facades/rest.ts';
import type { Tenant } from '../harness/tenant.ts';

const team = setUpTeam();
let acme: Tenant;
beforeAll(async () => {
  acme = await team.tenant('acme', 'apart');
});

const run = (text: string, ...values: unknown[]) => team.runtime.db.pool.query(text, values);

const FOREIGN_KEY = /svc_domain_claimed_name_workspace_id_fkey/;

test.each([
  ["another workspace's name", "update svc_domain set name = 'main.test' where name = 'acme.test'"],
  ['an unverified name', "update svc_domain set name = 'bigbank.example' where name = 'acme.test'"],
  [
    'a verified state without a claim',
    `insert into svc_domain (id, workspace_id, name, region, status)
     select nextval('svc_domain_id_seq'), workspace_id, 'main.test', 'local', 'SUCCESS' from svc_domain where name = 'acme.test'`,
  ],
  [
    'a claim with a different owner',
    `update domain_claim set workspace_id = (
     select workspace_id from svc_domain where name = 'acme.test') where name = 'main.test'`,
  ],
  ['deleting a claim before its domain', "delete from domain_claim where name = 'main.test'"],
  [
    'moving a domain to another workspace',
    `update svc_domain set workspace_id = (
     select workspace_id from domain_claim where name = 'main.test') where name = 'acme.test'`,
  ],
])('the database rejects %s', async (_what, change) => {
  await expect(run(change)).rejects.toThrow(FOREIGN_KEY);
});

test("an administrator cannot gain write access to domains or send from another workspace's domain", async () => {
  const { key } = acme.admin;
  const request = (path: string, body: object) => team.ask('POST', `/json/2/${path}`, { key, body });
  const [{ id }] = (await request('svc.domain/search_read', { domain: [], fields: ['id'] })).json;
  const vals = { name: 'all', perm_read: true, perm_write: true };
  const models = (await request('ir.model/search', { domain: [['model', '=', 'svc.domain']] })).json;
  const grantedResponse = await request('ir.model.access/create', {
    vals_list: [{ ...vals, model_id: models[0] }],
  });
  expect(grantedResponse.status).toBe(422);
  expect((await request('svc.domain/write', { ids: [id], vals: { name: 'main.test' } })).status).toBe(403);
  const sentResponse = await team.ask('POST', '/api/v1/emails', {
    key: acme.teamKey,
    body: buildMail({ from: 'a@main.test' }),
  });
  expect(sentResponse.status).toBe(400);
});

test("app code cannot change a domain's name or status through its record", async () => {
  const ctx = acme.ctx.with({});
  await expect(write(ctx, 'svc.domain', [1], { name: 'main.test' })).rejects.toThrow();
  const [row] = await ctx.db.rows<{ name: string }>(
    sql`select name from svc_domain where workspace_id = ${ctx.workspace.id}`,
  );
  expect(row!.name).toBe('acme.test');
});

test('only the operator can add a subdomain of a domain that another workspace has verified', async () => {
  const add = async (name: string) =>
    (
      await team.graphql(
        'mutation ($name: String!) { domainAdd(name: $name) { id status } }',
        { name },
        acme.admin.key,
      )
    ).errors?.[0]?.message;
  for (const name of ['mail.main.test', 'a.b.main.test', 'main.test'])
    expect(await add(name)).toContain('The domain main.test belongs to another workspace.');
  expect(await add('domain.test')).toBeUndefined();
  expect(await add('mail.acme.test')).toBeUndefined();
  expect(await addDomain(acme.ctx, 'given.main.test')).toBeGreaterThan(0);
});

test('releases the name of a deleted domain', async () => {
  const domain = (await team.graphql('mutation { domainAdd(name: "free.test") { id } }', {}, acme.admin.key))
    .data.domainAdd;
  await team.graphql(
    'mutation ($id: ID!) { domainDelete(id: $id) { id } }',
    { id: domain.id },
    acme.admin.key,
  );
  const secondAdd = await team.graphql('mutation { domainAdd(name: "free.test") { status } }');
  expect(secondAdd.data.domainAdd.status).toBe('SUCCESS');
});
