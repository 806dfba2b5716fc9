import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { startMailExchange } from '../../facades/smtp/mx/facade.ts';
import { createMailIntake } from '../../schema/mailbox/intake/mail-intake.ts';
import { readWholeBlob } from '../../src/db/blobs/read.ts';
import { sql } from '../../src/db/sql.ts';
import { allocateId } from '../../src/engine/ctx/allocate-ids.ts';
import { errors } from '../../src/errors.ts';
import { setUpApp } from '../harness/app.ts';
import { setUp } from '../harness/set-up.ts';
import { trySendOverSmtp } from '../harness/smtp.ts';
import { until } from '../harness/wait.ts';
import { findEntries, openExchange, waitUntilFiled } from './exchange.ts';
import { callMailOk, setUpMailbox } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const app = setUpApp({ DNS_SERVERS: '127.0.0.1:9' });
const ann = setUpMailbox(app);
const bob = setUpMailbox(app, 'admin');
const facade = setUp(() => openExchange(app));

beforeAll(() => app.fileMail());

const getWorkspaceId = () => app.main.ctx.workspace.id;

/** Sends a message as another mail server and returns the SMTP reply. */
const deliverMail = (
  to: string[],
  raw: string,
  from = 'sender@example.org',
  port = facade.port,
): Promise<string> => trySendOverSmtp(port, { envelope: { from, to }, raw }, { requireTLS: true });

const randomId = () => randomBytes(8).toString('hex');

const buildMessage = (subject: string, extra = '', messageId = randomId()): string =>
  `From: Sender <sender@example.org>\r\nTo: ${ann.address}\r\nSubject: ${subject}\r\n` +
  `Message-ID: <${messageId}@example.org>\r\n${extra}\r\nText of ${subject}.\r\n`;

test('files a message in the Inbox of each recipient, with unchanged bytes', async () => {
  const raw = buildMessage('Both', 'X-Odd:   spaces   \r\n');
  expect(await deliverMail([ann.address, bob.address], raw)).toMatch(/^250 2\.0\.0 Ok: /);
  await waitUntilFiled(app);
  for (const box of [ann, bob])
    expect(await findEntries(app, box, 'Both')).toMatchObject([{ folder_id: box.folders.inbox }]);
  const [first] = await findEntries(app, ann, 'Both');
  const storedBytes = (await readWholeBlob(app.main.ctx, first!.raw_hash)).toString('latin1');
  expect(storedBytes.endsWith(raw)).toBe(true);
  expect(storedBytes).toMatch(
    /^Return-Path: <sender@example\.org>\r\nReceived: from \S+ \(\[127\.0\.0\.1\]\)\r\n\tby \S+ with ESMTPS id \S+;\r\n/,
  );
  expect(await findMiscounts(app)).toEqual([]);
});

test('records temperror for a sender whose DNS lookup fails', async () => {
  const [first] = await findEntries(app, ann, 'Both');
  expect(first!.verdicts).toMatchObject({ spf: null, dmarc: 'temperror' });
});

test('delivers mail for plus addresses and catch-alls, and rejects mail for unknown addresses', async () => {
  const [local, domain] = ann.address.split('@') as [string, string];
  expect(await deliverMail([`${local}+lists@${domain}`.toUpperCase()], buildMessage('Plus'))).toMatch(/^250/);
  expect(await deliverMail([`unknown@${domain}`], buildMessage('Nobody'))).toMatch(/^550 5\.1\.1/);
  expect(await deliverMail(['someone@example.org'], buildMessage('Relay'))).toMatch(/^550 5\.1\.1/);
  await app.runtime.db.rows(
    sql`insert into svc_mail_address (workspace_id, id, account_id, address, kind)
     values (${getWorkspaceId()}, ${await allocateId(app.main.ctx, 'svc_mail_address')}, ${bob.id}, ${`@${domain}`}, 'catch_all')`,
  );
  expect(await deliverMail([`unknown@${domain}`], buildMessage('Rest'))).toMatch(/^250/);
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'Plus')).toHaveLength(1);
  expect(await findEntries(app, bob, 'Rest')).toHaveLength(1);
  await app.runtime.db.rows(
    sql`delete from svc_mail_address where workspace_id = ${getWorkspaceId()} and kind = 'catch_all'`,
  );
});

