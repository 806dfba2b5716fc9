import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { setUpApp } from '../../harness/app.ts';
import { setUp } from '../../harness/set-up.ts';
import { sendOverSmtp } from '../../harness/smtp.ts';
import { until } from '../../harness/wait.ts';
import { openExchange, waitUntilFiled } from '../exchange.ts';
import { callMailOk, type Mailbox, setUpMailbox } from '../mailboxes.ts';
import { findMiscounts } from '../recount.ts';

const app = setUpApp({ DNS_SERVERS: '127.0.0.1:9' });
const ann = setUpMailbox(app);
const bob = setUpMailbox(app, 'admin');
const facade = setUp(() => openExchange(app));

beforeAll(async () => {
  await app.deliver();
  await app.fileMail();
});

const getWorkspaceId = () => app.main.ctx.workspace.id;

/** Leaves `bytes` of free space. Null removes the quota. */
async function setFreeBytes(box: Mailbox, bytes: number | null): Promise<void> {
  await app.runtime.db.rows(
    sql`update svc_mail_account a set quota = c.used_bytes + ${bytes}::int8 from svc_mail_clock c
     where a.workspace_id = ${getWorkspaceId()} and a.id = ${box.id} and c.workspace_id = ${getWorkspaceId()}
       and c.account_id = a.id`,
  );
}

let number = 0;
const buildMail = (bytes: number): string => {
  number += 1;
  const head = `From: x@example.org\r\nSubject: letter ${number}\r\nMessage-ID: <q${number}@example.org>\r\n\r\n`;
  return `${head}${'0123456789abcde\n'.repeat(Math.ceil(bytes / 16)).replaceAll('\n', '\r\n')}`;
};

