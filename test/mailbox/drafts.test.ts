import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { readWholeBlob } from '../../src/db/blobs/read.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import {
  callMail,
  callMailOk,
  createSharedMailbox,
  fileMessage,
  type Mailbox,
  queryGraphql,
  setUpMailbox,
} from './mailboxes.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
const otherMailbox = setUpMailbox(app, 'admin');
let sharedMailbox: Mailbox;

beforeAll(async () => {
  const { ctx, user, admin } = app.main;
  sharedMailbox = await createSharedMailbox(ctx, [user.id, admin.id]);
});

const save = (vals: object, draft_id?: number, account_id = mailbox.id) =>
  callMailOk(app, 'draft_save', { account_id, vals, ...(draft_id && { draft_id }) });
const get = (draft_id: number) => callMailOk(app, 'draft_get', { draft_id });

test('draft_save retains omitted values and clears empty ones', async () => {
  const entry = (await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox)).id;
  const values = {
    to: 'a@example.org',
    cc: 'b@example.org',
    bcc: 'c@example.org',
    subject: 'Subject',
    body: 'Some text',
    mode: 'reply',
    in_reply_to: entry,
    from_account_id: sharedMailbox.id,
  };
  const saved = await save(values);
  expect(saved).toEqual({ ok: true, draft_id: expect.any(Number) });
  const id = saved.draft_id;
  expect(await get(id)).toMatchObject({ draft_id: id, account_id: mailbox.id, ...values });
  expect(await save({ subject: 'Another' }, id)).toEqual({ ok: true, draft_id: id });
  expect(await get(id)).toMatchObject({ ...values, subject: 'Another' });
  await save({ to: '', subject: '', body: '', in_reply_to: '', from_account_id: false }, id);
  expect(await get(id)).toMatchObject({
    ...values,
    to: '',
    subject: '',
    body: '',
    in_reply_to: null,
    from_account_id: null,
  });
});

test('rejects overwriting a draft that has changed since the specified version', async () => {
  const { draft_id: id } = await save({ subject: 'One' });
  expect((await get(id)).version).toBe(1);
  const SAVE = `mutation ($account: ID!, $id: ID!, $subject: String!, $version: Int!) {
    mailDraftSave(accountId: $account, draftId: $id, vals: { subject: $subject }, expectedVersion: $version) { ok }
  }`;
  const saveAs = async (subject: string, version: number) => {
    const { data, errors } = await queryGraphql(app, SAVE, { account: mailbox.id, id, subject, version });
    return data?.mailDraftSave ?? errors[0].extensions;
  };
  expect(await saveAs('Two', 1)).toEqual({ ok: true });
  expect(await saveAs('Lost', 1)).toMatchObject({ code: 'STALE', status: 409, argument: 'expectedVersion' });
  expect(await get(id)).toMatchObject({ subject: 'Two', version: 2 });
  const races = await Promise.all(['a', 'b', 'c'].map((subject) => saveAs(subject, 2)));
  expect(races.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await save({ subject: 'Whatever' }, id)).toEqual({ ok: true, draft_id: id });
  const drafts = await queryGraphql(
    app,
    `{ mailDraftRead(draftId: ${id}) { version } mailDraft(id: ${id}) { version } }`,
  );
  expect(drafts.data).toEqual({ mailDraftRead: { version: 4 }, mailDraft: { version: 4 } });
});

test('draft_save sanitizes markup, and rejects overly long values and unknown modes', async () => {
  const { draft_id: id } = await save({ body: '<p onclick="x()">Hi<script>alert(1)</script></p>' });
  expect((await get(id)).body).toBe('<p>Hi</p>');
  for (const vals of [
    { subject: 'x'.repeat(999) },
    { body: 'x'.repeat(524_289) },
    { mode: 'telegram' },
    { to: 'x'.repeat(40_001) },
  ])
    expect(await save(vals, id)).toMatchObject({ ok: false });
  expect(await save({ subject: 'x'.repeat(998), body: 'x'.repeat(524_288) }, id)).toMatchObject({ ok: true });
});

