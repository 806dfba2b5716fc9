import { beforeAll, expect, test } from 'vitest';
import { addUser } from '../../schema/base/workspace/create-workspace.ts';
import { sql } from '../../src/db/sql.ts';
import { allocateId } from '../../src/engine/ctx/allocate-ids.ts';
import { write } from '../../src/engine/write/write.ts';
import { setUpApp } from '../harness/app.ts';
import { until } from '../harness/wait.ts';
import { callMailOk, createSharedMailbox, loadMailbox, type Mailbox, setUpMailbox } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const app = setUpApp();
const ann = setUpMailbox(app);
const bob = setUpMailbox(app, 'admin');

beforeAll(async () => {
  await app.deliver();
  await app.fileMail();
});

const send = (from: Mailbox, to: string, values: object = {}) =>
  callMailOk(
    app,
    'compose_send',
    { account_id: from.id, to, subject: 'Lunch?', body: 'At noon.', ...values },
    from === ann ? app.main.user.key : app.main.admin.key,
  );

const list = async (box: Mailbox, folder: keyof Mailbox['folders'] = 'inbox') => {
  const key = box === ann ? app.main.user.key : app.main.admin.key;
  return (await callMailOk(app, 'get_entries', { folder_id: box.folders[folder] }, key)).entries;
};

test('delivers mail between users, and adds the reply to the conversation', async () => {
  const sent = await send(ann, bob.address);
  expect(sent).toMatchObject({ ok: true, transport: { state: 'sent' } });
  await until(async () => (await list(bob)).length === 1, 'it is filed');
  const [message] = await list(bob);
  expect(message).toMatchObject({ subject: 'Lunch?', from_email: ann.address, is_read: false });
  await send(bob, ann.address, { subject: 'Re: Lunch?', in_reply_to: message.entry_id });
  await until(async () => (await list(ann)).length === 1, 'the answer is filed');
  expect((await list(ann))[0].thread_id).toBe(sent.entry_id);
  expect(await findMiscounts(app)).toEqual([]);
});

test('files a message to oneself in the inbox and in Sent', async () => {
  const before = (await list(ann)).length;
  await send(ann, ann.address.replace('@', '+todo@'), { subject: 'Note' });
  await until(async () => (await list(ann)).length === before + 1, 'it is filed');
  expect((await list(ann))[0].subject).toBe('Note');
  expect((await list(ann, 'sent'))[0].subject).toBe('Note');
});

test('hides blind copy recipients from the other recipients', async () => {
  const sharedMailbox = await createSharedMailbox(app.main.ctx, [app.main.admin.id]);
  await send(ann, bob.address, { subject: 'Secret', bcc: sharedMailbox.address });
  await until(async () => (await list(sharedMailbox)).length === 1, 'the blind copy is filed');
  const raw = await app.runtime.db.rows<{ recipients: object; envelope: object }>(
    sql`select c.recipients, e.envelope from svc_mail_entry e join svc_mail_message c
       on c.workspace_id = ${app.main.ctx.workspace.id} and c.id = e.content_id
     where e.workspace_id = ${app.main.ctx.workspace.id} and e.account_id = ${bob.id} and c.subject = 'Secret'`,
  );
  expect(JSON.stringify(raw)).not.toContain(sharedMailbox.address);
});

test('files mail from a blocked sender in Spam', async () => {
  const { id } = app.main.ctx.workspace;
  await app.runtime.db.rows(
    sql`insert into svc_mail_block (workspace_id, id, account_id, email)
     values (${id}, ${await allocateId(app.main.ctx, 'svc_mail_block')}, ${bob.id}, ${ann.address})`,
  );
  await send(ann, bob.address, { subject: 'Blocked' });
  await until(async () => (await list(bob, 'spam')).length === 1, 'it is filed');
  expect((await list(bob, 'spam'))[0].subject).toBe('Blocked');
  await app.runtime.db.rows(
    sql`delete from svc_mail_block where workspace_id = ${id} and account_id = ${bob.id}`,
  );
});

test('delivers mail to another workspace', async () => {
  const otherTenant = await app.tenant('elsewhere');
  const otherMailbox = await loadMailbox(otherTenant.ctx, otherTenant.user.id);
  expect(otherMailbox.address).toMatch(/@elsewhere\.test$/);
  await send(ann, otherMailbox.address, { subject: 'Across' });
  await until(async () => {
    const { entries } = await callMailOk(
      app,
      'get_entries',
      { folder_id: otherMailbox.folders.inbox },
      otherTenant.user.key,
    );
    return entries.length === 1 && entries[0].subject === 'Across';
  }, 'it is filed there');
});