/** Sends a message without announcing its size. Returns the replies to DATA, or the rejection of a recipient. */
async function sendOverLmtp(lmtp: boolean, to: Mailbox[], raw: string): Promise<string[]> {
  const { connect } = await import('node:net');
  const socket = connect(lmtp ? facade.lmtpPort : facade.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const getLines = () => text.split('\r\n').filter((line) => /^\d{3} /.test(line));
  const waitForLines = async (count: number) => {
    await until(async () => getLines().length >= count, 'an answer');
  };
  await waitForLines(1);
  socket.write(`${lmtp ? 'LHLO' : 'EHLO'} test\r\nMAIL FROM:<x@example.org>\r\n`);
  await waitForLines(3);
  for (const [i, { address }] of to.entries()) {
    socket.write(`RCPT TO:<${address}>\r\n`);
    await waitForLines(4 + i);
  }
  const replies = getLines().slice(3);
  if (replies.some((line) => !line.startsWith('250'))) {
    socket.destroy();
    return replies;
  }
  socket.write(`DATA\r\n`);
  await waitForLines(4 + to.length);
  socket.write(`${raw}\r\n.\r\n`);
  await waitForLines(4 + to.length + (lmtp ? to.length : 1));
  socket.destroy();
  return getLines().slice(4 + to.length);
}

const countEntries = (box: Mailbox) =>
  app.runtime.db.value<number>(
    sql`select count(*)::int from svc_mail_entry where workspace_id = ${getWorkspaceId()} and account_id = ${box.id}`,
  );

test('reports over LMTP for each recipient whether the message fits the quota', async () => {
  await setFreeBytes(ann, 2_000);
  await setFreeBytes(bob, null);
  const responses = await sendOverLmtp(true, [ann, bob], buildMail(4_000));
  expect(responses[0]).toMatch(/^(552 5\.2\.2|452 4\.2\.2) /);
  expect(responses[1]).toMatch(/^250 2\.0\.0 /);
  await waitUntilFiled(app);
  expect([await countEntries(ann), await countEntries(bob)]).toEqual([0, 1]);
});

test("rejects a message over SMTP after its data if it exceeds every recipient's quota", async () => {
  await setFreeBytes(ann, 8_000);
  expect(await sendOverLmtp(false, [ann], buildMail(6_000))).toEqual([expect.stringMatching(/^250 /)]);
  await waitUntilFiled(app);
  expect(await sendOverLmtp(false, [ann], buildMail(6_000))).toEqual([
    expect.stringMatching(/^452 4\.2\.2 /),
  ]);
  await waitUntilFiled(app);
  expect(await countEntries(ann)).toBe(1);
});

test('rejects a message permanently if it is larger than the entire quota', async () => {
  expect(await sendOverLmtp(false, [ann], buildMail(60_000))).toEqual([
    expect.stringMatching(/^552 5\.2\.2 /),
  ]);
});

const countStored = () =>
  app.runtime.db.value<number>(
    sql`select (select count(*) from svc_blob b where b.workspace_id = ${getWorkspaceId()})::int
       + (select count(*) from svc_blob_chunk c where c.workspace_id = ${getWorkspaceId()})::int`,
  );

test('stores nothing for a large message that is rejected', { tags: 'slow' }, async () => {
  await setFreeBytes(ann, 900_000);
  const before = await countStored();
  expect(await sendOverLmtp(false, [ann], buildMail(1_400_000))).toEqual([
    expect.stringMatching(/^552 5\.2\.2 /),
  ]);
  expect(await sendOverLmtp(true, [ann], buildMail(1_400_000))).toEqual([
    expect.stringMatching(/^552 5\.2\.2 /),
  ]);
  expect(await countStored()).toBe(before);
  expect(await sendOverLmtp(false, [ann], buildMail(800_000))).toEqual([expect.stringMatching(/^250 /)]);
  await waitUntilFiled(app);
  const then = await countStored();
  expect(then).toBeGreaterThan(before);
  expect(await sendOverLmtp(false, [ann], buildMail(800_000))).toEqual([
    expect.stringMatching(/^452 4\.2\.2 /),
  ]);
  expect(await countStored()).toBe(then);
  await setFreeBytes(bob, null);
  expect(await sendOverLmtp(true, [ann, bob], buildMail(800_000))).toEqual([
    expect.stringMatching(/^452 4\.2\.2 /),
    expect.stringMatching(/^250 2\.0\.0 /),
  ]);
  await waitUntilFiled(app);
  await setFreeBytes(ann, 8_000 - 6_200);
});

test("accepts a message over SMTP if it fits at least one recipient's quota", async () => {
  const before = await countEntries(ann);
  expect(await sendOverLmtp(false, [ann, bob], buildMail(6_000))).toEqual([expect.stringMatching(/^250 /)]);
  await waitUntilFiled(app);
  expect(await countEntries(ann)).toBe(before + 1);
  expect(await sendOverLmtp(false, [ann], buildMail(10))).toEqual([expect.stringMatching(/^452 4\.2\.2 /)]);
});

test('counts deliveries in progress toward the quota', async () => {
  await setFreeBytes(bob, 10_000);
  const delayedRows = await app.runtime.db.rows<{ id: number }>(
    sql`update svc_mail_delivery set next_at = now() + interval '1 hour', state = 'queued'
     where workspace_id = ${getWorkspaceId()} and account_id = ${bob.id} returning id`,
  );
  expect(delayedRows.length).toBeGreaterThan(0);
  expect(await sendOverLmtp(true, [bob], buildMail(4_000))).toEqual([expect.stringMatching(/^452 4\.2\.2 /)]);
  await app.runtime.db.rows(
    sql`update svc_mail_delivery set next_at = null, state = 'filed'
     where workspace_id = ${getWorkspaceId()} and id = any(${delayedRows.map(({ id }) => id)}::int8[])`,
  );
  expect(await sendOverLmtp(true, [bob], buildMail(4_000))).toEqual([expect.stringMatching(/^250 /)]);
  await waitUntilFiled(app);
});

test("returns a bounce for mail between mailboxes that exceeds the recipient's quota", async () => {
  await setFreeBytes(bob, 100);
  const values = { account_id: ann.id, to: bob.address, subject: 'Too much', body: 'x'.repeat(3_000) };
  const { entry_id } = await callMailOk(app, 'compose_send', values);
  const find = () =>
    app.runtime.db.rows<{ data: object }>(
      sql`select v.data from svc_mail_entry e
       join svc_email_event v on v.workspace_id = ${getWorkspaceId()} and v.email_id = e.email_id
       where e.workspace_id = ${getWorkspaceId()} and e.id = ${entry_id} and v.status = 'BOUNCED'`,
    );
  await until(async () => (await find()).length === 1, 'it bounces');
  expect((await find())[0]!.data).toMatchObject({ bounceType: 'Transient', bounceSubType: 'MailboxFull' });
});

test('imports the messages that fit, and lists the others', async () => {
  await setFreeBytes(ann, 3_000);
  const messages = [1_000, 5_000, 1_000].map((bytes) => Buffer.from(buildMail(bytes)).toString('base64'));
  const response = await callMailOk(app, 'import_messages', {
    account_id: ann.id,
    folder_id: ann.folders.archive,
    messages,
  });
  expect(response).toMatchObject({
    ok: true,
    imported: 2,
    duplicates: 0,
    failed: [{ index: 1, error: 'The mailbox is full.' }],
  });
  expect(await findMiscounts(app)).toEqual([]);
  const unusedRows = await app.runtime.db.rows(
    sql`select c.id from svc_mail_message c where c.workspace_id = ${app.main.ctx.workspace.id}
     and not exists (select 1 from svc_mail_entry e
       where e.workspace_id = ${app.main.ctx.workspace.id} and e.content_id = c.id)`,
  );
  expect(unusedRows).toEqual([]);
});

test('rejects a message by its declared size before its data is sent', async () => {
  await setFreeBytes(ann, 100);
  const sent = sendOverSmtp(facade.port, {
    envelope: { from: 'x@example.org', to: [ann.address], size: 4_000 },
    raw: buildMail(4_000),
  });
  await expect(sent).rejects.toMatchObject({ command: 'RCPT TO', responseCode: 452 });
});
