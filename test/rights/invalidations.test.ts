import { loadModule, parseSync } from 'libpg-query';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../schema/base/ir/catalog-load.ts';
import { createIdentitySource } from '../../schema/base/users/identity-load.ts';
import { setFeature } from '../../schema/base/workspace/workspace.ts';
import {
  createInvalidationTracker,
  INVALIDATING_WRITES,
  INVALIDATION_CHANNEL,
  parseWrites,
} from '../../src/db/notifications/cache-invalidation.ts';
import type { Database } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { switchMcp } from '../harness/facades/mcp.ts';
import { postWeb as rpc, signInWeb } from '../harness/facades/web.ts';
import { setUp } from '../harness/set-up.ts';
import { connectClient } from '../oauth/sign-in.ts';
import { openWitness } from './announced.ts';
import { createScene } from './scene.ts';

// The harness disables the invalidation triggers, so each write must send its invalidation itself.

const app = setUpApp();
const scene = createScene(app);
const witness = setUp(() => openWitness(app));

const unlink = (model: string, id: number) => scene.admin.value(`${model}/unlink`, { ids: [id] });
const write = (model: string, id: number, vals: object) =>
  scene.admin.value(`${model}/write`, { ids: [id], vals });
const queryGraph = (document: string) => queryData(app, document);

/** Writes that no public operation performs. */
const WITHOUT_DOOR: Record<string, string> = {
  'workspace delete': 'workspaces are not deleted',
  'ir_module_module insert': 'a module comes with the code, and workspaces get it as they are equipped',
  'svc_session update': 'a session is opened and ended',
  'svc_connected_agent delete': 'an agent is purged, or goes with its user',
  'res_groups_users_rel update': 'a link is added or dropped',
  'res_groups_implied_rel update': 'a link is added or dropped',
  'res_company_users_rel update': 'a link is added or dropped',
  'rule_group_rel update': 'a link is added or dropped',
};

