import { beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { switchMcp } from '../harness/facades/mcp.ts';
import { postJsonRpc } from '../harness/facades/rpc.ts';
import { parseJson, signInWeb, postWeb as web } from '../harness/facades/web.ts';
import { createScene, fingerprintWorkspace, type Person } from '../rights/scene.ts';

const app = setUpApp();
const scene = createScene(app);
let plainPerson: Person;
let portal: Person;
let manager: Person;
const groups: Record<string, number> = {};

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  for (const name of [
    'group_system',
    'group_erp_manager',
    'group_user',
    'group_portal',
    'group_partner_manager',
  ])
    groups[name] = await scene.groupId(`base.${name}`);
  plainPerson = await scene.addPerson('plain');
  portal = await scene.addPerson('portal', [], { group_ids: [[6, 0, [groups.group_portal]]] });
  manager = await scene.addPerson('manager', [groups.group_partner_manager!]);
});

/** Tables of groups, memberships, rights and passwords, which must not change. */
const TABLES = [
  'res_users',
  'res_groups',
  'res_groups_users_rel',
  'res_groups_implied_rel',
  'ir_model_access',
  'ir_rule',
];
const readRights = async () => {
  const state = await fingerprintWorkspace(app);
  return TABLES.map((table) => [table, state[table]]);
};

/** Expects an access error, as opposed to a document error. */
async function expectGraphRejected(
  mutation: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const { errors } = await postGraphql(app, `mutation { ${mutation} }`, { key, headers });
  const codes = errors.map(({ extensions }) => extensions.code);
  expect(codes, mutation).toEqual([expect.not.stringMatching(/^(GRAPHQL|BAD_VALUE|INTERNAL)/)]);
}

type AttackCase = [what: string, path: string, body: (me: Person) => object];
const getSystemGroup = () => groups.group_system!;
const getAdminId = () => app.main.admin.id;
const buildWriteCases = (
  model: string,
  ids: (me: Person) => number[],
  vals: (me: Person) => object,
): AttackCase => [
  ...([`${model}/write`, `${model}/write`] as const),
  (me) => ({ ids: ids(me), vals: vals(me) }),
];