test('a draft is private to its user, even in a shared mailbox', async () => {
  const { draft_id: id } = await save({ subject: 'Secret plan' }, undefined, sharedMailbox.id);
  const { key } = app.main.admin;
  const other = await callMailOk(
    app,
    'draft_save',
    { account_id: sharedMailbox.id, vals: { subject: 'x' } },
    key,
  );
  for (const [method, args] of [
    ['draft_get', {}],
    ['draft_delete', {}],
    ['draft_save', { account_id: sharedMailbox.id, vals: { subject: 'Mine now' } }],
  ] as const) {
    const result = await callMail(app, method, { ...args, draft_id: id }, key);
    const none = await callMail(app, method, { ...args, draft_id: 999_999 }, key);
    expect([result.status, none.status], method).toEqual([403, 403]);
    expect(result.body.message).toBe(none.body.message);
  }
  const listed = await callMailOk(app, 'draft_list', { account_id: sharedMailbox.id }, key);
  expect(listed.drafts.map((draft: { draft_id: number }) => draft.draft_id)).toEqual([other.draft_id]);
  expect(await get(id)).toMatchObject({ subject: 'Secret plan' });
});

test('a draft can refer only to messages and mailboxes that its user can access', async () => {
  const foreign = (await fileMessage(app.main.ctx, otherMailbox.id, otherMailbox.folders.inbox)).id;
  for (const vals of [{ in_reply_to: foreign }, { from_account_id: otherMailbox.id }])
    expect((await callMail(app, 'draft_save', { account_id: mailbox.id, vals })).status).toBe(403);
  expect((await callMail(app, 'draft_save', { account_id: otherMailbox.id, vals: {} })).status).toBe(403);
});

test('lists drafts, finds them by search, shows them in the Drafts folder and deletes them', async () => {
  const box = await createSharedMailbox(app.main.ctx, [app.main.user.id]);
  const ids: number[] = [];
  for (const subject of ['Budget review', 'Holiday', 'Budget of next year'])
    ids.push(
      (await save({ subject, to: 'ann@example.org', body: '<p>Hello</p>' }, undefined, box.id)).draft_id,
    );
  const list = async (search = '') =>
    (await callMailOk(app, 'draft_list', { account_id: box.id, search })).drafts.map(
      (draft: { draft_id: number }) => draft.draft_id,
    );
  expect(await list()).toEqual([ids[2], ids[1], ids[0]]);
  expect(await list('budget REVIEW')).toEqual([ids[0]]);
  expect(await list("'; drop table")).toEqual([]);
  const page = await callMailOk(app, 'get_entries', { folder_id: box.folders.drafts, limit: 2 });
  expect(page.count).toBe(3);
  expect(page.entries).toMatchObject([
    { draft_id: ids[2], subject: 'Budget of next year', to: 'ann@example.org', snippet: 'Hello' },
    { draft_id: ids[1] },
  ]);
  expect(page.entries[0].entry_id).toBeUndefined();
  const state = await callMailOk(app, 'get_mailbox_state');
  const folder = state.folders.find((folder: { id: number }) => folder.id === box.folders.drafts);
  expect(folder).toMatchObject({ type: 'drafts', unread: 3 });
  expect(await callMailOk(app, 'draft_delete', { draft_id: ids[0] })).toEqual({ ok: true });
  expect((await callMail(app, 'draft_delete', { draft_id: ids[0] })).status).toBe(403);
  const { data } = await queryGraphql(
    app,
    `query ($box: ID!, $folder: ID!, $id: ID!) {
      mailDraftList(accountId: $box, search: "holiday") { count drafts { draftId subject inReplyTo } }
      mailDraftRead(draftId: $id) { to mode writeDate }
      mailEntries(folderId: $folder) { count entries { draftId entryId threadId subject } }
    }`,
    { box: box.id, folder: box.folders.drafts, id: ids[1] },
  );
  expect(data).toMatchObject({
    mailDraftList: { count: 1, drafts: [{ draftId: String(ids[1]), subject: 'Holiday', inReplyTo: null }] },
    mailDraftRead: { to: 'ann@example.org', mode: 'new' },
    mailEntries: { count: 2, entries: [{ draftId: String(ids[2]), entryId: null, threadId: null }, {}] },
  });
});

