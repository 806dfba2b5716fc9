import { expect, test } from 'vitest';
import { getMatchingBlocks } from '../../schema/mailbox/organize/block-sender.ts';
import { sql } from '../../src/db/sql.ts';
import { create } from '../../src/engine/write/write.ts';
import { setUpApp } from '../harness/app.ts';
import { callMail, callMailOk, queryGraphql, setMailFeature, setUpMailbox } from './mailboxes.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
const otherMailbox = setUpMailbox(app, 'admin');

const withAccount = (args: object) => ({ account_id: mailbox.id, ...args });

test('block_sender blocks an address, and unblock_sender unblocks it', async () => {
  expect(await callMailOk(app, 'block_sender', withAccount({ email: 'Spammer <SPAM@example.org>' }))).toEqual(
    {
      ok: true,
      email: 'spam@example.org',
    },
  );
  expect(await callMailOk(app, 'block_sender', withAccount({ email: 'spam@example.org' }))).toMatchObject({
    ok: true,
  });
  const { blocked, total, total_is_at_least } = await callMailOk(app, 'list_blocked', withAccount({}));
  expect(blocked).toEqual([{ email: 'spam@example.org', blocked_at: expect.stringMatching(/Z$/) }]);
  expect([total, total_is_at_least]).toEqual([1, false]);
  expect(await callMailOk(app, 'sender_info', withAccount({ email: 'spam@example.org' }))).toMatchObject({
    is_blocked: true,
    can_block: false,
    can_unblock: true,
  });
  expect(await callMailOk(app, 'unblock_sender', withAccount({ email: 'spam@example.org' }))).toMatchObject({
    ok: true,
  });
  expect(await callMailOk(app, 'unblock_sender', withAccount({ email: 'spam@example.org' }))).toEqual({
    ok: false,
    error: 'spam@example.org is not blocked.',
  });
});

test('can block every valid sender address', async () => {
  for (const email of [
    'ü@evil.example',
    '"a b"@evil.example',
    "o'neil+x@evil.example",
    'Ü <ü@bücher.example>',
  ]) {
    const blocked = await callMailOk(app, 'block_sender', withAccount({ email }));
    expect(blocked, email).toMatchObject({ ok: true });
    expect(await callMailOk(app, 'sender_info', withAccount({ email })), email).toMatchObject({
      is_blocked: true,
    });
    expect(
      await callMailOk(app, 'unblock_sender', withAccount({ email: blocked.email })),
      email,
    ).toMatchObject({
      ok: true,
    });
  }
});

test.each([
  ['Bad+news@evil.example', ['bad+news@evil.example', 'bad@evil.example']],
  ['a+b+c@evil.example', ['a+b+c@evil.example', 'a@evil.example']],
  ['bad@evil.example', ['bad@evil.example']],
  ['+x@evil.example', ['+x@evil.example']],
  ['"a+b"@evil.example', ['"a+b"@evil.example']],
])('checks mail from %s against the blocked addresses %j', (sender, blocks) => {
  expect(getMatchingBlocks(sender)).toEqual(blocks);
});

test("rejects blocks of wildcards, invalid addresses and the mailbox's own address", async () => {
  for (const email of [
    '*@example.org',
    '@example.org',
    'a*b@example.org',
    'nobody',
    '',
    'a@x.org, b@x.org',
    mailbox.address,
  ])
    expect(await callMailOk(app, 'block_sender', withAccount({ email })), email).toMatchObject({ ok: false });
  for (const method of ['block_sender', 'unblock_sender', 'sender_info'])
    expect(
      (await callMail(app, method, { account_id: otherMailbox.id, email: 'a@example.org' })).status,
    ).toBe(403);
  expect((await callMail(app, 'list_blocked', { account_id: otherMailbox.id })).status).toBe(403);
});

test('lists at most 500 blocked senders, and reports whether more exist', async () => {
  await app.main.ctx.db.rows(
    sql`insert into svc_mail_block (workspace_id, id, account_id, email)
     select ${app.main.ctx.workspace.id}, 1000000 + n, ${otherMailbox.id}, 'n' || n || '@example.org'
     from generate_series(1, 501) n`,
  );
  const list = await callMailOk(app, 'list_blocked', { account_id: otherMailbox.id }, app.main.admin.key);
  expect([list.blocked.length, list.total, list.total_is_at_least]).toEqual([500, 500, true]);
});

