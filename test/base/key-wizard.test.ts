import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { runTool, switchMcp } from '../harness/facades/mcp.ts';
import { setUp } from '../harness/set-up.ts';

const app = setUpApp();
const user = setUp(() => createJsonClient(app, app.main.user.key));

const DESCRIPTION = 'res.users.apikeys.description';
const CHECK = 'res.users.identitycheck';

async function createWizard(values: object = { name: 'Made by a client' }): Promise<number> {
  const ids = await user.value(`${DESCRIPTION}/create`, { vals_list: [values] });
  const action = await user.value(`${DESCRIPTION}/make_key`, { ids });
  expect(action).toMatchObject({ type: 'ir.actions.act_window', res_model: CHECK, views: [[false, 'form']] });
  return action.res_id;
}

test('creates a key after the password is verified, and shows it only once', async () => {
  const check = await createWizard();
  await user.expectError(422, `${CHECK}/run_check`, { ids: [check] });
  await user.expectError(422, `${CHECK}/write`, { ids: [check], vals: { password: 'wrong' } });
  await user.expectError(422, `${CHECK}/run_check`, { ids: [check] });
  await user.value(`${CHECK}/write`, { ids: [check], vals: { password: app.main.user.password } });
  expect(await user.value(`${CHECK}/read`, { ids: [check], fields: ['password'] })).toEqual([
    { id: check, password: false },
  ]);
  const action = await user.value(`${CHECK}/run_check`, { ids: [check] });
  expect(action.res_model).toBe('res.users.apikeys.show');
  const ownClient = createJsonClient(app, action.context.default_key);
  expect((await ownClient.value('res.users/context_get')).uid).toBe(app.main.user.id);
  await user.expectError(404, `${CHECK}/run_check`, { ids: [check] });
});

test("rejects an agent's key even with the password", async () => {
  const check = await createWizard();
  await user.value(`${CHECK}/write`, { ids: [check], vals: { password: app.main.user.password } });
  const [other] = await user.value(`${DESCRIPTION}/create`, { vals_list: [{ name: "An agent's" }] });
  await switchMcp(app, app.main, true);
  expect(await runTool(app, app.main.user.key, 'count', { model: 'res.partner' })).toMatchObject({
    isError: false,
  });
  const called = { model: CHECK, method: 'run_check', ids: [check], confirm: true };
  expect(await runTool(app, app.main.user.key, 'call', called)).toMatchObject({ isError: true });
  await user.expectError(403, `${CHECK}/run_check`, { ids: [check] });
  await user.expectError(403, `${DESCRIPTION}/make_key`, { ids: [other] });
  const { id } = app.main.ctx.workspace;
  await app.runtime.db.rows(sql`delete from svc_agent where workspace_id = ${id}`);
  expect((await user.value(`${CHECK}/run_check`, { ids: [check] })).context.default_key).toMatch(/^uk_/);
});

test('creates a key that expires at the date given in the wizard', async () => {
  const check = await createWizard({ name: 'Short', expiration_date: '2000-01-01 00:00:00' });
  await user.value(`${CHECK}/write`, { ids: [check], vals: { password: app.main.user.password } });
  const { default_key: key } = (await user.value(`${CHECK}/run_check`, { ids: [check] })).context;
  expect(await app.runtime.identity.byKey(key)).toBeNull();
});

test('accepts the password in the context', async () => {
  const check = await createWizard();
  const run = (password: string) => ({ ids: [check], context: { password } });
  const error = await user.expectError(422, `${CHECK}/run_check`, run('wrong'));
  expect(error.message).toContain('Incorrect password');
  const action = await user.value(`${CHECK}/run_check`, run(app.main.user.password));
  expect(action.context.default_key).toMatch(/^uk_/);
});

test('accepts a password check for ten minutes, and only from the user who passed it', async () => {
  const check = await createWizard();
  await user.value(`${CHECK}/write`, { ids: [check], vals: { password: app.main.user.password } });
  for (const method of ['run_check', 'read'])
    await createJsonClient(app).expectError(403, `${CHECK}/${method}`, { ids: [check] });
  await app.main.ctx.db.rows(
    sql`update res_users_identitycheck set checked_at = now() - interval '11 minutes'
     where workspace_id = ${app.main.ctx.workspace.id} and id = ${check}`,
  );
  await user.expectError(422, `${CHECK}/run_check`, { ids: [check] });
});

test('rejects a password that is not a string', async () => {
  const check = await createWizard();
  for (const password of [7, false, null, ['x']])
    await user.expectError(422, `${CHECK}/write`, { ids: [check], vals: { password } });
  await user.expectError(422, `${CHECK}/run_check`, { ids: [check] });
});
