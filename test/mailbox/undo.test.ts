import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { setUp } from '../harness/set-up.ts';
import {
  callMailOk,
  createSharedMailbox,
  fileMany,
  fileMessage,
  loadStates,
  queryGraphql,
} from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const app = setUpApp();
const mailbox = setUp(() => createSharedMailbox(app.main.ctx, [app.main.user.id]));

afterAll(async () => {
  expect(await findMiscounts(app)).toEqual([]);
});

const fileOne = async (subject: string, folder = mailbox.folders.inbox) =>
  (await fileMessage(app.main.ctx, mailbox.id, folder, { subject, words: ['word', `s:${subject}`] })).id;
const getStates = (ids: number[]) => loadStates(app.main.ctx, ids);
const run = async (text: string, key = app.main.user.key) => {
  const response = await queryGraphql(app, `mutation { it: ${text} }`, {}, key);
  return response.data?.it ?? response.errors[0].extensions.code;
};
const undo = (token: string, key?: string) => run(`mailUndo(token: "${token}") { ok error undone }`, key);
const GONE = { ok: false, error: 'This change can no longer be undone.', undone: null };

test('restores flags and folders once per token, and only for the user who made the change', async () => {
  const ids = [await fileOne('a'), await fileOne('b', mailbox.folders.archive)];
  await callMailOk(app, 'set_flags', { entry_ids: [ids[1]], vals: { is_starred: true } });
  const before = await getStates(ids);
  const { undoToken } = await run(
    `mailFlag(entryIds: [${ids}], vals: { isRead: true, isStarred: true, trash: true }) { ok undoToken }`,
  );
  expect(await getStates(ids)).toMatchObject(
    ids.map(() => ({ folder_id: mailbox.folders.trash, is_read: true })),
  );
  expect(await undo(undoToken, app.main.admin.key)).toEqual(GONE);
  expect(await undo(undoToken)).toEqual({ ok: true, error: null, undone: 2 });
  expect(await getStates(ids)).toEqual(before);
  expect(await undo(undoToken)).toEqual(GONE);
});

test('restores labels, and skips messages deleted in the meantime', async () => {
  const ids = [await fileOne('c'), await fileOne('d', mailbox.folders.trash)];
  const { label_id } = await callMailOk(app, 'create_label', { account_id: mailbox.id, name: 'One' });
  const { folder_id } = await callMailOk(app, 'create_folder', { account_id: mailbox.id, name: 'Work' });
  const labeled = await run(`mailSetLabels(entryIds: [${ids}], addLabelIds: [${label_id}]) { undoToken }`);
  await callMailOk(app, 'move_entries', { entry_ids: [ids[0]], folder_id });
  const moved = await run(
    `mailMove(entryIds: [${ids[0]}], folderId: ${mailbox.folders.archive}) { undoToken }`,
  );
  await callMailOk(app, 'delete_forever', { entry_ids: [ids[1]] });
  await callMailOk(app, 'delete_folder', { folder_id });
  expect(await undo(labeled.undoToken)).toMatchObject({ ok: true, undone: 1 });
  expect(await callMailOk(app, 'get_entry_detail', { entry_id: ids[0] })).toMatchObject({ label_ids: [] });
  expect(await undo(moved.undoToken)).toMatchObject({ ok: true, undone: 1 });
  expect(await getStates([ids[0]!])).toMatchObject([{ folder_id: mailbox.folders.inbox }]);
});

test('counts only the messages that undoing changes', async () => {
  const ids = await Promise.all(['f', 'g', 'h'].map((subject) => fileOne(subject)));
  const entryIds = `entryIds: [${ids.join(', ')}]`;
  const { inbox } = mailbox.folders;
  const moved = await run(`mailMove(${entryIds}, folderId: ${mailbox.folders.archive}) { undoToken }`);
  await run(`mailMove(entryIds: [${ids[0]}], folderId: ${inbox}) { ok }`);
  await run(`mailMove(entryIds: [${ids[1]}], folderId: ${mailbox.folders.trash}) { ok }`);
  await run(`mailDeleteForever(entryIds: [${ids[1]}]) { ok }`);
  expect(await undo(moved.undoToken)).toEqual({ ok: true, error: null, undone: 1 });
  const left = [ids[0]!, ids[2]!];
  expect((await getStates(left)).map(({ folder_id }) => folder_id)).toEqual([inbox, inbox]);
  const read = await run(
    `mailFlag(entryIds: [${left.join(', ')}], vals: { isRead: true, isStarred: true }) { undoToken }`,
  );
  await run(`mailFlag(entryIds: [${left.join(', ')}], vals: { isRead: false, isStarred: false }) { ok }`);
  expect(await undo(read.undoToken)).toEqual({ ok: true, error: null, undone: 0 });
});