test('files a redelivered message once, and a different message with the same id separately', async () => {
  const mailId = randomId();
  for (const reply of await Promise.all(
    [1, 2, 3].map(() => deliverMail([ann.address], buildMessage('Again', '', mailId))),
  ))
    expect(reply).toMatch(/^250/);
  expect(await deliverMail([ann.address], buildMessage('Forged', '', mailId))).toMatch(/^250/);
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'Again')).toHaveLength(1);
  expect(await findEntries(app, ann, 'Forged')).toHaveLength(1);
  const states = await app.runtime.db.rows<{ state: string; n: number }>(
    sql`select state, count(*)::int as n from svc_mail_delivery where workspace_id = ${getWorkspaceId()} group by 1 order by 1`,
  );
  expect(states[0]).toEqual({ state: 'duplicate', n: 2 });
});

test('a full mailbox accepts no more messages', async () => {
  await app.runtime.db.rows(
    sql`update svc_mail_account set quota = 10 where workspace_id = ${getWorkspaceId()} and id = ${ann.id}`,
  );
  expect(await deliverMail([ann.address], buildMessage('Full'))).toMatch(/^452 4\.2\.2/);
  await app.runtime.db.rows(
    sql`update svc_mail_account set quota = null where workspace_id = ${getWorkspaceId()} and id = ${ann.id}`,
  );
});

test('applies rules to incoming messages, and files them in Inbox if the target folder was deleted', async () => {
  const { folder_id: folder } = await callMailOk(app, 'create_folder', { account_id: ann.id, name: 'Bills' });
  const saved = await callMailOk(app, 'rule_save', {
    account_id: ann.id,
    rule: {
      name: 'Bills',
      conditions: [{ field: 'subject', operator: 'contains', value: 'invoice' }],
      actions: [{ action: 'move_to_folder', folder_id: folder }, { action: 'mark_read' }],
    },
  });
  expect(saved).toEqual({ ok: true, rule_id: expect.any(Number) });
  await deliverMail([ann.address], buildMessage('Invoice 1'));
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'Invoice 1')).toMatchObject([{ folder_id: folder }]);
  await callMailOk(app, 'delete_folder', { folder_id: folder });
  await deliverMail([ann.address], buildMessage('Invoice 2'));
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'Invoice 2')).toMatchObject([{ folder_id: ann.folders.inbox }]);
  expect(await findMiscounts(app)).toEqual([]);
});

async function loadOutcomes(subject: string): Promise<string[]> {
  const entries = await app.runtime.db.rows<{ id: number; account_id: number }>(
    sql`select e.id, e.account_id from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${getWorkspaceId()} and c.id = e.content_id
     where e.workspace_id = ${getWorkspaceId()} and c.subject = ${subject} and e.source <> 'sent' order by e.id`,
  );
  const outcomes: string[] = [];
  for (const { id, account_id: account } of entries) {
    const key = account === ann.id ? app.main.user.key : app.main.admin.key;
    outcomes.push((await callMailOk(app, 'get_entry_detail', { entry_id: id }, key)).auto_reply);
  }
  return outcomes;
}

test('sends a person at most one auto-reply in seven days, and never replies to another auto-reply', async () => {
  for (const box of [ann, bob])
    await callMailOk(
      app,
      'autoreply_save',
      { account_id: box.id, data: { active: true, subject: 'Away', body: 'Back on Monday.' } },
      box === ann ? app.main.user.key : app.main.admin.key,
    );
  await deliverMail([ann.address], buildMessage('Question'), bob.address);
  await deliverMail([ann.address], buildMessage('Question'), bob.address);
  await waitUntilFiled(app);
  const loadReplies = () =>
    app.runtime.db.rows<{ to: string[]; headers: object; mailbox_id: number }>(
      sql`select "to", headers, mailbox_id from svc_email where workspace_id = ${getWorkspaceId()} and subject = 'Away'`,
    );
  expect(await loadReplies()).toEqual([
    {
      to: [bob.address],
      headers: expect.objectContaining({ 'Auto-Submitted': 'auto-replied (vacation)' }),
      mailbox_id: ann.id,
    },
  ]);
  const delivery = await app.deliver();
  await until(async () => (await findEntries(app, bob, 'Away')).length === 1, 'the answer arrives');
  await waitUntilFiled(app);
  expect(await loadReplies()).toHaveLength(1);
  const moveReplyBack = async (days: number) => {
    await app.runtime.db.rows(
      sql`update svc_mail_autoreply_sent set at = at - make_interval(days => ${days}), week = week - 1
       where workspace_id = ${getWorkspaceId()}`,
    );
    await deliverMail([ann.address], buildMessage('Question'), bob.address);
    await waitUntilFiled(app);
    return (await loadReplies()).length;
  };
  expect(await moveReplyBack(6)).toBe(1);
  expect(await moveReplyBack(2)).toBe(2);
  await delivery.stop();
  expect(await loadOutcomes('Question')).toEqual(['sent', 'recent', 'recent', 'sent']);
  expect(await loadOutcomes('Away')).toEqual(expect.arrayContaining(['automatic']));
  await deliverMail([ann.address], buildMessage('News', 'List-Id: <news.example.org>\r\n'), bob.address);
  await waitUntilFiled(app);
  expect(await loadOutcomes('News')).toEqual(['list']);
  await app.runtime.db.rows(sql`delete from svc_mail_autoreply where workspace_id = ${getWorkspaceId()}`);
});

