import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import {
  callMail,
  callMailOk,
  createSharedMailbox,
  fileMessage,
  loadStates,
  queryGraphql,
  setMailFeature,
  setUpMailbox,
} from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
const otherMailbox = setUpMailbox(app, 'admin');

afterAll(async () => expect(await findMiscounts(app)).toEqual([]));

const fileOne = async (folder = mailbox.folders.inbox, account = mailbox) =>
  (await fileMessage(app.main.ctx, account.id, folder)).id;
const label = async (name: string, account = mailbox): Promise<number> =>
  (await callMailOk(app, 'create_label', { account_id: account.id, name })).label_id;
const loadLabels = async (entry: number): Promise<number[]> =>
  (
    await app.main.ctx.db.rows<{ label_id: number }>(
      sql`select label_id from svc_mail_entry_label
       where workspace_id = ${app.main.ctx.workspace.id} and entry_id = ${entry} order by label_id`,
    )
  ).map(({ label_id }) => label_id);

test('create_label returns an existing label by name, and rejects long names and unknown colors', async () => {
  const create = (name: string, color?: number) =>
    callMailOk(app, 'create_label', { account_id: mailbox.id, name, ...(color !== undefined && { color }) });
  const first = await create('Work', 11);
  expect(first).toMatchObject({ ok: true, name: 'Work', color: 11 });
  expect(await create('work ', 3)).toEqual(first);
  expect(await create('x'.repeat(40))).toMatchObject({ ok: true, color: 0 });
  for (const [name, color, error] of [
    ['x'.repeat(41), 0, 'The name of a label may have at most 40 characters.'],
    [' ', 0, 'A label must have a name.'],
    ['a\nb', 0, 'The name of a label must be a single line of text.'],
    ['Red', 12, 'A color must be a number from 0 to 11.'],
    ['Red', -1, 'A color must be a number from 0 to 11.'],
  ] as const)
    expect(await create(name, color)).toEqual({ ok: false, error });
  expect((await callMail(app, 'create_label', { account_id: otherMailbox.id, name: 'Mine' })).status).toBe(
    403,
  );
});

test('update_label changes the specified values and rejects the name of another label', async () => {
  const [id, other] = [await label('Before'), await label('Other')];
  const update = (args: object) => callMailOk(app, 'update_label', { label_id: id, ...args });
  expect(await update({ color: 5 })).toEqual({ ok: true, label_id: id, name: 'Before', color: 5 });
  expect(await update({ name: 'After' })).toEqual({ ok: true, label_id: id, name: 'After', color: 5 });
  expect(await update({ name: 'OTHER' })).toEqual({
    ok: false,
    error: 'The mailbox already has a label called "OTHER".',
  });
  expect(await update({ name: 'AFTER' })).toMatchObject({ ok: true, name: 'AFTER' });
  const foreign = await callMailOk(
    app,
    'create_label',
    { account_id: otherMailbox.id, name: 'Theirs' },
    app.main.admin.key,
  );
  for (const id of [foreign.label_id, 999_999]) {
    expect((await callMail(app, 'update_label', { label_id: id, name: 'x' })).status).toBe(403);
    expect((await callMail(app, 'delete_label', { label_id: id })).status).toBe(403);
  }
  expect(await callMailOk(app, 'delete_label', { label_id: other })).toEqual({ ok: true });
});

