import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { loadSystemCtx } from '../../src/engine/ctx/system-ctx.ts';
import { setUpApp } from '../harness/app.ts';
import { runCli, runCliJson } from '../harness/cli.ts';
import { setUp } from '../harness/set-up.ts';
import { trySendOverSmtp } from '../harness/smtp.ts';
import { until } from '../harness/wait.ts';
import { findEntries, openExchange } from './exchange.ts';
import { callMailOk, loadMailbox, type Mailbox, queryGraphql, setUpMailbox } from './mailboxes.ts';

const app = setUpApp({ DNS_SERVERS: '127.0.0.1:9' });
const mailbox = setUpMailbox(app);
const otherMailbox = setUpMailbox(app, 'admin');
const facade = setUp(() => openExchange(app));

beforeAll(async () => {
  await app.fileMail();
  await app.deliver();
});

const change = async (field: string, args: string, key = app.main.admin.key) => {
  const response = await queryGraphql(app, `mutation { ${field}(${args}) { ok error } }`, {}, key);
  return response.data?.[field] ?? response.errors[0];
};

const deliverMail = (to: string, subject: string): Promise<string> => {
  const raw = `From: s@example.org\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\nText\r\n`;
  return trySendOverSmtp(facade.port, { envelope: { from: 's@example.org', to }, raw }, { ignoreTLS: true });
};

const hasGot = async (box: Mailbox, subject: string) =>
  (await findEntries(app, box, subject)).some((entry) => entry.folder_id === box.folders.inbox);

test('an alias receives internal and external mail, and can be used as a sender', async () => {
  expect(await deliverMail('help@main.test', 'too early')).toMatch(/^550 /);
  expect(await change('mailAliasAdd', `accountId: "${mailbox.id}", address: "Help@Main.test"`)).toEqual({
    ok: true,
    error: null,
  });
  expect(await deliverMail('help+me@main.test', 'from outside')).toMatch(/^250 /);
  await until(() => hasGot(mailbox, 'from outside'), 'it is filed');
  const sent = await callMailOk(app, 'compose_send', {
    account_id: mailbox.id,
    to: 'ann@example.org',
    subject: 'from the alias',
    from_address: 'help@main.test',
  });
  expect(sent).toMatchObject({ ok: true });
  expect(sent.message_id).toMatch(/@main\.test>$/);
  const { from_email } = await callMailOk(app, 'get_entry_detail', { entry_id: sent.entry_id });
  expect(from_email).toBe('help@main.test');
  await change('mailAliasAdd', `accountId: "${otherMailbox.id}", address: "boss@main.test"`);
  const local = await callMailOk(app, 'compose_send', {
    account_id: mailbox.id,
    to: 'boss@main.test',
    subject: 'to the boss',
    from_address: 'help@main.test',
  });
  expect(local).toMatchObject({ ok: true });
  await until(() => hasGot(otherMailbox, 'to the boss'), 'it is filed');
  const stolen = await callMailOk(app, 'compose_send', {
    account_id: mailbox.id,
    to: 'ann@example.org',
    subject: 'x',
    from_address: 'boss@main.test',
  });
  expect(stolen).toEqual({
    ok: false,
    error: 'from_address: "boss@main.test" is not an address of the mailbox.',
  });
  expect(
    await change('mailAliasRemove', `accountId: "${mailbox.id}", address: "help@main.test"`),
  ).toMatchObject({
    ok: true,
  });
  expect(await deliverMail('help@main.test', 'too late')).toMatch(/^550 /);
});

test('a catch-all receives mail for unknown addresses in its domain, and cannot be used as a sender', async () => {
  expect(await change('mailCatchAllSet', `domain: "main.test", accountId: "${mailbox.id}"`)).toMatchObject({
    ok: true,
  });
  expect(await deliverMail('whatever@main.test', 'caught')).toMatch(/^250 /);
  await until(() => hasGot(mailbox, 'caught'), 'it is filed');
  expect(await deliverMail('boss@main.test', 'not caught')).toMatch(/^250 /);
  await until(() => hasGot(otherMailbox, 'not caught'), 'it is filed');
  const sent = await callMailOk(app, 'compose_send', {
    account_id: mailbox.id,
    to: 'ann@example.org',
    subject: 'x',
    from_address: '@main.test',
  });
  expect(sent).toMatchObject({ ok: false });
  expect(
    await change('mailCatchAllSet', `domain: "main.test", accountId: "${otherMailbox.id}"`),
  ).toMatchObject({
    ok: true,
  });
  expect(await deliverMail('someone@main.test', 'moved')).toMatch(/^250 /);
  await until(() => hasGot(otherMailbox, 'moved'), 'it is filed');
  expect(await change('mailCatchAllSet', 'domain: "main.test"')).toMatchObject({ ok: true });
  expect(await deliverMail('someone@main.test', 'too late')).toMatch(/^550 /);
});

test.each([
  ['an address of another mailbox', 'boss@main.test', /^The address boss@main\.test is already in use\.$/],
  ['an unverified domain', 'a@example.org', /^example\.org is not a verified domain/],
  ['an invalid address', 'a b@main.test', /^local: /],
])('rejects %s as an alias', async (_name, address, error) => {
  expect(await change('mailAliasAdd', `accountId: "${mailbox.id}", address: "${address}"`)).toEqual({
    ok: false,
    error: expect.stringMatching(error),
  });
});

