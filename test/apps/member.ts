import { createKey } from '../../schema/base/keys/keys.ts';
import { sql } from '../../src/db/sql.ts';
import type { App } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';

export async function addMember(app: App, tenant: Tenant, login: string, groups: string[]) {
  const admin = createJsonClient(app, tenant.admin.key);
  const rows = await tenant.ctx.db.rows<{ id: number }>(
    sql`select id from res_groups where workspace_id = ${tenant.ctx.workspace.id} and external_id = any(${groups})`,
  );
  const id = await admin.create('res.users', {
    name: login,
    login,
    group_ids: [[6, 0, rows.map((row) => row.id)]],
  });
  const { key } = await createKey(tenant.ctx, { name: login, userId: id, scopes: [], days: null });
  return { id, key, caller: createJsonClient(app, key) };
}
