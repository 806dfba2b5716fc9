import { afterAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import {
  callMail,
  callMailOk,
  createSharedMailbox,
  fileMessage,
  loadStates,
  queryGraphql,
  setUpMailbox,
} from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
const otherMailbox = setUpMailbox(app, 'admin');

afterAll(async () => expect(await findMiscounts(app)).toEqual([]));

const fileOne = async (folder = mailbox.folders.inbox, account = mailbox) =>
  (await fileMessage(app.main.ctx, account.id, folder)).id;
const getStates = (ids: number[]) => loadStates(app.main.ctx, ids);
const getFolderId = async (id: number) => (await getStates([id]))[0]!.folder_id;

async function undo(response: { undo: { method: string; arguments: object }[] }) {
  for (const call of response.undo)
    expect(await callMailOk(app, call.method, call.arguments)).toMatchObject({ ok: true });
}

test('set_flags sets flags, and returns the previous flags and calls that restore them', async () => {
  const ids = [await fileOne(), await fileOne(), await fileOne()];
  await callMailOk(app, 'set_flags', { entry_ids: [ids[0]], vals: { is_read: true } });
  const before = await getStates(ids);
  const response = await callMailOk(app, 'set_flags', {
    entry_ids: ids,
    vals: { is_read: true, is_starred: true },
  });
  expect(response.ok).toBe(true);
  expect(response.previous).toEqual(
    ids.map((entry_id, i) => ({
      entry_id,
      folder_id: mailbox.folders.inbox,
      is_read: i === 0,
      is_starred: false,
    })),
  );
  expect(await getStates(ids)).toMatchObject(ids.map(() => ({ is_read: true, is_starred: true })));
  expect(await findMiscounts(app)).toEqual([]);
  await undo(response);
  expect(await getStates(ids)).toEqual(before);
  const unread = await callMailOk(app, 'set_flags', { entry_ids: ids, vals: { is_read: false } });
  expect(unread.previous.map((item: { entry_id: number }) => item.entry_id)).toEqual([ids[0]]);
});

test('restores messages from Trash or Archive to their previous folder, or to Inbox', async () => {
  const { folder_id: work } = await callMailOk(app, 'create_folder', {
    account_id: mailbox.id,
    name: 'Work',
  });
  const id = await fileOne(work);
  const { inbox, trash, archive, spam } = mailbox.folders;
  const flag = (vals: object) => callMailOk(app, 'set_flags', { entry_ids: [id], vals });
  const steps: [object, number][] = [
    [{ trash: true }, trash],
    [{ unarchive: true }, trash],
    [{ untrash: true }, work],
    [{ archive: true }, archive],
    [{ trash: true }, trash],
    [{ untrash: true }, archive],
    [{ unarchive: true }, inbox],
    [{ untrash: true }, inbox],
  ];
  for (const [vals, folder] of steps) {
    expect(await flag(vals)).toMatchObject({ ok: true });
    expect(await getFolderId(id), JSON.stringify(vals)).toBe(folder);
  }
  await callMailOk(app, 'move_entries', { entry_ids: [id], folder_id: work });
  await flag({ trash: true });
  await flag({ archive: true });
  await flag({ unarchive: true });
  expect(await getFolderId(id)).toBe(work);
  await callMailOk(app, 'move_entries', { entry_ids: [id], folder_id: spam });
  await flag({ trash: true });
  await flag({ untrash: true });
  expect(await getFolderId(id)).toBe(spam);
  await callMailOk(app, 'move_entries', { entry_ids: [id], folder_id: work });
  await flag({ trash: true });
  expect(await callMailOk(app, 'delete_folder', { folder_id: work })).toMatchObject({ ok: true });
  await flag({ untrash: true });
  expect(await getFolderId(id)).toBe(inbox);
});

test('set_flags rejects contradictory or missing flags, an empty list and too many messages', async () => {
  const id = await fileOne();
  const changeRefused = async (entry_ids: number[], vals: object) => {
    const { ok, error } = await callMailOk(app, 'set_flags', { entry_ids, vals });
    expect(ok).toBe(false);
    return error;
  };
  expect(await changeRefused([id], { trash: true, archive: true })).toContain(
    'trash and archive cannot be combined',
  );
  expect(await changeRefused([id], {})).toContain('Specify what to change');
  expect(await changeRefused([id], { trash: false })).toContain('Specify what to change');
  expect(await changeRefused([], { is_read: true })).toBe('Specify at least one message.');
  const ids = Array.from({ length: 1_001 }, (_, i) => i + 1);
  expect(await changeRefused(ids, { is_read: true })).toBe('At most 1000 messages can be changed at a time.');
  expect(await callMailOk(app, 'set_flags', { entry_ids: [id], vals: { color: 1 } })).toMatchObject({
    ok: false,
  });
});

test("returns the same error for other users' messages as for nonexistent ones", async () => {
  const entry = await fileOne();
  const foreignId = await fileOne(otherMailbox.folders.inbox, otherMailbox);
  for (const [method, args] of [
    ['set_flags', { vals: { is_read: true } }],
    ['move_entries', { folder_id: mailbox.folders.archive }],
    ['set_labels', { add_label_ids: [1] }],
    ['delete_forever', {}],
  ] as const) {
    const responses = [];
    for (const other of [foreignId, 999_999_999]) {
      const { status, body } = await callMail(app, method, { entry_ids: [entry, other], ...args });
      expect(status, method).toBe(403);
      responses.push(body.message);
    }
    expect(responses[0]).toBe(responses[1]);
  }
  expect(await getStates([entry, foreignId])).toMatchObject([{ is_read: false }, { is_read: false }]);
});

test('changes messages in several mailboxes with one call', async () => {
  const sharedMailbox = await createSharedMailbox(app.main.ctx, [app.main.user.id]);
  const { contentId, id } = await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox);
  const ids = [id];
  for (const box of [mailbox, sharedMailbox])
    for (let i = 0; i < 20; i++)
      ids.push((await fileMessage(app.main.ctx, box.id, box.folders.inbox, { contentId })).id);
  const response = await callMailOk(app, 'set_flags', {
    entry_ids: ids,
    vals: { archive: true, is_read: true },
  });
  expect(response.previous).toHaveLength(41);
  expect((await getStates(ids)).every(({ is_read }) => is_read)).toBe(true);
  expect(await findMiscounts(app)).toEqual([]);
  await undo(response);
  expect((await getStates(ids)).map(({ folder_id }) => folder_id)).toEqual(
    ids.map((_, i) => (i <= 20 ? mailbox.folders.inbox : sharedMailbox.folders.inbox)),
  );
});