const WAYS: AttackCase[] = [
  buildWriteCases(
    'res.users',
    (me) => [me.id],
    () => ({ group_ids: [[4, getSystemGroup()]] }),
  ),
  buildWriteCases(
    'res.users',
    (me) => [me.id],
    () => ({ group_ids: [[6, 0, [getSystemGroup()]]] }),
  ),
  buildWriteCases(
    'res.users',
    (me) => [me.id],
    () => ({ groups_id: [[4, getSystemGroup()]] }),
  ),
  buildWriteCases(
    'res.users',
    (me) => [me.id],
    () => ({ role: 'group_system' }),
  ),
  buildWriteCases(
    'res.users',
    (me) => [me.id],
    () => ({ partner_id: 1 }),
  ),
  buildWriteCases(
    'res.users',
    (me) => [me.id],
    () => ({ login: 'admin' }),
  ),
  buildWriteCases(
    'res.users',
    () => [getAdminId()],
    () => ({ password: 'a long password' }),
  ),
  buildWriteCases(
    'res.users',
    () => [getAdminId()],
    () => ({ active: false }),
  ),
  buildWriteCases(
    'res.users',
    () => [getAdminId()],
    () => ({ partner_id: 3 }),
  ),
  buildWriteCases(
    'res.groups',
    () => [getSystemGroup()],
    (me) => ({ user_ids: [[4, me.id]] }),
  ),
  buildWriteCases(
    'res.groups',
    () => [groups.group_user!],
    () => ({ implied_ids: [[4, getSystemGroup()]] }),
  ),
  buildWriteCases(
    'res.groups',
    () => [getSystemGroup()],
    () => ({ implied_by_ids: [[4, groups.group_user]] }),
  ),
  buildWriteCases(
    'res.partner',
    () => [1],
    (me) => ({ user_ids: [[1, me.id, { group_ids: [[4, getSystemGroup()]] }]] }),
  ),
  buildWriteCases(
    'res.company',
    () => [1],
    (me) => ({ user_ids: [[1, me.id, { group_ids: [[4, getSystemGroup()]] }]] }),
  ),
  [
    'by context',
    'res.users/write',
    ({ id }) => ({
      ids: [id],
      vals: { group_ids: [[4, getSystemGroup()]] },
      context: { sudo: true, su: true, uid: 1 },
    }),
  ],
  [
    'by web_save',
    'res.users/web_save',
    ({ id }) => ({ ids: [id], vals: { group_ids: [[4, getSystemGroup()]] }, specification: {} }),
  ],
  [
    'by load',
    'res.users/load',
    ({ id }) => ({ fields: ['.id', 'group_ids/.id'], data: [[String(id), String(getSystemGroup())]] }),
  ],
  [
    'by load, new',
    'res.users/load',
    () => ({ fields: ['name', 'login', 'group_ids/.id'], data: [['x', 'x', String(getSystemGroup())]] }),
  ],
  [
    'by create',
    'res.users/create',
    () => ({ vals_list: [{ name: 'x', login: 'x', group_ids: [[4, getSystemGroup()]] }] }),
  ],
  [
    'by a default',
    'res.users/create',
    () => ({
      vals_list: [{ name: 'x', login: 'x' }],
      context: { default_group_ids: [[4, getSystemGroup()]] },
    }),
  ],
  [
    'by name_create',
    'res.users/name_create',
    () => ({ name: 'x', context: { default_group_ids: [[4, getSystemGroup()]] } }),
  ],
  [
    'by copy',
    'res.users/copy',
    () => ({ ids: [getAdminId()], default: { login: 'x', password: 'a long password' } }),
  ],
  [
    'by a copy of the group',
    'res.groups/copy',
    ({ id }) => ({ ids: [getSystemGroup()], default: { user_ids: [[4, id]] } }),
  ],
  [
    'by a new group',
    'res.groups/create',
    ({ id }) => ({ vals_list: [{ name: 'x', implied_ids: [[4, getSystemGroup()]], user_ids: [[4, id]] }] }),
  ],
  [
    'by an access right',
    'ir.model.access/create',
    () => ({ vals_list: [{ name: 'x', model_id: 1, perm_write: true, perm_read: true }] }),
  ],
  [
    'by a record rule',
    'ir.rule/create',
    () => ({ vals_list: [{ name: 'x', model_id: 1, domain_force: '[]' }] }),
  ],
  ['by deleting a record rule', 'ir.rule/unlink', () => ({ ids: [1, 2, 3, 4, 5] })],
  ['by a parameter', 'ir.config_parameter/set_param', () => ({ key: 'auth.password.minlength', value: '1' })],
  ['by a job', 'ir.cron/method_direct_trigger', () => ({ ids: [1, 2, 3] })],
  [
    'by a field',
    'ir.model.fields/create',
    () => ({ vals_list: [{ name: 'x_p', model_id: 1, ttype: 'char', related: 'create_uid.password' }] }),
  ],
  [
    'by creating a contact with a user',
    'res.partner/create',
    () => ({
      vals_list: [{ name: 'x', user_ids: [[0, 0, { login: 'x', group_ids: [[4, getSystemGroup()]] }]] }],
    }),
  ],
];

describe.each(['plain', 'portal', 'manager'] as const)(
  'privilege escalation by a user with role %s',
  (name) => {
    const getPerson = () => ({ plain: plainPerson, portal, manager })[name];

    test.each(WAYS)('rejects %s (%s)', async (_what, path, body) => {
      const before = await readRights();
      const { status, text } = await json2(app, path, body(getPerson()), getPerson().key);
      expect([status, text]).toEqual([
        expect.toSatisfy((code) => code >= 200 && code < 500),
        expect.any(String),
      ]);
      expect(await readRights()).toEqual(before);
    });

    test('rejects the same changes in GraphQL', async () => {
      const before = await readRights();
      for (const mutation of [
        `userUpdate(id: "${getPerson().id}", input: { groups: { connect: ["${getSystemGroup()}"] } }) { id }`,
        `userUpdate(id: "${getPerson().id}", input: { role: GROUP_SYSTEM }) { id }`,
        `usersUpdate(ids: ["${getPerson().id}"], input: { groups: { set: ["${getSystemGroup()}"] } }) { id }`,
        `groupUpdate(id: "${getSystemGroup()}", input: { users: { connect: ["${getPerson().id}"] } }) { id }`,
        'userCreate(login: "x", name: "x", admin: true) { id }',
        `recordWrite(model: "res.users", ids: ["${getPerson().id}"], vals: { group_ids: [[4, ${getSystemGroup()}]] })`,
        `keyCreate(name: "x", userId: "${getAdminId()}") { key }`,
        'keyCreate(name: "x", team: true) { key }',
        'featureSet(feature: MCP, on: false) { id }',
      ])
        await expectGraphRejected(mutation, getPerson().key);
      expect(await readRights()).toEqual(before);
    });
  },
);

