import { expect } from 'vitest';
import { createKey } from '../../schema/base/users/keys.ts';
import { sql } from '../../src/db/sql.ts';
import { type App, post, type Tenant } from '../harness/app.ts';

/** What an answer holds is the test's business. */
type Json = ReturnType<typeof JSON.parse>;

/** The JSON API as one user. */
export interface Caller {
  /** The value a call answers with, which has to be good. */
  value(method: string, body?: object): Promise<Json>;
  /** Status and body of a call that is refused. */
  refusal(method: string, body?: object): Promise<{ status: number; name: string; message: string }>;
  /** Creates one record and gives its id. */
  create(model: string, values: object): Promise<number>;
  /** Some fields of one record, ids for relations. */
  read(model: string, id: number, fields: string[]): Promise<Record<string, Json>>;
}

export function callerOf(app: App, key = app.main.admin.key): Caller {
  const ask = (method: string, body: object = {}) => post(`${app.url}/json/2/${method}`, body, key);
  const value = async (method: string, body: object = {}) => {
    const answer = await ask(method, body);
    expect(answer.status, `${method}: ${answer.text}`).toBe(200);
    return answer.json();
  };
  return {
    value,
    refusal: async (method, body) => {
      const answer = await ask(method, body);
      expect(answer.status, `${method}: ${answer.text}`).toBeGreaterThanOrEqual(400);
      return { status: answer.status, ...answer.json() };
    },
    create: async (model, values) => (await value(`${model}/create`, { vals_list: [values] }))[0],
    read: async (model, id, fields) =>
      (await value(`${model}/read`, { ids: [id], fields, load: null, context: { active_test: false } }))[0],
  };
}

/** Adds a user with these groups to the tenant. */
export async function member(app: App, tenant: Tenant, login: string, groups: string[]) {
  const admin = callerOf(app, tenant.admin.key);
  const rows = await tenant.ctx.db.rows<{ id: number }>(
    sql`select id from res_groups where workspace_id = ${tenant.ctx.workspace.id} and external_id = any(${groups})`,
  );
  const id = await admin.create('res.users', {
    name: login,
    login,
    group_ids: [[6, 0, rows.map((row) => row.id)]],
  });
  const { key } = await createKey(tenant.ctx, { name: login, userId: id, scopes: [], days: null });
  return { id, caller: callerOf(app, key) };
}