test('set_labels changes the labels of messages in one mailbox, and returns calls that undo the change', async () => {
  const [red, blue] = [await label('Red'), await label('Blue')];
  const ids = [await fileOne(), await fileOne()];
  await callMailOk(app, 'set_labels', { entry_ids: [ids[0]], add_label_ids: [blue] });
  const response = await callMailOk(app, 'set_labels', {
    entry_ids: ids,
    add_label_ids: [red],
    remove_label_ids: [blue],
  });
  expect(response).toEqual({
    ok: true,
    undo: [
      { method: 'set_labels', arguments: { entry_ids: ids, remove_label_ids: [red] } },
      { method: 'set_labels', arguments: { entry_ids: [ids[0]], add_label_ids: [blue] } },
    ],
  });
  expect(await loadLabels(ids[0]!)).toEqual([red]);
  expect(await findMiscounts(app)).toEqual([]);
  for (const call of response.undo) await callMailOk(app, call.method, call.arguments);
  expect(await Promise.all(ids.map(loadLabels))).toEqual([[blue], []]);
  const sharedMailbox = await createSharedMailbox(app.main.ctx, [app.main.user.id]);
  const elsewhereId = await fileOne(sharedMailbox.folders.inbox, sharedMailbox);
  expect(await callMailOk(app, 'set_labels', { entry_ids: [elsewhereId], add_label_ids: [red] })).toEqual({
    ok: false,
    error: 'A label can be set only on messages in its own mailbox.',
  });
  expect((await callMail(app, 'set_labels', { entry_ids: ids, add_label_ids: [999_999] })).status).toBe(403);
});

test('deleting a label keeps its messages', async () => {
  const deletedLabel = await label('Gone');
  const id = await fileOne();
  await callMailOk(app, 'set_labels', { entry_ids: [id], add_label_ids: [deletedLabel] });
  expect(await callMailOk(app, 'delete_label', { label_id: deletedLabel })).toEqual({ ok: true });
  expect(await loadLabels(id)).toEqual([]);
  expect(await loadStates(app.main.ctx, [id])).toHaveLength(1);
});

test("creates, renames and deletes folders, and moves a deleted folder's messages to Archive", async () => {
  const create = (name: string) => callMailOk(app, 'create_folder', { account_id: mailbox.id, name });
  const { folder_id: id } = await create('Projects');
  const message = await fileOne(id);
  expect(await create('projects')).toEqual({
    ok: false,
    error: 'The mailbox already has a folder called "projects".',
  });
  expect(await create('inbox')).toMatchObject({ ok: false });
  expect(await callMailOk(app, 'rename_folder', { folder_id: id, name: 'Old projects' })).toEqual({
    ok: true,
    folder_id: id,
    name: 'Old projects',
  });
  expect(await callMailOk(app, 'rename_folder', { folder_id: mailbox.folders.sent, name: 'x' })).toEqual({
    ok: false,
    error: 'Sent is a system folder and cannot be renamed.',
  });
  expect(await callMailOk(app, 'delete_folder', { folder_id: mailbox.folders.inbox })).toMatchObject({
    ok: false,
  });
  expect((await callMail(app, 'delete_folder', { folder_id: otherMailbox.folders.inbox })).status).toBe(403);
  expect(await callMailOk(app, 'delete_folder', { folder_id: id })).toEqual({ ok: true });
  expect(await loadStates(app.main.ctx, [message])).toMatchObject([{ folder_id: mailbox.folders.archive }]);
});

test('delete_forever deletes only messages in Trash or Spam, and their content along with the last copy', async () => {
  const { contentId, id } = await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox);
  const copy = (await fileMessage(app.main.ctx, otherMailbox.id, otherMailbox.folders.spam, { contentId }))
    .id;
  await callMailOk(app, 'set_labels', { entry_ids: [id], add_label_ids: [await label('Doomed')] });
  expect(await callMailOk(app, 'delete_forever', { entry_ids: [id] })).toEqual({
    ok: false,
    error: 'Only messages in Trash or Spam can be permanently deleted.',
  });
  await callMailOk(app, 'set_flags', { entry_ids: [id], vals: { trash: true } });
  expect(await callMailOk(app, 'delete_forever', { entry_ids: [id] })).toEqual({ ok: true, deleted: 1 });
  const readContents = () =>
    app.main.ctx.db.rows(
      sql`select id from svc_mail_message where workspace_id = ${app.main.ctx.workspace.id} and id = ${contentId}`,
    );
  expect(await readContents()).toHaveLength(1);
  expect(await callMailOk(app, 'delete_forever', { entry_ids: [copy] }, app.main.admin.key)).toMatchObject({
    deleted: 1,
  });
  expect(await readContents()).toEqual([]);
  const remainingRefs = await app.main.ctx.db.rows(
    sql`select 1 from svc_mail_thread_ref
     where workspace_id = ${app.main.ctx.workspace.id} and thread_id in (${id}::int8, ${copy}::int8)`,
  );
  expect(remainingRefs).toEqual([]);
  const [change] = await app.main.ctx.db.rows(
    sql`select kind, destroyed from svc_mail_change where workspace_id = ${app.main.ctx.workspace.id}
     and account_id = ${mailbox.id} order by modseq desc limit 1`,
  );
  expect(change).toEqual({ kind: 'delete', destroyed: [id] });
});

