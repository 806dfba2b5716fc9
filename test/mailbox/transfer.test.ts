import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { MAX_BLOCK_MS, measureBestRun } from '../harness/cpu.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { callMail, callMailOk, loadMailbox, type Mailbox, setMailFeature } from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';
import { findMiscounts } from './recount.ts';

const app = setUpApp();
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await loadMailbox(app.main.ctx, app.main.user.id);
});

const toBase64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const buildMail = (id: string, body = 'x') =>
  `From: a@example.org\r\nMessage-ID: <${id}@x>\r\nDate: Wed, 4 Mar 2026 10:00:00 +0000\r\nSubject: ${id}\r\n\r\n${body}\r\n`;

const importMails = (messages: string[], folder = mailbox.folders.archive) =>
  callMail(app, 'import_messages', {
    account_id: mailbox.id,
    folder_id: folder,
    messages,
  });

test('imports messages as read, skips duplicates in the mailbox, and reports invalid messages', async () => {
  const first = (
    await importMails([
      toBase64(buildMail('i1')),
      toBase64(buildMail('i2')),
      toBase64(buildMail('i1')),
      '%%%',
      '',
    ])
  ).body;
  expect(first).toMatchObject({
    ok: true,
    imported: 2,
    duplicates: 1,
    failed: [
      { index: 3, error: 'It is not base64.' },
      { index: 4, error: 'It is empty.' },
    ],
  });
  const repeated = (await importMails([toBase64(buildMail('i2', 'another body'))], mailbox.folders.inbox))
    .body;
  expect(repeated).toMatchObject({ ok: true, imported: 0, duplicates: 1 });
  const list = await callMailOk(app, 'get_entries', { folder_id: mailbox.folders.archive });
  expect(list.entries.map((item: { is_read: boolean; date: string }) => [item.is_read, item.date])).toEqual([
    [true, '2026-03-04T10:00:00Z'],
    [true, '2026-03-04T10:00:00Z'],
  ]);
  expect(await findMiscounts(app)).toEqual([]);
});

const received = 'Received: from a by b; Thu, 5 Feb 2026 08:00:00 +0100';
const receivedEarlier = 'Received: from c by a; Mon, 2 Feb 2026 08:00:00 +0000';

test.each([
  ['no Date field', [received, receivedEarlier]],
  ['an invalid Date field', [received, 'Date: yesterday', receivedEarlier]],
  ['a Date field in the future', ['Date: Tue, 9 May 2090 16:54:30 +0200', received]],
  ['an invalid first Received field', ['Received: from x by y', received, receivedEarlier]],
])('dates an imported message with %s by its topmost valid Received field', async (title, fields) => {
  const raw = [...fields, 'From: a@example.org', `Subject: ${title}`, '', 'x', ''].join('\r\n');
  expect((await importMails([toBase64(raw)], mailbox.folders.inbox)).body).toMatchObject({ imported: 1 });
  const { entries } = await callMailOk(app, 'get_entries', { folder_id: mailbox.folders.inbox });
  expect(entries.find(({ subject }: { subject: string }) => subject === title).date).toBe(
    '2026-02-05T07:00:00Z',
  );
});

test('files each message once if it is imported several times concurrently', async () => {
  const messages = ['p1', 'p2', 'p3', 'p4'].map((id) => toBase64(buildMail(id)));
  const answers = await Promise.all(Array.from({ length: 6 }, () => importMails(messages)));
  const counts = answers.map((answer) => answer.body.imported as number);
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(4);
  expect(await findMiscounts(app)).toEqual([]);
});

test('parses many messages in one call without blocking the event loop', async () => {
  const text = Array.from({ length: 5_000 }, (_, i) => `w${i}`)
    .join(' ')
    .slice(0, 30_000);
  let runs = 0;
  const importNewMails = async () => {
    runs++;
    const messages = Array.from({ length: 33 }, (_, i) => toBase64(buildMail(`turn-${runs}-${i}`, text)));
    expect((await importMails(messages)).body).toMatchObject({ imported: 33 });
  };
  expect(await measureBestRun(importNewMails)).toBeLessThan(MAX_BLOCK_MS);
});

test('rejects 51 messages in one call', async () => {
  const messages = Array.from({ length: 51 }, (_, i) => toBase64(buildMail(`m${i}`)));
  expect((await importMails(messages)).body).toEqual({
    ok: false,
    error: expect.stringMatching(/at most 50 messages/),
  });
});

