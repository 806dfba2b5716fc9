import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyRecipeBlock, listRecipeBlocks } from './docs/recipe-blocks.ts';
import { post } from './harness/app.ts';
import { type CopiedTree, copyTree } from './harness/copied-tree.ts';
import { createBareDatabase } from './harness/database.ts';
import { json2 } from './harness/facades/json2.ts';
import { postJsonRpc } from './harness/facades/rpc.ts';
import { postXml } from './harness/facades/xmlrpc.ts';
import { type AppProcess, startProcess } from './harness/process.ts';

/** Runs the recipes of docs/recipes.md unchanged in a copy of the project. */

let tree: CopiedTree;
let app: AppProcess;
let userKey: string;
let teamKey: string;
let database: Awaited<ReturnType<typeof createBareDatabase>>;
const migrated: string[] = [];

const readTreeFile = (path: string) => readFileSync(join(tree.root, path), 'utf8');

beforeAll(async () => {
  tree = copyTree();
  database = await createBareDatabase();
  perform('A field');
  migrated.push(await createMigration('cause'));
  perform('A model');
  await expect(tree.node('boot/main.mjs', [], buildEnv())).rejects.toThrow(/CrmCompetitor.*npm run generate/);
  migrated.push(await createMigration('competitor'));
  perform('A field of a send');
  migrated.push(await createMigration('reference'));
  for (const heading of [
    'An operation',
    'An MCP tool',
    'A route of the email API',
    'A column of a list in the browser',
  ])
    perform(heading);
  app = await startProcess(buildEnv(), tree.root);
  userKey = /USER_KEY=(\S+)/.exec(app.output())![1]!;
  teamKey = /TEAM_KEY=(\S+)/.exec(app.output())![1]!;
  await tree.node('boot/cli.mjs', ['mcp', 'enable', '--workspace', 'main'], buildEnv());
});
afterAll(async () => {
  await app?.end('SIGTERM');
  await database?.drop();
  tree?.remove();
});

const buildEnv = () => ({ DATABASE_URL: database.url, DATA_DIR: join(tree.root, '.data'), PORT: '0' });

/** Runs `npm run migration`, including its pre-script. */
async function createMigration(name: string): Promise<string> {
  const before = await tree.node('scripts/setup.mjs', ['--no-install', '--no-generate']);
  return before + (await tree.node('src/db/migrations/new-migration.ts', [name]));
}

function perform(heading: string): void {
  for (const block of listRecipeBlocks(heading)) {
    const file = join(tree.root, block.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, applyRecipeBlock(existsSync(file) ? readFileSync(file, 'utf8') : '', block));
  }
}

const callRecords = async (model: string, method: string, args: object) =>
  (await json2(app, `${model}/${method}`, args, userKey)).json();

async function queryGraphql(query: string): Promise<unknown> {
  return (await post(`${app.url}/graphql`, { query }, userKey)).json();
}

async function sendMcp(method: string, params: object) {
  return (await post(`${app.url}/mcp`, { jsonrpc: '2.0', id: 1, method, params }, userKey)).json();
}

const createCompetitor = async (name: string): Promise<number> =>
  (await callRecords('crm.competitor', 'create', { vals_list: [{ name }] }))[0];

test("generates migrations for a field and a model, with the inverse relation in Prisma's order", () => {
  expect(migrated[0]).toMatch(/^wrote .*_cause$/m);
  expect(migrated[1]).toMatch(/^added ResCountry: \w+ CrmCompetitor\[\]/m);
  expect(migrated[1]).toMatch(/^wrote .*_competitor$/m);
  expect(migrated[1]).toContain('generating the database client');
  const country = /^model ResCountry \{[\s\S]*?^\}/m.exec(readTreeFile('prisma/schema/locale.prisma'))![0];
  const sides = country.split('\n\n').find((block) => block.includes('CrmCompetitor[]'))!;
  const places = sides
    .split('\n')
    .filter((line) => line.includes('[]'))
    .map((line) => line.search(/\w+\[\]/));
  expect(new Set(places).size).toBe(1);
});

test('provides the field in every facade', async () => {
  const [id] = await callRecords('crm.lost.reason', 'create', {
    vals_list: [{ name: 'Dear', cause: 'price' }],
  });
  expect(await callRecords('crm.lost.reason', 'read', { ids: [id], fields: ['cause'] })).toEqual([
    { id, cause: 'price' },
  ]);
  const query = `{ crmLostReason(id: ${id}) { cause } }`;
  expect(await queryGraphql(query)).toEqual({ data: { crmLostReason: { cause: 'PRICE' } } });
});

test('provides the model in every facade, with its country as a relation', async () => {
  const [country] = await callRecords('res.country', 'search', { domain: [['code', '=', 'BE']] });
  const [id] = await callRecords('crm.competitor', 'create', {
    vals_list: [{ name: 'Acme', country_id: country }],
  });
  expect(
    await callRecords('crm.competitor', 'search_read', {
      domain: [['country_id.code', '=', 'BE']],
      fields: ['name'],
    }),
  ).toEqual([{ id, name: 'Acme' }]);
});

