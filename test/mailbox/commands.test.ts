import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { runCli, runCliJson } from '../harness/cli.ts';
import { callMailOk, setUpMailbox } from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';
import { findMiscounts } from './recount.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atrium mail '));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const to = () => ['--workspace', app.main.slug, '--mailbox', mailbox.address];
const runCommand = <T>(...args: string[]) => runCliJson<T>(app.env, 'mailbox', ...args);

const buildMail = (id: string, body: string): string =>
  `From: a@example.org\nTo: b@example.org\nMessage-ID: <${id}@x>\nSubject: ${id}\n\n${body}\n`;

const MBOX = ['m1', 'm2', 'm3', 'm2']
  .map((id, index) => {
    const quoted = buildMail(id, `From the start\n>From quoted\nText of ${id}`).replace(
      /^(>*From )/gm,
      '>$1',
    );
    return `From a@example.org Wed Mar  4 10:00:0${index} 2026\n${quoted.replace(/^>From: /gm, 'From: ')}\n`;
  })
  .join('');

const listEntries = async (folderId: number) =>
  (await callMailOk(app, 'get_entries', { folder_id: folderId })).entries as {
    subject: string;
    date: string;
    is_read: boolean;
  }[];

test.each([
  ['notes.txt', 'Buy milk\nFrom a@example.org Wed Mar  4 10:00:00 2026\n', 'its first line'],
  ['from.mbox', 'From here on, all is text.\n', 'its first line'],
  ['one.txt', buildMail('single', 'x'), 'To import a single message, rename the file to .eml.'],
  ['notes.eml', '# Heading\n\nText\n', 'its first line'],
])('rejects %s, which is not an mbox file, and writes nothing', async (name, text, reason) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  const { code, stdout, stderr } = await runCli(
    app.env,
    'mailbox',
    'import',
    file,
    ...to(),
    '--folder',
    'Never',
  );
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`${name} is not an mbox file: `);
  expect(stderr).toContain(reason);
  const folders = await app.runtime.db.rows(
    sql`select 1 from svc_mail_folder where workspace_id = ${app.main.ctx.workspace.id} and name = 'Never'`,
  );
  expect(folders).toEqual([]);
});

test.each([
  ['one.eml', buildMail('eml', 'x')],
  ['marked.eml', `\ufeff\n${buildMail('bom', 'x')}`],
  ['marked.mbox', `\ufeff\r\n\nFrom a@example.org Wed Mar  4 10:00:00 2026\n${buildMail('mark', 'x')}`],
])('imports a single message from %s', async (name, text) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  expect(await runCommand('import', file, ...to(), '--folder', 'Single')).toMatchObject({
    imported: 1,
    next: 1,
  });
  const singleId = await app.runtime.db.value<number>(
    sql`select id from svc_mail_folder where workspace_id = ${app.main.ctx.workspace.id} and name = 'Single'`,
  );
  const subject = /Subject: (.*)/.exec(text)![1];
  expect((await listEntries(singleId)).map((entry) => entry.subject)).toContain(subject);
});

test('skips messages that were already imported, and exports the file unchanged', async () => {
  const file = join(folder, 'in.mbox');
  writeFileSync(file, MBOX);
  expect(await runCommand('import', file, ...to(), '--folder', 'Old')).toEqual({
    imported: 3,
    duplicates: 1,
    tooLarge: 0,
    next: 4,
  });
  expect(await runCommand('import', file, ...to(), '--skip', '1')).toEqual({
    imported: 0,
    duplicates: 3,
    tooLarge: 0,
    next: 4,
  });
  const oldId = await app.runtime.db.value<number>(
    sql`select id from svc_mail_folder where workspace_id = ${app.main.ctx.workspace.id} and name = 'Old'`,
  );
  expect((await listEntries(oldId)).map(({ subject, date, is_read }) => [subject, date, is_read])).toEqual([
    ['m3', '2026-03-04T10:00:02Z', true],
    ['m2', '2026-03-04T10:00:01Z', true],
    ['m1', '2026-03-04T10:00:00Z', true],
  ]);
  const out = join(folder, 'out.mbox');
  expect(await runCommand('export', out, ...to(), '--folder', 'old')).toEqual({ file: out, messages: 3 });
  const first3 = MBOX.split(/(?=^From a@)/m).slice(0, 3);
  expect(readFileSync(out, 'utf8')).toBe(first3.join(''));
  expect(await findMiscounts(app)).toEqual([]);
}, 120_000);

test.each([
  [['import', 'absent.mbox'], /Cannot read the file absent\.mbox/],
  [['import', 'README.md', '--skip', 'two'], /--skip: must be a whole number/],
  [['export', 'README.md'], /README\.md already exists/],
  [['export', 'never.mbox', '--folder', 'Nowhere'], /Folder Nowhere/],
])('rejects the mailbox command %j', async (args, reason) => {
  const { code, stderr } = await runCli(app.env, 'mailbox', ...args, ...to());
  expect(code).toBe(1);
  expect(stderr).toMatch(reason);
});

test('reparses messages that were unreadable or were parsed by an earlier version', async () => {
  const workspace = app.main.ctx.workspace.id;
  const ids = [
    await fileRaw(app.main, mailbox, buildMail('r1', 'hippopotamus')),
    await fileRaw(app.main, mailbox, buildMail('r2', 'rhinoceros')),
  ];
  await app.runtime.db.rows(
    sql`update svc_mail_message c set subject = 'lost', text = '', state = 'placeholder' from svc_mail_entry e
     where c.workspace_id = ${workspace} and e.workspace_id = ${workspace} and e.content_id = c.id and e.id = ${ids[0]!}`,
  );
  await app.runtime.db.rows(
    sql`update svc_mail_search set words = '' where workspace_id = ${workspace} and entry_id = ${ids[0]!}`,
  );
  const searchEntries = async () =>
    (
      await callMailOk(app, 'get_entries', {
        folder_id: mailbox.folders.inbox,
        search: 'hippopotamus',
      })
    ).count;
  expect(await searchEntries()).toBe(0);
  expect(await runCommand('reparse', '--workspace', app.main.slug)).toMatchObject({
    messages: 1,
    unreadable: 0,
  });
  expect(await searchEntries()).toBe(1);
  expect((await listEntries(mailbox.folders.inbox)).map(({ subject }) => subject)).toEqual(['r2', 'r1']);
  const all = await runCommand<{ messages: number; last: number }>(
    'reparse',
    '--workspace',
    app.main.slug,
    '--all',
  );
  expect(all.messages).toBeGreaterThan(2);
  const rest = await runCommand(
    'reparse',
    '--workspace',
    app.main.slug,
    '--all',
    '--after',
    String(all.last),
  );
  expect(rest).toMatchObject({ messages: 0 });
  expect(await findMiscounts(app)).toEqual([]);
}, 120_000);