test("can undo a user's last 50 changes for one hour", async () => {
  const id = await fileOne('e');
  const tokens: string[] = [];
  for (let i = 0; i < 52; i++)
    tokens.push(
      (await run(`mailFlag(entryIds: [${id}], vals: { isRead: ${i % 2 === 0} }) { undoToken }`)).undoToken,
    );
  expect(await undo(tokens[0]!)).toEqual(GONE);
  expect(await undo(tokens[51]!)).toMatchObject({ ok: true });
  await app.runtime.db.rows(
    sql`update svc_mail_undo set create_date = create_date - interval '61 minutes'
     where workspace_id = ${app.main.ctx.workspace.id}`,
  );
  expect(await undo(tokens[50]!)).toEqual(GONE);
});

const buildChangeFound = (args: string) =>
  `mailChangeFound(folderId: ${mailbox.folders.inbox}, ${args}) { ok error count undoToken }`;
const changeFound = (args: string) => run(buildChangeFound(args));

test('changes all messages found by a search if their number is as expected, and undoes the change', async () => {
  const entries = [await fileOne('party'), await fileOne('party')];
  const otherId = await fileOne('work');
  const search = 'search: "subject:party"';
  const archive = 'vals: { archive: true, isRead: true }';
  const [stale] = (
    await queryGraphql(app, `mutation { ${buildChangeFound(`${search}, expectCount: 3, ${archive}`)} }`)
  ).errors;
  expect(stale).toMatchObject({
    message: 'The selection has 2 messages, but 3 were expected. Nothing was changed.',
    extensions: { code: 'STALE', status: 409, argument: 'expectCount', count: 2 },
  });
  const before = await getStates([...entries, otherId]);
  expect(before.map(({ folder_id }) => folder_id)).toEqual(before.map(() => mailbox.folders.inbox));
  const result = await changeFound(`${search}, expectCount: 2, ${archive}`);
  expect(result).toEqual({ ok: true, error: null, count: 2, undoToken: expect.any(String) });
  expect((await getStates(entries)).map(({ folder_id }) => folder_id)).toEqual([
    mailbox.folders.archive,
    mailbox.folders.archive,
  ]);
  expect(await undo(result.undoToken)).toMatchObject({ ok: true, undone: 2 });
  expect(await getStates([...entries, otherId])).toEqual(before);
});

test.each([
  ['an invalid search', 'search: "foo:bar", expectCount: 0, vals: { trash: true }', /^search: /],
  ['a missing change', 'search: "subject:party", expectCount: 2', /^Specify what to change/],
  ['an invalid change', 'search: "subject:party", expectCount: 2, vals: {}', /^Specify what to change/],
])('rejects %s and changes nothing', async (_name, args, error) => {
  const before = await findMiscounts(app);
  expect(await changeFound(args)).toMatchObject({
    ok: false,
    error: expect.stringMatching(error),
    undoToken: null,
  });
  expect(await findMiscounts(app)).toEqual(before);
});

test("changes a folder's messages in batches, and rejects too many messages and other users' folders", async () => {
  const box = await createSharedMailbox(app.main.ctx, [app.main.user.id], 'many');
  const dates = Array.from({ length: 2_500 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + (i % 300))));
  await fileMany(app.main.ctx, box.id, box.folders.inbox, dates);
  const readAll = (args: string, key?: string) =>
    run(`mailChangeFound(folderId: ${box.folders.inbox}, ${args}) { ok error count undoToken }`, key);
  const result = await readAll('expectCount: 2500, vals: { isRead: true }');
  expect(result).toMatchObject({ ok: true, count: 2_500 });
  const readUnread = () =>
    app.runtime.db.value<number>(
      sql`select unread from svc_mail_folder
       where workspace_id = ${app.main.ctx.workspace.id} and id = ${box.folders.inbox}`,
    );
  expect(await readUnread()).toBe(0);
  expect(await undo(result.undoToken)).toMatchObject({ ok: true, undone: 2_500 });
  expect(await readUnread()).toBe(2_500);
  const { pool } = app.runtime.db;
  await pool.query(
    `create function fail_oldest() returns trigger language plpgsql as 'begin
       if new.date < ''2026-01-02'' then raise exception ''not now''; end if; return new; end';
     create trigger fail_oldest before update on svc_mail_entry for each row execute function fail_oldest()`,
  );
  const undoable = await readAll('expectCount: 2500, vals: { isRead: true }');
  await pool.query('drop function fail_oldest cascade');
  expect(undoable).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^Only the first 2000 of 2500 /),
  });
  expect(await readUnread()).toBe(500);
  expect(await undo(undoable.undoToken)).toMatchObject({ ok: true, undone: 2_000 });
  expect(await readUnread()).toBe(2_500);
  for (let i = 0; i < 8; i++) await fileMany(app.main.ctx, box.id, box.folders.inbox, dates);
  expect(await readAll('expectCount: 22500, vals: { isRead: true }')).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^At most 20,000/),
  });
  expect(await readAll('expectCount: 1, vals: { trash: true }', app.main.admin.key)).toBe('ACCESS_ERROR');
});
