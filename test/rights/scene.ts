import { createKey } from '../../schema/base/keys/keys.ts';
import { sql } from '../../src/db/sql.ts';
import type { App } from '../harness/app.ts';
import { createJsonClient, type JsonClient, json2 } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';

export interface Person extends JsonClient {
  id: number;
  login: string;
  password: string;
  key: string;
}

export interface Scene {
  admin: JsonClient;
  create(model: string, values: object): Promise<number>;
  modelId(name: string): Promise<number>;
  /** Returns the group with an external id. */
  groupId(external: string): Promise<number>;
  addGroup(name: string, overrides?: object): Promise<number>;
  addPerson(login: string, groups?: number[], overrides?: object): Promise<Person>;
  addModel(model: string, fields: object[], group: number | false): Promise<number>;
  grant(model: string, group: number | false, letters: string): Promise<number>;
}

const FLAGS: Record<string, string> = {
  c: 'perm_create',
  r: 'perm_read',
  w: 'perm_write',
  u: 'perm_unlink',
};
export const toFlags = (letters: string): Record<string, boolean> =>
  Object.fromEntries(Object.entries(FLAGS).map(([letter, flag]) => [flag, letters.includes(letter)]));

export function createScene(app: App, tenant?: Tenant): Scene {
  const admin = createJsonClient(app, tenant?.admin.key);
  const { create } = admin;
  const findFirst = async (model: string, domain: unknown[]): Promise<number> =>
    (await admin.value(`${model}/search`, { domain }))[0];
  const scene: Scene = {
    admin,
    create,
    modelId: (name) => findFirst('ir.model', [['model', '=', name]]),
    groupId: (external) => findFirst('res.groups', [['external_id', '=', external]]),
    addGroup: (name, overrides = {}) => create('res.groups', { name, ...overrides }),
    async addPerson(login, groups = [], overrides = {}) {
      const password = `the password of ${login}`;
      const internal = await scene.groupId('base.group_user');
      const id = await create('res.users', {
        login,
        name: login,
        password,
        group_ids: [[6, 0, [internal, ...groups]]],
        ...overrides,
      });
      const { key } = await createKey((tenant ?? app.main).ctx, {
        name: login,
        userId: id,
        scopes: [],
        days: null,
      });
      return { id, login, password, key, ...createJsonClient(app, key) };
    },
    async addModel(model, fields, group) {
      const lines = fields.map((field) => [0, 0, field]);
      const id = await create('ir.model', { name: model, model, field_id: lines });
      if (group) await scene.grant(model, group, 'crwu');
      return id;
    },
    grant: async (model, group, letters) =>
      create('ir.model.access', {
        name: `${model} ${letters}`,
        model_id: await scene.modelId(model),
        group_id: group,
        ...toFlags(letters),
      }),
  };
  return scene;
}

export const getStatus = async (app: App, key: string, path: string, body: object): Promise<number> =>
  (await json2(app, path, body, key)).status;

export async function loadRows(app: App, tenant: Tenant, ...tables: string[]): Promise<string> {
  const loadedRows: unknown[] = [];
  for (const table of tables) {
    const rows = await app.runtime.db.rows(
      sql.given(`select to_jsonb(t)::text as row from "${table}" t where t.workspace_id = $1 order by 1`, [
        tenant.ctx.workspace.id,
      ]),
    );
    loadedRows.push(table, rows);
  }
  return JSON.stringify(loadedRows);
}

/** Call logs and id counters, which change even if a call is rejected. */
const LOG_TABLES = ['svc_audit_event', 'svc_call_log', 'svc_api_key_use', 'workspace_counter'];

/**
 * Returns the state of each table of the workspace. Any written row changes it, even with equal values: `xmin` is the
 * transaction that wrote the row. Hashing all contents would take five times as long, and a test file calls this
 * hundreds of times.
 */
export async function fingerprintWorkspace(
  app: App,
  tenant: Tenant = app.main,
): Promise<Record<string, string>> {
  let text = fingerprintStatements.get(app);
  if (!text) {
    text = await buildFingerprintStatement(app);
    fingerprintStatements.set(app, text);
  }
  const rows = await app.runtime.db.rows<{ name: string; print: string }>(
    sql.given(text, [tenant.ctx.workspace.id]),
  );
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]));
}

const fingerprintStatements = new WeakMap<App, string>();

async function buildFingerprintStatement(app: App): Promise<string> {
  const tables = await app.runtime.db.rows<{ name: string }>(
    sql`select table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id' and table_name <> all(${LOG_TABLES}) order by 1`,
  );
  return tables
    .map(
      ({ name }) => `select '${name}' as name, concat(count(*), ' ', sum(xmin::text::bigint)) as print
      from "${name}" t where t.workspace_id = $1`,
    )
    .join(' union all ');
}