test('empty_trash deletes only messages in Trash', async () => {
  const entries = [await fileOne(), await fileOne(mailbox.folders.spam)];
  const { contentId } = await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.trash);
  for (let i = 0; i < 5; i++)
    await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.trash, { contentId });
  expect(await callMailOk(app, 'empty_trash', { account_id: mailbox.id })).toEqual({
    ok: true,
    deleted: 6,
    left: 0,
  });
  expect(await loadStates(app.main.ctx, entries)).toHaveLength(2);
  expect((await callMail(app, 'empty_trash', { account_id: otherMailbox.id })).status).toBe(403);
});

test('GraphQL has typed mutations for labels, folders and deletion', async () => {
  const id = await fileOne(mailbox.folders.trash);
  const { data } = await queryGraphql(
    app,
    `mutation ($box: ID!, $ids: [ID!]!) {
      label: mailLabelCreate(accountId: $box, name: "Typed", color: 2) { ok name color }
      folder: mailFolderCreate(accountId: $box, name: "Typed") { ok error name }
      gone: mailDeleteForever(entryIds: $ids) { ok deleted }
      emptied: mailEmptyTrash(accountId: $box) { deleted left }
      none: mailSetLabels(entryIds: [], addLabelIds: []) { ok error undo { method } }
    }`,
    { box: mailbox.id, ids: [id] },
  );
  expect(data).toEqual({
    label: { ok: true, name: 'Typed', color: 2 },
    folder: { ok: true, error: null, name: 'Typed' },
    gone: { ok: true, deleted: 1 },
    emptied: { deleted: 0, left: 0 },
    none: { ok: false, error: 'Specify at least one message.', undo: null },
  });
});

test('accepts only flag changes if mail.organize is off', async () => {
  const id = await fileOne();
  const [red] = [await label('Last')];
  const { folder_id } = await callMailOk(app, 'create_folder', { account_id: mailbox.id, name: 'Last' });
  await setMailFeature(app, 'mail.organize', false);
  for (const [method, args] of [
    ['set_labels', { entry_ids: [id], add_label_ids: [red] }],
    ['move_entries', { entry_ids: [id], folder_id }],
    ['set_flags', { entry_ids: [id], vals: { archive: true } }],
    ['create_label', { account_id: mailbox.id, name: 'x' }],
    ['update_label', { label_id: red, name: 'x' }],
    ['delete_label', { label_id: red }],
    ['create_folder', { account_id: mailbox.id, name: 'x' }],
    ['rename_folder', { folder_id, name: 'x' }],
    ['delete_folder', { folder_id }],
  ] as const)
    expect(await callMailOk(app, method, args), method).toEqual({
      ok: false,
      error: 'Organizing messages is not enabled (mail.organize).',
    });
  expect(await callMailOk(app, 'set_flags', { entry_ids: [id], vals: { is_read: true } })).toMatchObject({
    ok: true,
  });
  await setMailFeature(app, 'mail.organize', true);
});