test('LMTP returns a response for each recipient', async () => {
  const socket = connect(facade.lmtpPort, '127.0.0.1');
  let output = '';
  socket.on('data', (data) => {
    output += data;
  });
  const say = async (line: string, end: RegExp) => {
    socket.write(`${line}\r\n`);
    await until(() => end.test(output), line);
  };
  await until(() => /^220 /m.test(output), 'it greets');
  await say('LHLO relay.test', /^250 \S/m);
  await say('MAIL FROM:<>', /^250 Accepted/m);
  await say(`RCPT TO:<${ann.address}>`, /(?:^250 Accepted[\s\S]*){2}/m);
  await say('RCPT TO:<none@main.test>', /^550 5\.1\.1/m);
  await say(`RCPT TO:<${bob.address}>`, /(?:^250 Accepted[\s\S]*){3}/m);
  await say('DATA', /^354/m);
  await say(`${buildMessage('By LMTP')}.`, /(?:^250 2\.0\.0 Ok[^\n]*\n){2}/m);
  socket.end('QUIT\r\n');
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'By LMTP')).toHaveLength(1);
  expect(await findEntries(app, bob, 'By LMTP')).toHaveLength(1);
});

test('rejects an oversized message and continues the session', { tags: 'slow' }, async () => {
  const large = `${buildMessage('Large')}${'x'.repeat(70)}\r\n`.padEnd(
    41 * 1024 * 1024,
    `${'y'.repeat(70)}\r\n`,
  );
  expect(await deliverMail([ann.address], large)).toMatch(/^552/);
  expect(await findEntries(app, ann, 'Large')).toEqual([]);
});

test('releases the memory budget of messages that could not be stored', {
  tags: 'slow',
}, async () => {
  const intake = createMailIntake(app.runtime);
  const failingServer = await startMailExchange(
    app.runtime,
    {
      find: intake.find,
      async take({ raw }) {
        const chunks = raw[Symbol.asyncIterator]();
        for (let size = 0; size < 30 * 1024 * 1024; ) size += (await chunks.next()).value.length;
        throw errors.busy('The store cannot be reached.');
      },
    },
    { port: 0 },
  );
  const large = `${buildMessage('Unkept')}`.padEnd(32 * 1024 * 1024, `${'y'.repeat(70)}\r\n`);
  const replies: string[] = [];
  for (let i = 0; i < 3; i++)
    replies.push(await deliverMail([ann.address], large, undefined, failingServer.port));
  await failingServer.close();
  expect(replies).toEqual(Array(3).fill(expect.stringMatching(/^451 /)));
});

test('files a message into one mailbox while another one is flooded', async () => {
  const count = 60;
  await Promise.all(
    Array.from({ length: 6 }, async (_, lane) => {
      for (let i = lane; i < count; i += 6) await deliverMail([ann.address], buildMessage(`Flood ${i}`));
    }),
  );
  await deliverMail([bob.address], buildMessage('Between'));
  await until(async () => (await findEntries(app, bob, 'Between')).length === 1, 'it is filed');
  await waitUntilFiled(app);
  const all = await app.runtime.db.rows(
    sql`select 1 from svc_mail_message where workspace_id = ${getWorkspaceId()} and subject like 'Flood %'`,
  );
  expect(all).toHaveLength(count);
  expect(await findMiscounts(app)).toEqual([]);
});