test('move_entries moves messages only within their mailbox, and never into Drafts', async () => {
  const sharedMailbox = await createSharedMailbox(app.main.ctx, [app.main.user.id]);
  const id = await fileOne();
  const response = await callMailOk(app, 'move_entries', {
    entry_ids: [id],
    folder_id: mailbox.folders.spam,
  });
  expect(response).toMatchObject({
    ok: true,
    previous: [{ entry_id: id, folder_id: mailbox.folders.inbox }],
    undo: [{ method: 'move_entries', arguments: { entry_ids: [id], folder_id: mailbox.folders.inbox } }],
  });
  expect(await getFolderId(id)).toBe(mailbox.folders.spam);
  expect(
    await callMailOk(app, 'move_entries', { entry_ids: [id], folder_id: mailbox.folders.drafts }),
  ).toEqual({
    ok: false,
    error: 'Messages cannot be moved into Drafts.',
  });
  expect(
    await callMailOk(app, 'move_entries', { entry_ids: [id], folder_id: sharedMailbox.folders.inbox }),
  ).toEqual({
    ok: false,
    error: 'The folder belongs to a different mailbox than some of the messages.',
  });
  expect(
    (await callMail(app, 'move_entries', { entry_ids: [id], folder_id: otherMailbox.folders.inbox })).status,
  ).toBe(403);
});

test('flags and moves messages with typed GraphQL mutations', async () => {
  const id = await fileOne();
  const flagged = await queryGraphql(
    app,
    `mutation ($ids: [ID!]!) { mailFlag(entryIds: $ids, vals: { isStarred: true, trash: true }) {
      ok error previous { entryId folderId isStarred } undo { method arguments } } }`,
    { ids: [id] },
  );
  expect(flagged.data.mailFlag).toEqual({
    ok: true,
    error: null,
    previous: [{ entryId: String(id), folderId: String(mailbox.folders.inbox), isStarred: false }],
    undo: [
      { method: 'set_flags', arguments: { entryIds: [id], vals: { isStarred: false } } },
      { method: 'move_entries', arguments: { entryIds: [id], folderId: mailbox.folders.inbox } },
    ],
  });
  const moved = await queryGraphql(
    app,
    'mutation ($ids: [ID!]!, $to: ID!) { mailMove(entryIds: $ids, folderId: $to) { ok previous { folderId } } }',
    { ids: [id], to: mailbox.folders.inbox },
  );
  expect(moved.data.mailMove).toEqual({ ok: true, previous: [{ folderId: String(mailbox.folders.trash) }] });
});