test('rejects messages above the total limit', async () => {
  const { importBytes } = limits.mail;
  expect(importBytes).toBe(40 * 1024 * 1024);
  Object.assign(limits.mail, { importBytes: 1024 * 1024 });
  onTestFinished(() => void Object.assign(limits.mail, { importBytes }));
  const half = toBase64(Buffer.alloc(600_000, 'x'));
  expect((await importMails([half, half])).body).toEqual({
    ok: false,
    error: expect.stringMatching(/at most 1 MB in total/),
  });
});

test('reports a message over 25 MB as failed and imports the others', { tags: 'slow' }, async () => {
  const response = (
    await importMails([toBase64(Buffer.alloc(26e6 + 300_000, 'x')), toBase64(buildMail('beside'))])
  ).body;
  expect(response).toMatchObject({ imported: 1, failed: [{ index: 0, error: 'It is larger than 25 MB.' }] });
});

test("rejects imports into another user's folder or into Drafts, and by users excluded by import_who", async () => {
  const { admin, user } = app.main;
  const otherMailbox = await loadMailbox(app.main.ctx, admin.id);
  expect((await importMails([toBase64(buildMail('o'))], otherMailbox.folders.inbox)).status).toBe(403);
  expect((await importMails([toBase64(buildMail('o'))], mailbox.folders.drafts)).body).toEqual({
    ok: false,
    error: 'Messages cannot be imported into Drafts.',
  });
  const { id } = app.main.ctx.workspace;
  await app.runtime.db.rows(
    sql`insert into svc_mail_policy (workspace_id, key, value) values (${id}, 'import_who', 'administrators')`,
  );
  expect((await importMails([toBase64(buildMail('o'))])).body).toEqual({
    ok: false,
    error: expect.stringContaining('import_who'),
  });
  await app.runtime.db.rows(sql`delete from svc_mail_policy where workspace_id = ${id}`);
  expect(user.id).not.toBe(admin.id);
});

test('downloads a folder as an mbox file that Python reads unchanged, and only with a session', async () => {
  const mailbox = await loadMailbox(app.main.ctx, app.main.admin.id);
  const bodies = ['plain', 'From the start\r\n>From quoted\r\n.\r\n..dots', 'ünï\r\n\r\n\r\nlines', ''];
  for (const [i, body] of bodies.entries())
    await fileRaw(app.main, mailbox, Buffer.from(buildMail(`e${i}`, body)), {
      folderId: mailbox.folders.archive,
    });
  const { admin, user } = app.main;
  const path = `${app.url}/svc_mail/export/${mailbox.folders.archive}`;
  const cookie = await signInWeb(app, admin);
  const response = await fetch(path, { headers: { cookie } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-disposition')).toBe('attachment; filename=Archive.mbox');
  const dir = mkdtempSync(join(tmpdir(), 'atrium-mbox-'));
  const file = join(dir, 'x.mbox');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const script = `import mailbox,sys,json,re
print(json.dumps([re.sub(rb'(?m)^>(>*From )', rb'\\1', m.as_bytes()).decode() for m in mailbox.mbox(sys.argv[1])]))`;
  const python = spawnSync('python3', ['-c', script, file], { encoding: 'utf8' });
  rmSync(dir, { recursive: true });
  expect(python.stderr).toBe('');
  const expected = bodies.map((body, i) => buildMail(`e${i}`, body).replaceAll('\r\n', '\n'));
  expect(JSON.parse(python.stdout)).toEqual(expected);
  const readStatus = async (headers: Record<string, string>, url = path) =>
    (await fetch(url, { headers })).status;
  expect(await readStatus({ authorization: `Bearer ${admin.key}` })).toBe(404);
  expect(await readStatus({ cookie: await signInWeb(app, user) })).toBe(404);
  const rest = await fetch(`${path}?offset=3`, { headers: { cookie } });
  expect(rest.headers.get('x-message-count')).toBe('1');
  await setMailFeature(app, 'mail.import_export', false);
  expect(await readStatus({ cookie })).toBe(404);
  expect((await importMails([toBase64(buildMail('off'))])).body.error).toMatch(/mail\.import_export/);
  await setMailFeature(app, 'mail.import_export', true);
});

test('export_info counts the messages of each folder', async () => {
  const info = await callMailOk(app, 'export_info', { account_id: mailbox.id });
  const archive = info.folders.find((folder: { role: string }) => folder.role === 'archive');
  expect(archive).toMatchObject({ folder_id: mailbox.folders.archive, name: 'Archive', requests: 1 });
  expect(archive.count).toBeGreaterThan(5);
  expect(info.messages_per_request).toBe(3000);
});