test('provides the field, the model and the operation in classic RPC, MCP and /doc', async () => {
  const id = await createCompetitor('Everywhere');
  const uid = (await postXml(`${app.url}/xmlrpc/2/common`, 'login', ['main', 'admin', userKey])).value;
  const call = ['main', uid, userKey, 'crm.competitor'];
  const readCall = [...call, 'read', [[id]], { fields: ['name'] }];
  const row = { id, name: 'Everywhere' };
  expect((await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', readCall)).value).toEqual([row]);
  expect((await (await postJsonRpc(app, 'object', 'execute_kw', readCall)).json()).result).toEqual([row]);
  const reason = [
    'main',
    uid,
    userKey,
    'crm.lost.reason',
    'fields_get',
    [['cause']],
    { attributes: ['type'] },
  ];
  expect((await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', reason)).value).toEqual({
    cause: { type: 'selection' },
  });
  const leave = [...call, 'action_leave', [[id]]];
  expect((await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', leave)).value).toBe(true);
  const model = await sendMcp('tools/call', {
    name: 'describe_model',
    arguments: { model: 'crm.competitor' },
  });
  expect(JSON.stringify(model.result)).toContain('country_id');
  const headers = { authorization: `Bearer ${userKey}` };
  const doc = await fetch(`${app.url}/doc-bearer/crm.competitor.json`, { headers });
  expect([doc.status, await doc.text()]).toEqual([200, expect.stringContaining('action_leave')]);
});

test('provides the operation in GraphQL and the JSON API', async () => {
  const ids = [await createCompetitor('One'), await createCompetitor('Two')];
  expect(await queryGraphql(`mutation { crmCompetitorLeave(ids: [${ids[0]}]) { id active } }`)).toEqual({
    data: { crmCompetitorLeave: [{ id: String(ids[0]), active: false }] },
  });
  expect(await callRecords('crm.competitor', 'action_leave', { ids: [ids[1]] })).toBe(true);
  const fields = ['active'];
  expect(await callRecords('crm.competitor', 'read', { ids, fields })).toEqual(
    ids.map((id) => ({ id, active: false })),
  );
});

test('lists the tool and runs it', async () => {
  await createCompetitor('Counted');
  const { result } = await sendMcp('tools/list', {});
  expect(result.tools.map((tool: { name: string }) => tool.name)).toContain('count_competitors');
  const called = await sendMcp('tools/call', { name: 'count_competitors', arguments: {} });
  expect(called.result.structuredContent.count).toBeGreaterThan(0);
});

test('serves the route and includes it in the OpenAPI document', async () => {
  const headers = { authorization: `Bearer ${teamKey}` };
  const response = await fetch(`${app.url}/api/v1/suppressions/count`, { headers });
  expect([response.status, await response.json()]).toEqual([200, { count: 0 }]);
  const { paths } = (await (await fetch(`${app.url}/api/v1/doc`)).json()) as { paths: object };
  expect(Object.keys(paths)).toContain('/v1/suppressions/count');
});

test('stores the new send field through REST and GraphQL, and returns and documents it in both', async () => {
  const email = { from: 'a@main.localhost', to: ['b@example.com'], subject: 'Hello', text: 'Hello' };
  const sent = await post(`${app.url}/api/v1/emails`, { ...email, reference: 'one' }, teamKey);
  const { emailId } = (await sent.json()) as { emailId: string };
  const send = 'mutation ($input: EmailInput!) { emailSend(input: $input) { id } }';
  const variables = { input: { ...email, reference: 'two' } };
  const { data } = (await (await post(`${app.url}/graphql`, { query: send, variables }, userKey)).json()) as {
    data: { emailSend: { id: string } };
  };
  const domain = [['public_id', 'in', [emailId, data.emailSend.id]]];
  const rows = await callRecords('svc.email', 'search_read', { domain, fields: ['reference'], order: 'id' });
  expect(rows).toMatchObject([{ reference: 'one' }, { reference: 'two' }]);
  const headers = { authorization: `Bearer ${teamKey}` };
  const stored = await (await fetch(`${app.url}/api/v1/emails/${data.emailSend.id}`, { headers })).json();
  expect(stored).toMatchObject({ reference: 'two' });
  expect(await queryGraphql(`{ email(id: "${emailId}") { reference } }`)).toEqual({
    data: { email: { reference: 'one' } },
  });
  const about = 'Your reference, such as an order number.';
  const doc = (await (await fetch(`${app.url}/api/v1/doc`)).json()) as {
    components: { schemas: { EmailRequest: { properties: Record<string, object> } } };
  };
  expect(doc.components.schemas.EmailRequest.properties.reference).toMatchObject({ description: about });
  const type = '{ __type(name: "EmailInput") { inputFields { name description } } }';
  expect(JSON.stringify(await queryGraphql(type))).toContain(JSON.stringify(about));
});

test('the changes have correct types, including the column of the list', async () => {
  await tree.node('scripts/setup.mjs', ['--no-install', '--types', '--no-build', '--force-generate']);
  expect(readTreeFile('web/src/admin/workspace/groups/generated.ts')).toMatch(/GroupsQuery = .*comment/);
  for (const project of ['.', 'web'])
    expect(await tree.node('node_modules/typescript/bin/tsc', ['--noEmit', '-p', project])).toBe('');
});