const attach = (filename: string, content: Buffer, account_id = mailbox.id) =>
  callMailOk(app, 'compose_attach', { account_id, filename, data_b64: content.toString('base64') });
const loadStagedHash = async (id: number): Promise<string | undefined> =>
  (
    await app.main.ctx.db.rows<{ hash: string }>(
      sql`select hash from svc_mail_staged where workspace_id = ${app.main.ctx.workspace.id} and id = ${id}`,
    )
  )[0]?.hash;

test('compose_attach stages a file of up to 25 MB unchanged', { tags: 'slow' }, async () => {
  const content = randomBytes(25 * 1024 * 1024);
  const response = await attach('C:\\files\\..\\report\u202e.pdf', content);
  expect(response).toEqual({
    ok: true,
    attachment_id: expect.any(Number),
    name: 'report.pdf',
    mimetype: 'application/pdf',
    size: content.length,
  });
  const storedBytes = await readWholeBlob(app.main.ctx, (await loadStagedHash(response.attachment_id))!);
  expect(storedBytes.equals(content)).toBe(true);
  expect(await attach('large.bin', Buffer.concat([content, Buffer.from('x')]))).toEqual({
    ok: false,
    error: 'An attachment may be at most 25 MB.',
  });
});

test('compose_attach rejects invalid base64 and file names, and only the uploader can discard a file', async () => {
  const stage = (filename: string, data_b64: string) =>
    callMailOk(app, 'compose_attach', { account_id: mailbox.id, filename, data_b64 });
  expect(await stage('a.txt', 'not base64!')).toEqual({ ok: false, error: 'data_b64: must be base64.' });
  expect(await stage('../', 'YQ==')).toMatchObject({ ok: false });
  expect(
    (await callMail(app, 'compose_attach', { account_id: otherMailbox.id, filename: 'a', data_b64: 'YQ==' }))
      .status,
  ).toBe(403);
  const { attachment_id: id } = await attach('a.txt', Buffer.from('a'), sharedMailbox.id);
  const discard = (key: string) => callMail(app, 'compose_attach_discard', { attachment_id: id }, key);
  expect((await discard(app.main.admin.key)).status).toBe(403);
  expect((await discard(app.main.user.key)).body).toEqual({ ok: true });
  expect(await loadStagedHash(id)).toBeUndefined();
});

test('staged files are deleted after a day', async () => {
  const { attachment_id: old } = await attach('old.txt', Buffer.from('old'));
  const { attachment_id: young } = await attach('young.txt', Buffer.from('young'));
  await app.main.ctx.db.rows(
    sql`update svc_mail_staged set create_date = now() - interval '25 hours'
     where workspace_id = ${app.main.ctx.workspace.id} and id = ${old}`,
  );
  const job = (await import('../../src/engine/work/jobs.ts')).listScheduledJobs();
  await job.find(({ name }) => name === 'mail-staged-purge')!.run(app.runtime, null);
  expect(await loadStagedHash(old)).toBeUndefined();
  expect(await loadStagedHash(young)).toBeDefined();
});

test('keeps a staged file that is attached to a message while the cleanup runs', async () => {
  const { attachment_id: id } = await attach('held.txt', Buffer.from('held'));
  const { db, workspace } = app.main.ctx;
  await db.rows(
    sql`update svc_mail_staged set create_date = now() - interval '25 hours'
     where workspace_id = ${workspace.id} and id = ${id}`,
  );
  const runAfterDelete = async (statement: Sql) => {
    if (/^\s*delete/.test(statement.render().text))
      await db.rows(
        sql`update svc_mail_staged set outgoing_id = 1 where workspace_id = ${workspace.id} and id = ${id}`,
      );
    return app.runtime.db.rows(statement);
  };
  const job = (await import('../../src/engine/work/jobs.ts')).listScheduledJobs();
  const runtime = { ...app.runtime, db: { ...app.runtime.db, rows: runAfterDelete as never } };
  await job.find(({ name }) => name === 'mail-staged-purge')!.run(runtime, null);
  expect(await loadStagedHash(id)).toBeDefined();
});