test("rejects removing a mailbox's main address, and more than 100 additional addresses", async () => {
  const main = await change('mailAliasRemove', `accountId: "${mailbox.id}", address: "${mailbox.address}"`);
  expect(main).toMatchObject({ ok: false });
  // The maximum includes the address with which the mailbox was created.
  for (let i = 0; i < 99; i++)
    expect(
      await change('mailAliasAdd', `accountId: "${mailbox.id}", address: "a${i}@main.test"`),
    ).toMatchObject({ ok: true });
  expect(await change('mailAliasAdd', `accountId: "${mailbox.id}", address: "more@main.test"`)).toEqual({
    ok: false,
    error: 'A mailbox may have at most 100 additional addresses.',
  });
});

test('rolls back a rejected change and records its error', async () => {
  const { id: workspace } = app.main.ctx.workspace;
  const countChanges = () =>
    app.runtime.db.rows(
      sql`select count(*)::int as n from svc_mail_change
       where workspace_id = ${workspace} and account_id = ${mailbox.id}`,
    );
  const before = await countChanges();
  const error = 'nobody@main.test is not an additional address of the mailbox.';
  expect(await change('mailAliasRemove', `accountId: "${mailbox.id}", address: "nobody@main.test"`)).toEqual({
    ok: false,
    error,
  });
  expect(await countChanges()).toEqual(before);
  const entries = await app.runtime.db.rows(
    sql`select success, error from svc_audit_event
     where workspace_id = ${workspace} and event = 'mail.alias' and summary like '%nobody@main.test%'`,
  );
  expect(entries).toEqual([{ success: false, error }]);
});

test('lets only administrators assign addresses, and only to mailboxes in their workspace', async () => {
  const asUser = await change(
    'mailAliasAdd',
    `accountId: "${mailbox.id}", address: "u@main.test"`,
    app.main.user.key,
  );
  expect(asUser.extensions.code).toBe('FORBIDDEN');
  const otherTenant = await app.tenant('other', 'apart');
  const { id } = await loadMailbox(otherTenant.ctx, otherTenant.user.id);
  expect((await change('mailAliasAdd', `accountId: "${id}", address: "o@main.test"`)).extensions.code).toBe(
    'NOT_FOUND',
  );
  expect((await change('mailCatchAllSet', `domain: "main.test", accountId: "${id}"`)).extensions.code).toBe(
    'NOT_FOUND',
  );
});

test('the operator lists, adds and removes addresses with commands', async () => {
  const options = ['--workspace', 'main'];
  await runCliJson(app.env, 'mailbox', 'catch-all', 'main.test', otherMailbox.address, ...options);
  const added = await runCliJson(
    app.env,
    'mailbox',
    'alias',
    'add',
    otherMailbox.address,
    'chief@main.test',
    ...options,
  );
  expect(added).toMatchObject({
    addresses: [
      { address: otherMailbox.address, kind: 'main' },
      { address: 'admin@main.localhost', kind: 'alias' },
      { address: 'boss@main.test', kind: 'alias' },
      { address: 'chief@main.test', kind: 'alias' },
      { address: '@main.test', kind: 'catch_all' },
    ],
  });
  const result = await runCli(
    app.env,
    'mailbox',
    'alias',
    'remove',
    otherMailbox.address,
    'absent@main.test',
    ...options,
  );
  expect([result.code, result.stderr]).toEqual([
    1,
    expect.stringMatching(/absent@main\.test is not an additional address/),
  ]);
});

test('adds addresses in the first verified domain to existing mailboxes, and keeps their previous addresses', async () => {
  const options = ['--workspace', 'fresh'];
  await runCliJson(app.env, 'workspace', 'create', 'fresh');
  const readAddresses = async (login: string) => {
    const ctx = await loadSystemCtx(app.runtime, 'fresh');
    return ctx.db.rows<{ address: string; kind: string }>(
      sql`select a.address, a.kind from svc_mail_address a
       join svc_mail_account m on m.workspace_id = ${ctx.workspace.id} and m.id = a.account_id
       join res_users u on u.workspace_id = ${ctx.workspace.id} and u.id = m.owner_id and u.login = ${login}
       where a.workspace_id = ${ctx.workspace.id} order by a.kind`,
    );
  };
  // The first start adds a domain like this one.
  await runCliJson(app.env, 'domain', 'add', 'fresh.localhost', ...options);
  await runCliJson(app.env, 'user', 'create', 'carol', ...options, '--password', 'a password of carol');
  expect(await readAddresses('carol')).toEqual([{ address: 'carol@fresh.localhost', kind: 'main' }]);
  const added = await runCliJson<{ mailboxes: number; note: string }>(
    app.env,
    'domain',
    'add',
    'fresh.test',
    ...options,
  );
  expect(added.mailboxes).toBeGreaterThan(0);
  expect(added.note).toMatch(
    /@fresh\.test\. New users' mailboxes will receive one as well\..*former addresses, such as .*@fresh\.localhost\./,
  );
  expect(await readAddresses('carol')).toEqual([
    { address: 'carol@fresh.localhost', kind: 'alias' },
    { address: 'carol@fresh.test', kind: 'main' },
  ]);
  await runCliJson(app.env, 'user', 'create', 'dave', ...options, '--password', 'a password of dave');
  expect(await readAddresses('dave')).toEqual([{ address: 'dave@fresh.test', kind: 'main' }]);
  const sent = await callMailOk(app, 'compose_send', {
    account_id: mailbox.id,
    to: 'carol@fresh.localhost, dave@fresh.test',
    subject: 'to the former address',
  });
  expect(sent).toMatchObject({ ok: true, transport: { state: 'sent', reason: null } });
});