describe('invalidations for other processes', () => {
  const acts: [string, () => Promise<unknown>][] = [
    [
      'an app that is removed',
      async () => {
        app.runtime.config.removesApps = true;
        await queryGraph('mutation { appUninstall(name: "project") { changed } }');
      },
    ],
    [
      'a key that is revoked',
      async () => {
        const { keyCreate } = await queryGraph('mutation { keyCreate(name: "short") { id } }');
        await queryGraph(`mutation { keyRevoke(id: ${keyCreate.id}) { id } }`);
      },
    ],
    [
      'a session that ends',
      async () => {
        const cookie = await signInWeb(app);
        await rpc(app, '/web/session/destroy', {}, { cookie });
      },
    ],
    [
      'a user who changes and goes, with keys, sessions and memberships',
      async () => {
        const company = await scene.create('res.company', { name: 'Of a while' });
        const group = await scene.addGroup('Of a while');
        const formerPerson = await scene.addPerson('gone', [group]);
        await write('res.users', formerPerson.id, { company_ids: [[4, company]] });
        const caller = await app.runtime.identity.byKey(formerPerson.key);
        await app.runtime.identity.openSession(app.runtime.db, caller!, {
          hash: 'hash of a session',
          address: '192.0.2.1',
          userAgent: null,
        });
        await write('res.users', formerPerson.id, { group_ids: [[3, group]] });
        await write('res.users', formerPerson.id, { company_ids: [[3, company]] });
        await unlink('res.users', formerPerson.id);
        await unlink('res.company', company);
        await unlink('res.groups', group);
      },
    ],
    [
      'a group and what it implies',
      async () => {
        const inner = await scene.addGroup('Inner');
        const outer = await scene.addGroup('Outer', { implied_ids: [[6, 0, [inner]]] });
        await write('res.groups', outer, { name: 'Another name' });
        await write('res.groups', outer, { implied_ids: [[5]] });
        await unlink('res.groups', outer);
      },
    ],
    [
      'a privilege',
      async () => {
        const id = await scene.create('res.groups.privilege', { name: 'Rank' });
        await write('res.groups.privilege', id, { name: 'Role' });
        await unlink('res.groups.privilege', id);
      },
    ],
    [
      'a language',
      async () => {
        const id = await scene.create('res.lang', { name: 'Klingon', code: 'tlh', url_code: 'tlh' });
        await write('res.lang', id, { name: 'tlhIngan Hol' });
        await unlink('res.lang', id);
      },
    ],
    [
      'a model, its fields and their options, rights and rules',
      async () => {
        const group = await scene.addGroup('Ruled');
        const model = await scene.addModel('x_news', [], group);
        await write('ir.model', model, { name: 'Other' });
        const field = await scene.create('ir.model.fields', {
          model_id: model,
          name: 'x_kind',
          ttype: 'selection',
          selection_ids: [[0, 0, { value: 'a', name: 'A' }]],
        });
        await write('ir.model.fields', field, { field_description: 'Kind' });
        const [option] = await scene.admin.value('ir.model.fields.selection/search', {
          domain: [['field_id', '=', field]],
        });
        await write('ir.model.fields.selection', option, { name: 'B' });
        await unlink('ir.model.fields.selection', option);
        await unlink('ir.model.fields', field);
        const rule = await scene.create('ir.rule', { name: 'r', model_id: model, groups: [[4, group]] });
        await write('ir.rule', rule, { name: 's' });
        await write('ir.rule', rule, { groups: [[5]] });
        await unlink('ir.rule', rule);
        const right = await scene.grant('x_news', group, 'r');
        await write('ir.model.access', right, { perm_read: false });
        await unlink('ir.model.access', right);
        await unlink('ir.model', model);
      },
    ],
    [
      'an agent that connects and is revoked, with its tokens',
      async () => {
        await switchMcp(app, app.main, true);
        const { access_token } = await connectClient(app, app.main.admin);
        const { connectedAgents } = await queryGraph('{ connectedAgents { nodes { id } } }');
        await queryGraph(`mutation { connectedAgentRevoke(id: ${connectedAgents.nodes[0].id}) { id } }`);
        expect(await app.runtime.identity.byToken(app.main.ctx.workspace.id, access_token)).toBeNull();
      },
    ],
    ['a feature of the workspace', () => setFeature(app.main.ctx, 'mcp', true)],
  ];

  it.each(acts)('are sent for %s', async (_what, act) => {
    await act();
    expect(await witness.unannounced()).toEqual([]);
  });

  it('are not sent for rolled-back changes or for changes to other tables', async () => {
    const notifications: string[] = [];
    await app.runtime.db.listen(INVALIDATION_CHANNEL, (payload) => notifications.push(payload));
    const { db } = app.runtime;
    const workspace = app.main.ctx.workspace.id;
    const change = sql`update res_users set tz = 'UTC' where workspace_id = ${workspace} and id = ${app.main.user.id}`;
    // The invalidation of this change arrives after all earlier ones.
    await db.rows(change);
    await expect.poll(() => notifications).toContain(String(workspace));
    await witness.unannounced();
    notifications.length = 0;
    const undone = db.transaction(async (tx) => {
      await tx.rows(change);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await db.rows(sql`update ir_config_parameter set value = value where workspace_id = ${workspace}`);
    const partner = await scene.create('res.partner', { name: 'Of no news' });
    await write('res.partner', partner, { name: 'Of none still' });
    await unlink('res.partner', partner);
    await witness.unannounced();
    expect(notifications).toEqual([]);
    await db.rows(change);
    await expect.poll(() => notifications).toEqual([String(workspace)]);
  });

  it('are tested for every kind of write to every cached table', () => {
    const all = Object.entries(INVALIDATING_WRITES).flatMap(([table, kinds]) =>
      kinds.map((kind) => `${table} ${kind}`),
    );
    expect(all.filter((item) => !witness.changed.has(item)).sort()).toEqual(Object.keys(WITHOUT_DOOR).sort());
  });
});

it('database triggers send invalidations for exactly the declared writes', async () => {
  const rows = await app.runtime.db.rows<{ name: string; kinds: string[] }>(
    sql`select t.tgrelid::regclass::text as name, array_agg(distinct k.kind order by k.kind) as kinds
      from pg_trigger t join (values (4, 'insert'), (8, 'delete'), (16, 'update')) k(bit, kind)
        on t.tgtype::int & k.bit <> 0
      where t.tgfoid = 'atrium_identity_changed'::regproc group by 1`,
  );
  expect(Object.fromEntries(rows.map(({ name, kinds }) => [name, kinds]))).toEqual(
    Object.fromEntries(
      Object.entries(INVALIDATING_WRITES).map(([table, kinds]) => [table, kinds.toSorted()]),
    ),
  );
});

it('sends invalidations for deletions from each table that cascade to a cached table', async () => {
  const rows = await app.runtime.db.rows<{ name: string }>(
    sql`select distinct confrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confdeltype in ('c', 'n', 'd')
        and conrelid::regclass::text = any(${Object.keys(INVALIDATING_WRITES)})`,
  );
  expect(rows.length).toBeGreaterThan(3);
  expect(
    rows.map(({ name }) => name).filter((name) => !INVALIDATING_WRITES[name]?.includes('delete')),
  ).toEqual([]);
});

/** Cached tables without invalidations. */
const NOT_ANNOUNCED: Record<string, string> = {
  res_partner: "the name of a caller: it is older than 'IDENTITY_TTL_MS' at no time",
  svc_domain: 'deleting a domain revokes its keys',
  svc_oauth_payload: 'a token that has not expired is dropped with a change of its agent',
  ir_model_stock: 'changes with the code, before a process serves',
  crm_team: 'what writes definitions of properties says so (`catalogChanged`)',
  project_project: 'the same',
};

it('sends invalidations for each table from which callers and catalogs are loaded', async () => {
  await loadModule();
  const readTables = new Set<string>();
  const { db, registry } = app.runtime;
  const readRows: Database['rows'] = (statement, running) => {
    for (const table of findTables(statement.render().text)) readTables.add(table);
    return db.rows(statement, running);
  };
  const listeningDatabase: Database = { ...db, rows: readRows };
  const source = createIdentitySource(listeningDatabase, app.runtime.catalogs);
  const { key, login, id } = app.main.admin;
  const [, name, part] = key.split('_') as [string, string, string];
  expect(part).toHaveLength(32);
  await source.key(`uk_${name}`, 'no hash');
  await source.keyOwner(`uk_${name}`);
  await source.candidate('main', { login });
  await source.session('no hash', app.main.ctx.workspace.id);
  await source.token(app.main.ctx.workspace.id, 'no hash');
  await source.user(app.main.ctx.workspace.id, id);
  await source.workspace('main');
  await loadCatalog(listeningDatabase, registry, app.main.ctx.workspace.id);
  const tables = new Set([...Object.keys(INVALIDATING_WRITES), ...Object.keys(NOT_ANNOUNCED)]);
  expect([...readTables].filter((table) => !tables.has(table))).toEqual([]);
  expect([...tables].filter((table) => !readTables.has(table))).toEqual([]);
});

function findTables(text: string): string[] {
  const tables: string[] = [];
  const tableNames = new Set<string>();
  JSON.stringify(parseSync(text), (key, value) => {
    if (key === 'RangeVar') tables.push(value.relname);
    if (key === 'CommonTableExpr') tableNames.add(value.ctename);
    return value;
  });
  return tables.filter((name) => !tableNames.has(name));
}

describe('parseWrites', () => {
  it.each<[string, ReturnType<typeof parseWrites>]>([
    ['select id from res_users where workspace_id = $1 for update', []],
    [
      'update res_users t set name = $1 where t.workspace_id = $2 and t.id = $3',
      [{ table: 'res_users', kinds: ['update'], workspace: 2 }],
    ],
    [
      'delete from only "ir_rule" where workspace_id=$1',
      [{ table: 'ir_rule', kinds: ['delete'], workspace: 1 }],
    ],
    [
      'insert into "res_lang" as t (workspace_id, id, "name") values ($3, $1, $2) returning t.id',
      [{ table: 'res_lang', kinds: ['insert'], workspace: 3 }],
    ],
    [
      'insert into ir_rule (name, id, workspace_id, x) select $1::text, $2, $3::int, y from z where workspace_id = $4',
      [{ table: 'ir_rule', kinds: ['insert'], workspace: 3 }],
    ],
    [
      'insert into ir_rule (workspace_id, id) select w.id, $1 from workspace w where w.workspace_id = $2',
      [{ table: 'ir_rule', kinds: ['insert'], workspace: null }],
    ],
    [
      'insert into t (workspace_id) values ($1) on conflict (id) do update set x = $2',
      [{ table: 't', kinds: ['insert', 'update'], workspace: 1 }],
    ],
    [
      'update workspace set name = $1 where id = $2',
      [{ table: 'workspace', kinds: ['update'], workspace: 2 }],
    ],
    [
      'with a as (delete from ir_rule where workspace_id = $1 returning id), b as (\n  UPDATE public.res_users u set x = 1' +
        ' where u.workspace_id = $1) select',
      [
        { table: 'ir_rule', kinds: ['delete'], workspace: 1 },
        { table: 'res_users', kinds: ['update'], workspace: 1 },
      ],
    ],
    [
      'merge into ir_rule r using x on true when matched then delete',
      [{ table: 'ir_rule', kinds: ['insert', 'update', 'delete'], workspace: null }],
    ],
  ])('finds the writes in %s', (text, writes) => {
    expect(parseWrites(text).filter(({ table }) => table !== 'set')).toEqual(writes);
  });
});

it('does not treat names of built-in object properties as tables', () => {
  for (const name of ['constructor', 'valueof', '__proto__'])
    expect(
      createInvalidationTracker().getInvalidation({ text: `update ${name} set x = 1`, params: [] }),
    ).toBeNull();
});