test('lets an administrator perform the same actions', async () => {
  const body = { ids: [plainPerson.id], vals: { group_ids: [[4, groups.group_partner_manager]] } };
  const before = await readRights();
  expect((await json2(app, 'res.users/write', body, app.main.admin.key)).status).toBe(200);
  expect(await readRights()).not.toEqual(before);
});

describe('restricted keys', () => {
  const keys: Record<string, string> = {};
  beforeAll(async () => {
    const { ctx, admin: owner } = app.main;
    const createContext = async (userId: number | null, scopes: string[]) =>
      (await createKey(ctx, { name: 'narrow', userId, scopes, days: null })).key;
    keys.reading = app.main.readOnlyKey;
    keys.sending = await createContext(owner.id, ['send']);
    keys['of the team, sending'] = await createContext(null, ['send']);
    keys['of the team'] = app.main.teamKey;
    keys['of an unknown scope'] = await createContext(owner.id, ['nothing']);
  });

  const count = () =>
    app.main.ctx.db.value<number>(
      sql`select (select count(*) from svc_api_key where workspace_id = ${app.main.ctx.workspace.id})::int
         + (select count(*) from svc_session where workspace_id = ${app.main.ctx.workspace.id})::int`,
    );

  test.each(['reading', 'sending', 'of the team, sending', 'of the team', 'of an unknown scope'])(
    '%s creates no key, opens no session and changes no record through any facade',
    async (name) => {
      const key = keys[name]!;
      const [before, had] = [await readRights(), await count()];
      const readPartners = async () => (await fingerprintWorkspace(app)).res_partner;
      const contacts = await readPartners();
      const full = app.main.admin.key;
      for (const other of [key, full])
        await json2(app, 'res.users.apikeys/generate', { key: other, name: 'x', scope: 'rpc' }, key);
      for (const path of ['res.partner/create', 'res.partner/name_create', 'res.users/change_password'])
        expect((await json2(app, path, { vals_list: [{ name: 'x' }] }, key)).status, path).toBeGreaterThan(
          400,
        );
      await json2(app, 'res.partner/write', { ids: [1], vals: { name: 'x' } }, key);
      for (const mutation of ['keyCreate(name: "x") { key }', 'partnerCreate(input: { name: "x" }) { id }'])
        await expectGraphRejected(mutation, key);
      const login = { db: 'main', login: 'admin', password: key };
      const session = await web(app, '/web/session/authenticate', login);
      expect(parseJson(session).error).toBeDefined();
      await postJsonRpc(app, 'object', 'execute_kw', [
        'main',
        getAdminId(),
        key,
        'res.partner',
        'create',
        [[{ name: 'x' }]],
      ]);
      expect([await readRights(), await count(), await readPartners()]).toEqual([before, had, contacts]);
    },
  );

  test('gains no rights from an accompanying session', async () => {
    const cookie = await signInWeb(app);
    const had = await count();
    const headers = { cookie };
    const body = { key: app.main.admin.key, name: 'x', scope: 'rpc' };
    const answer = await json2(app, 'res.users.apikeys/generate', body, keys.reading, headers);
    expect(answer.status).toBeGreaterThan(400);
    await expectGraphRejected('keyCreate(name: "x") { key }', keys.reading!, headers);
    expect(await count()).toBe(had);
  });
});
