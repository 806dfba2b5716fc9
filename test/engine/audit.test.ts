import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';

const app = setUpApp();

interface Line {
  event: string;
  success: boolean;
  user_id: number;
  summary: string;
}

const loadAuditLines = () =>
  app.main.ctx.db.rows<Line>(
    sql`select event, success, user_id, summary from svc_audit_event where workspace_id = ${app.main.ctx.workspace.id} order by id`,
  );

async function findNewLines(key: string, path: string, body: object) {
  const before = (await loadAuditLines()).length;
  const { status } = await json2(app, path, body, key);
  return { status, lines: (await loadAuditLines()).slice(before) };
}

const getPartnerId = (user: number) =>
  app.main.ctx.db.value<number>(
    sql`select partner_id from res_users where workspace_id = ${app.main.ctx.workspace.id} and id = ${user}`,
  );

test("records a change to a user's rights that is made through the user's contact", async () => {
  const { admin, user } = app.main;
  const vals = { user_ids: [[1, user.id, { group_ids: [[5]] }]] };
  const { status, lines } = await findNewLines(admin.key, 'res.partner/write', {
    ids: [await getPartnerId(user.id)],
    vals,
  });
  expect(status).toBe(200);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ event: 'res.users.write', success: true, user_id: admin.id });
  expect(JSON.parse(lines[0]!.summary)).toEqual({ ids: [user.id], vals: { group_ids: [[5]] } });
});

test('records a rejected change made through a contact even though the call is rolled back', async () => {
  const { ctx, admin, user } = app.main;
  const officerId = await ctx.db.value<number>(
    sql`select id from res_groups where workspace_id = ${ctx.workspace.id} and external_id = 'base.group_partner_manager'`,
  );
  await findNewLines(admin.key, 'res.users/write', {
    ids: [user.id],
    vals: { group_ids: [[6, 0, [officerId]]] },
  });
  const ids = [await getPartnerId(user.id)];
  const vals = { ref: 'undone', user_ids: [[1, user.id, { active: false }]] };
  const { status, lines } = await findNewLines(user.key, 'res.partner/write', { ids, vals });
  expect(status).toBe(403);
  expect(lines).toMatchObject([{ event: 'res.users.write', success: false, user_id: user.id }]);
  const undone = await ctx.db.rows(
    sql`select 1 from res_partner where workspace_id = ${ctx.workspace.id} and ref = 'undone'`,
  );
  expect(undone).toEqual([]);
});

test('records a nested change in the entry of the audited change', async () => {
  const { admin, user } = app.main;
  const vals = { name: 'Auditors', user_ids: [[4, user.id]] };
  const { lines } = await findNewLines(admin.key, 'res.groups/create', {
    vals_list: [vals],
  });
  expect(lines).toMatchObject([{ event: 'res.groups.create', success: true }]);
  const company = await findNewLines(admin.key, 'res.company/name_create', { name: 'Second' });
  expect(company.lines).toMatchObject([{ event: 'res.company.create', success: true }]);
});

test('does not record the creation of an ordinary contact', async () => {
  const { lines } = await findNewLines(app.main.admin.key, 'res.partner/create', {
    vals_list: [{ name: 'Ann' }],
  });
  expect(lines).toEqual([]);
});
