import { beforeAll, expect, test } from 'vitest';
import { addUser } from '../../schema/base/workspace/create-workspace.ts';
import { addDomain } from '../../schema/email/domains/domains.ts';
import { sql } from '../../src/db/sql.ts';
import { write } from '../../src/engine/write/write.ts';
import { setUpApp } from '../harness/app.ts';
import {
  callMail,
  callMailOk,
  createSharedMailbox,
  loadMailbox,
  queryGraphql,
  setMailFeature,
  setUpMailbox,
} from './mailboxes.ts';

const app = setUpApp();
const ownMailbox = setUpMailbox(app);
const otherMailbox = setUpMailbox(app, 'admin');
let domainId: number;

beforeAll(async () => {
  const { ctx, domain } = app.main;
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_domain where workspace_id = ${ctx.workspace.id} and name = ${domain}`,
  );
  domainId = row!.id;
});

const loadAccount = async (id: number) =>
  (
    await app.main.ctx.db.rows<{ name: string; signature: string; active: boolean; address: string }>(
      sql`select name, signature, active, address from svc_mail_account
       where workspace_id = ${app.main.ctx.workspace.id} and id = ${id}`,
    )
  )[0]!;

test('save_signature sanitizes the signature', async () => {
  const response = await callMailOk(app, 'save_signature', {
    account_id: ownMailbox.id,
    signature: '<b onclick="x()">Ann</b><script>alert(1)</script><a href="javascript:x">y</a>',
  });
  expect(response).toEqual({ ok: true, signature: '<b>Ann</b><a>y</a>', version: expect.any(Number) });
  expect((await loadAccount(ownMailbox.id)).signature).toBe(response.signature);
  expect(
    await callMailOk(app, 'save_signature', { account_id: ownMailbox.id, signature: 'x'.repeat(100_001) }),
  ).toMatchObject({
    ok: false,
  });
  expect((await callMail(app, 'save_signature', { account_id: otherMailbox.id, signature: '' })).status).toBe(
    403,
  );
});

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test("save_profile changes the owned mailbox's name and the user's photo", async () => {
  const save = (args: object, account_id = ownMailbox.id) =>
    callMailOk(app, 'save_profile', { account_id, ...args });
  expect(await save({ name: ' Ann of Sales ', avatar: PIXEL })).toEqual({ ok: true });
  expect((await loadAccount(ownMailbox.id)).name).toBe('Ann of Sales');
  const loadPhotoSize = () =>
    app.main.ctx.db.rows<{ n: number }>(
      sql`select octet_length(p.image_1920) as n from res_users u
       join res_partner p on p.workspace_id = ${app.main.ctx.workspace.id} and p.id = u.partner_id
       where u.workspace_id = ${app.main.ctx.workspace.id} and u.id = ${app.main.user.id}`,
    );
  expect((await loadPhotoSize())[0]!.n).toBe(Buffer.from(PIXEL, 'base64').length);
  expect(await save({ avatar: 'bm90IGFuIGltYWdl' })).toMatchObject({ ok: false });
  expect(await save({ name: 'a\nb' })).toMatchObject({ ok: false });
  const sharedMailbox = await createSharedMailbox(app.main.ctx, [app.main.user.id]);
  expect(await save({ name: 'Not mine' }, sharedMailbox.id)).toEqual({
    ok: false,
    error: 'Only the owner of a mailbox can change its sender name.',
  });
  expect((await callMail(app, 'save_profile', { account_id: otherMailbox.id, name: 'x' })).status).toBe(403);
});

test('save_prefs updates only the given preferences, and rejects invalid values', async () => {
  const save = (vals: object) => callMailOk(app, 'save_prefs', { vals });
  expect(await save({ svc_mail_chime: false, svc_mail_undo_send_seconds: 30 })).toEqual({ ok: true });
  expect(await save({ svc_mail_notify_preview: 'none' })).toEqual({ ok: true });
  expect((await callMailOk(app, 'get_mailbox_state')).prefs).toMatchObject({
    svc_mail_chime: false,
    svc_mail_undo_send_seconds: 30,
    svc_mail_notify_preview: 'none',
    svc_mail_autoload_images: false,
  });
  expect(await save({ svc_mail_undo_send_seconds: 7 })).toEqual({
    ok: false,
    error: 'svc_mail_undo_send_seconds: must be one of 0, 5, 10, 20, 30.',
  });
  expect(await save({ svc_mail_notify_trigger: 'sometimes' })).toMatchObject({ ok: false });
  expect(await save({})).toMatchObject({ ok: false });
  expect(await save({ is_admin: true })).toMatchObject({ ok: false });
  expect(await save({ svc_mail_chime: 'loud' })).toMatchObject({ ok: false });
});

const setForEveryone = (value: string) =>
  queryGraphql(
    app,
    'mutation ($value: String!) { mailPolicySet(key: "shared_create_who", value: $value) }',
    { value },
    app.main.admin.key,
  );
const createShared = (args: object, key = app.main.user.key) =>
  callMail(app, 'create_shared_mailbox', { name: 'Shared', domain_id: domainId, ...args }, key);

test("returns a company's mail settings only to administrators", async () => {
  const loadChoices = (args = '', key = app.main.admin.key) =>
    queryGraphql(
      app,
      `{ mailAdminChoices${args} { features { key isOn } policies { key value } reserved { local isAlways } } }`,
      {},
      key,
    );
  await queryGraphql(app, 'mutation { mailAddressReserve(local: "ceo") }', {}, app.main.admin.key);
  const { features, policies, reserved } = (await loadChoices()).data.mailAdminChoices;
  expect(features).toContainEqual({ key: 'mail.search', isOn: true });
  expect(policies).toEqual([
    { key: 'import_who', value: 'everyone' },
    { key: 'shared_create_who', value: 'administrators' },
  ]);
  expect(reserved).toContainEqual({ local: 'abuse', isAlways: true });
  expect(reserved).toContainEqual({ local: 'ceo', isAlways: false });
  await queryGraphql(
    app,
    'mutation { mailAddressReserve(local: "ceo", isReserved: false) }',
    {},
    app.main.admin.key,
  );
  expect((await loadChoices('(companyId: 999999)')).errors[0].extensions.code).toBe('NOT_FOUND');
  expect((await loadChoices('', app.main.user.key)).errors[0].extensions.code).toBe('FORBIDDEN');
});

test('lets administrators create shared mailboxes, and other users if the policy allows it', async () => {
  const { user, admin } = app.main;
  const mailbox = await createShared({ local: 'Info', member_user_ids: [user.id] }, admin.key);
  expect(mailbox.body).toEqual({ ok: true, account_id: expect.any(Number), email: 'info@main.test' });
  expect((await createShared({ local: 'sales' })).status).toBe(403);
  await setForEveryone('everyone');
  const owned = (await createShared({ local: 'sales' })).body;
  expect(owned).toMatchObject({ ok: true, email: 'sales@main.test' });
  const { accounts } = await callMailOk(app, 'get_mailbox_state');
  expect(accounts.find((account: { id: number }) => account.id === owned.account_id)).toMatchObject({
    role: 'owner',
  });
  const adminState = await callMailOk(app, 'get_mailbox_state', {}, admin.key);
  expect(adminState.accounts.map((account: { id: number }) => account.id)).toEqual([otherMailbox.id]);
  await setForEveryone('administrators');
});

test('create_shared_mailbox rejects reserved, taken and invalid addresses, domains and users', async () => {
  const { admin } = app.main;
  await setForEveryone('everyone');
  const createError = async (args: object, key?: string) => (await createShared(args, key)).body.error;
  expect(await createError({ local: 'postmaster' })).toContain('reserved');
  expect((await createShared({ local: 'postmaster' }, admin.key)).body.ok).toBe(true);
  await queryGraphql(app, 'mutation { mailAddressReserve(local: "ceo") }', {}, admin.key);
  expect(await createError({ local: 'CEO' })).toContain('reserved');
  await queryGraphql(app, 'mutation { mailAddressReserve(local: "ceo", isReserved: false) }', {}, admin.key);
  expect(await createError({ local: 'user' })).toBe('The address user@main.test is already in use.');
  for (const local of ['', 'a b', '.a', 'a.', 'a..b', 'ä', 'x'.repeat(65), 'a@b'])
    expect(await createError({ local }), local).toContain('local:');
  expect(await createError({ local: 'a', domain_id: 999_999 })).toContain('domain_id');
  expect(await createError({ local: 'a', member_user_ids: [999_999] })).toContain(
    'only active internal users',
  );
  expect(await createError({ local: 'a', name: ' ' })).toBe('A mailbox must have a name.');
  await app.main.ctx.db.rows(
    sql`update svc_domain set status = 'PENDING' where workspace_id = ${app.main.ctx.workspace.id} and id = ${domainId}`,
  );
  expect(await createError({ local: 'a' })).toContain('domain_id');
  await app.main.ctx.db.rows(
    sql`update svc_domain set status = 'SUCCESS' where workspace_id = ${app.main.ctx.workspace.id} and id = ${domainId}`,
  );
  await setMailFeature(app, 'mail.shared', false);
  expect(await createError({ local: 'a' }, admin.key)).toBe('Shared mailboxes is not enabled (mail.shared).');
  await setMailFeature(app, 'mail.shared', true);
  await setForEveryone('administrators');
});

test('limits a regular user to 10 shared mailboxes, including archived and concurrently created ones', async () => {
  await setForEveryone('everyone');
  const { ctx, user } = app.main;
  await ctx.db.rows(
    sql`update svc_mail_account set active = false
     where workspace_id = ${ctx.workspace.id} and owner_id = ${user.id} and kind = 'shared'`,
  );
  const responses = await Promise.all(
    Array.from({ length: 14 }, (_, i) => createShared({ local: `box${i}` })),
  );
  expect(responses.map(({ status }) => status).every((status) => status === 200)).toBe(true);
  const owned = await ctx.db.value<number>(
    sql`select count(*)::int from svc_mail_account
     where workspace_id = ${ctx.workspace.id} and owner_id = ${user.id} and kind = 'shared'`,
  );
  expect(owned).toBe(10);
  expect(responses.filter(({ body }) => !body.ok)[0]!.body.error).toContain(
    'You already own 10 shared mailboxes',
  );
  await setForEveryone('administrators');
});

test("lets only the owner and administrators change a shared mailbox's members", async () => {
  const { ctx, user, admin } = app.main;
  const third = await addUser(ctx, {
    login: 'third',
    name: 'Third',
    password: 'third password 1',
    admin: false,
  });
  const { account_id } = (await createShared({ local: 'team', manager_user_id: user.id }, admin.key)).body;
  const set = (ids: number[], key = user.key) =>
    callMail(app, 'set_shared_members', { account_id, member_user_ids: ids }, key);
  expect((await set([third])).body).toEqual({
    ok: true,
    member_user_ids: expect.arrayContaining([user.id, third]),
  });
  expect((await set([], admin.key)).body).toEqual({ ok: true, member_user_ids: [user.id] });
  expect((await set([999_999])).body).toMatchObject({ ok: false });
  const state = await callMailOk(app, 'get_shared_manage_state', { account_id });
  expect(state.members).toEqual([{ user_id: user.id, name: 'user', login: 'user', role: 'manager' }]);
  expect(state.candidates.map((candidate: { user_id: number }) => candidate.user_id)).toEqual(
    expect.arrayContaining([admin.id, third]),
  );
  const plainMailbox = await createSharedMailbox(ctx, [user.id]);
  for (const id of [plainMailbox.id, otherMailbox.id, ownMailbox.id, 999_999]) {
    expect((await callMail(app, 'set_shared_members', { account_id: id, member_user_ids: [] })).status).toBe(
      403,
    );
    expect((await callMail(app, 'get_shared_manage_state', { account_id: id })).status).toBe(403);
  }
  const { data } = await queryGraphql(
    app,
    'query ($id: ID!) { mailboxManageState(accountId: $id) { email members { login role } candidates { role } } }',
    { id: account_id },
  );
  expect(data.mailboxManageState).toMatchObject({ email: 'team@main.test', members: [{ role: 'manager' }] });
});

test('archives and restores a mailbox together with its user', async () => {
  const { ctx } = app.main;
  const id = await addUser(ctx, {
    login: 'leaver',
    name: 'Leaver',
    password: 'leaver password 1',
    admin: false,
  });
  const box = await loadMailbox(ctx, id);
  await write(ctx, 'res.users', [id], { active: false });
  expect((await loadAccount(box.id)).active).toBe(false);
  await write(ctx, 'res.users', [id], { active: true });
  expect((await loadAccount(box.id)).active).toBe(true);
});

test("keeps a mailbox's address in the first verified domain when another domain is added", async () => {
  const otherTenant = await app.tenant('second');
  const [row] = await otherTenant.ctx.db.rows<{ address: string; main: string }>(
    sql`select a.address, m.address as main from svc_mail_account a
     join svc_mail_address m on m.workspace_id = ${otherTenant.ctx.workspace.id} and m.account_id = a.id
     where a.workspace_id = ${otherTenant.ctx.workspace.id} and a.owner_id = ${otherTenant.user.id}`,
  );
  expect(row).toEqual({ address: 'user@second.test', main: 'user@second.test' });
  await addDomain(otherTenant.ctx, 'another.test');
  expect((await loadMailbox(otherTenant.ctx, otherTenant.user.id)).address).toBe('user@second.test');
});