test('rejects creating and listing blocks if mail.blocklist is off', async () => {
  await setMailFeature(app, 'mail.blocklist', false);
  const error = { ok: false, error: 'Blocking senders is not enabled (mail.blocklist).' };
  expect(await callMailOk(app, 'block_sender', withAccount({ email: 'a@example.org' }))).toEqual(error);
  expect(await callMailOk(app, 'unblock_sender', withAccount({ email: 'a@example.org' }))).toEqual(error);
  const { status, body } = await callMail(app, 'list_blocked', withAccount({}));
  expect([status, body.message]).toEqual([422, error.error]);
  expect(await callMailOk(app, 'sender_info', withAccount({ email: 'a@example.org' }))).toMatchObject({
    can_block: false,
  });
  await setMailFeature(app, 'mail.blocklist', true);
});

test("add_contact adds a contact once, with the caller's rights", async () => {
  const args = { email: 'Ann@Example.org', name: 'Ann' };
  expect((await callMail(app, 'add_contact', args)).status).toBe(403);
  expect(await callMailOk(app, 'sender_info', withAccount({ email: 'ann@example.org' }))).toMatchObject({
    is_contact: false,
    can_add_contact: false,
  });
  const added = await callMailOk(app, 'add_contact', args, app.main.admin.key);
  expect(added).toEqual({ ok: true, contact_id: expect.any(Number) });
  expect(await callMailOk(app, 'add_contact', args, app.main.admin.key)).toEqual(added);
  expect(await callMailOk(app, 'sender_info', withAccount({ email: 'Ann <ann@example.org>' }))).toMatchObject(
    {
      email: 'ann@example.org',
      is_contact: true,
      contact_id: added.contact_id,
    },
  );
  expect(await callMailOk(app, 'add_contact', { email: 'none' }, app.main.admin.key)).toMatchObject({
    ok: false,
  });
});

test('suggest_recipients returns the most frequent recipients first, then contacts', async () => {
  const w = app.main.ctx.workspace.id;
  await app.main.ctx.db.rows(
    sql`insert into svc_mail_correspondent (workspace_id, account_id, email, name, uses)
     values (${w}, ${mailbox.id}, 'zoe@example.org', 'Zoe Zorn', 1), (${w}, ${mailbox.id}, 'zack@example.org', '', 9),
       (${w}, ${otherMailbox.id}, 'zen@example.org', 'Not mine', 99)`,
  );
  await create(app.main.ctx, 'res.partner', [
    { name: 'Zoltan', email: 'Zoltan <zoltan@example.org>' },
    { name: 'Zoe again', email: 'zoe@example.org' },
  ]);
  const suggest = (query: string, limit = 8) =>
    callMailOk(app, 'suggest_recipients', withAccount({ query, limit }));
  const [zack, zoe, zoltan] = [
    { name: '', email: 'zack@example.org' },
    { name: 'Zoe Zorn', email: 'zoe@example.org' },
    { name: 'Zoltan', email: 'zoltan@example.org' },
  ];
  expect(await suggest('z')).toEqual([zack, zoe, zoltan]);
  expect(await suggest('zorn')).toEqual([zoe]);
  expect(await suggest('z', 1)).toEqual([zack]);
  expect(await suggest('%')).toEqual([]);
  expect(await suggest('adm')).toEqual([{ name: 'admin', email: otherMailbox.address }]);
  expect(
    (await callMail(app, 'suggest_recipients', { account_id: otherMailbox.id, query: 'z' })).status,
  ).toBe(403);
  const { data } = await queryGraphql(
    app,
    `query ($box: ID!) {
      mailSuggestions(accountId: $box, query: "zor") { name email }
      mailBlocked(accountId: $box) { total totalIsAtLeast blocked { email blockedAt } }
      mailSender(accountId: $box, email: "zoe@example.org") { isContact isBlocked canBlock }
    }`,
    { box: mailbox.id },
  );
  expect(data).toEqual({
    mailSuggestions: [zoe],
    mailBlocked: { total: 0, totalIsAtLeast: false, blocked: [] },
    mailSender: { isContact: true, isBlocked: false, canBlock: true },
  });
});