test('adds an auto-reply to the conversation of both users', async () => {
  const data = { active: true, subject: 'Away', body: 'Back on Monday.' };
  await callMailOk(app, 'autoreply_save', { account_id: bob.id, data }, app.main.admin.key);
  const sent = await send(ann, bob.address, { subject: 'Are you there?' });
  const findAutoReply = async (box: Mailbox, folder: 'inbox' | 'sent') =>
    (await list(box, folder)).find((item: { subject: string }) => item.subject === 'Away');
  await until(async () => await findAutoReply(ann, 'inbox'), 'the answer is filed');
  expect((await findAutoReply(ann, 'inbox')).thread_id).toBe(sent.entry_id);
  const question = (await list(bob)).find((item: { subject: string }) => item.subject === 'Are you there?');
  expect((await findAutoReply(bob, 'sent')).thread_id).toBe(question.thread_id);
  expect(await findMiscounts(app)).toEqual([]);
  await callMailOk(
    app,
    'autoreply_save',
    { account_id: bob.id, data: { active: false } },
    app.main.admin.key,
  );
});

test('returns a bounce for an unknown address in a workspace domain until the address exists', async () => {
  const sent = await send(ann, `missing@${app.main.domain}, far@example.org`, { subject: 'Anybody?' });
  expect(sent).toMatchObject({
    ok: true,
    transport: { reason: 'Not delivered: missing@main.test: 550 5.1.1 unknown mailbox' },
  });
  const readStatus = async (entry_id: number) =>
    (await callMailOk(app, 'get_entry_detail', { entry_id })).delivery_status;
  await until(async () => (await readStatus(sent.entry_id)) === 'BOUNCED', 'it bounces');
  const listReturned = async () =>
    (await list(ann)).filter((item: { subject: string }) => /^Undelivered/.test(item.subject));
  await until(async () => (await listReturned()).length === 1, 'the report is filed');
  const [{ entry_id, thread_id }] = await listReturned();
  expect(thread_id).toBe(sent.entry_id);
  const report = await callMailOk(app, 'get_entry_detail', { entry_id });
  expect(report).toMatchObject({ from_email: 'mailer-daemon@main.test', state: 'parsed' });
  expect(report.body_text).toContain('missing@main.test: 550 5.1.1 unknown mailbox');
  expect(report.body_text).not.toContain('far@example.org');
  const events = await app.main.ctx.db.rows<{ status: string; data: Record<string, unknown> }>(
    sql`select v.status, v.data from svc_mail_entry e
     join svc_email_event v on v.workspace_id = ${app.main.ctx.workspace.id} and v.email_id = e.email_id
     where e.workspace_id = ${app.main.ctx.workspace.id} and e.id = ${sent.entry_id}
       and v.status in ('DELIVERED', 'BOUNCED') order by v.status`,
  );
  expect(events).toMatchObject([
    {
      status: 'BOUNCED',
      data: {
        bounceType: 'Permanent',
        bounceSubType: 'NoEmail',
        bouncedRecipients: [{ emailAddress: 'missing@main.test', status: '5.1.1' }],
      },
    },
    { status: 'DELIVERED', data: { recipients: ['far@example.org'] } },
  ]);
  const repeated = await send(ann, 'missing@main.test');
  expect(repeated).toEqual({ ok: false, error: 'Every recipient is on the suppression list.' });

  await addUser(app.main.ctx, { login: 'missing', name: 'M', password: 'a password of M', admin: false });
  expect(await send(ann, 'missing@main.test')).toMatchObject({ ok: true, transport: { reason: null } });
});

test('returns a bounce for mail to an archived user until the user is restored', async () => {
  const id = await addUser(app.main.ctx, {
    login: 'away',
    name: 'A',
    password: 'a password of A',
    admin: false,
  });
  const setActive = (value: boolean) => write(app.main.ctx, 'res.users', [id], { active: value });
  await setActive(false);
  const sent = await send(ann, 'away@main.test');
  expect(sent.transport.reason).toContain('550 5.1.1');
  const error = { ok: false, error: 'Every recipient is on the suppression list.' };
  await until(async () => (await send(ann, 'away@main.test')).ok === false, 'it has bounced');
  expect(await send(ann, 'away@main.test')).toEqual(error);
  await setActive(true);
  expect(await send(ann, 'away@main.test')).toMatchObject({ ok: true, transport: { reason: null } });
});
