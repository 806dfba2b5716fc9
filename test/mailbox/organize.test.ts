import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../harness/app.ts';
import {
  callMail,
  callMailOk,
  createSharedMailbox,
  fileMessage,
  loadStates,
  type Mailbox,
  queryGraphql,
  startTwoMailboxes,
} from './mailboxes.ts';
import { closeAndRecount, findMiscounts } from './recount.ts';

let app: App;
let mine: Mailbox;
let theirs: Mailbox;

beforeAll(async () => {
  ({ app, mine, theirs } = await startTwoMailboxes());
});
afterAll(() => closeAndRecount(app));

const fileOne = async (folder = mine.folders.inbox, account = mine) =>
  (await fileMessage(app.main.ctx, account.id, folder)).id;
const getStates = (ids: number[]) => loadStates(app.main.ctx, ids);
const getFolderId = async (id: number) => (await getStates([id]))[0]!.folder_id;

async function undo(answer: { undo: { method: string; arguments: object }[] }) {
  for (const call of answer.undo)
    expect(await callMailOk(app, call.method, call.arguments)).toMatchObject({ ok: true });
}

test('set_flags sets flags, returns the previous ones, and its undo calls revert it', async () => {
  const ids = [await fileOne(), await fileOne(), await fileOne()];
  await callMailOk(app, 'set_flags', { entry_ids: [ids[0]], vals: { is_read: true } });
  const before = await getStates(ids);
  const answer = await callMailOk(app, 'set_flags', {
    entry_ids: ids,
    vals: { is_read: true, is_starred: true },
  });
  expect(answer.ok).toBe(true);
  expect(answer.previous).toEqual(
    ids.map((entry_id, i) => ({
      entry_id,
      folder_id: mine.folders.inbox,
      is_read: i === 0,
      is_starred: false,
    })),
  );
  expect(await getStates(ids)).toMatchObject(ids.map(() => ({ is_read: true, is_starred: true })));
  expect(await findMiscounts(app)).toEqual([]);
  await undo(answer);
  expect(await getStates(ids)).toEqual(before);
  const unread = await callMailOk(app, 'set_flags', { entry_ids: ids, vals: { is_read: false } });
  expect(unread.previous.map((each: { entry_id: number }) => each.entry_id)).toEqual([ids[0]]);
});

test('restores messages from Trash or Archive to their previous folder, or to Inbox', async () => {
  const { folder_id: work } = await callMailOk(app, 'create_folder', { account_id: mine.id, name: 'Work' });
  const id = await fileOne(work);
  const { inbox, trash, archive, spam } = mine.folders;
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
    'Only one of trash and archive',
  );
  expect(await changeRefused([id], {})).toContain('Specify what to change');
  expect(await changeRefused([id], { trash: false })).toContain('Specify what to change');
  expect(await changeRefused([], { is_read: true })).toBe('Specify at least one message.');
  const ids = Array.from({ length: 1_001 }, (_, i) => i + 1);
  expect(await changeRefused(ids, { is_read: true })).toBe('At most 1000 messages can be changed at a time.');
  expect((await callMail(app, 'set_flags', { entry_ids: [id], vals: { color: 1 } })).status).toBe(422);
});

test('rejects messages of other users and unknown messages with the same error', async () => {
  const entry = await fileOne();
  const foreign = await fileOne(theirs.folders.inbox, theirs);
  for (const [method, args] of [
    ['set_flags', { vals: { is_read: true } }],
    ['move_entries', { folder_id: mine.folders.archive }],
    ['set_labels', { add_label_ids: [1] }],
    ['delete_forever', {}],
  ] as const) {
    const answers = [];
    for (const other of [foreign, 999_999_999]) {
      const { status, body } = await callMail(app, method, { entry_ids: [entry, other], ...args });
      expect(status, method).toBe(403);
      answers.push(body.message);
    }
    expect(answers[0]).toBe(answers[1]);
  }
  expect(await getStates([entry, foreign])).toMatchObject([{ is_read: false }, { is_read: false }]);
});

test('changes messages of two mailboxes in one call', async () => {
  const shared = await createSharedMailbox(app.main.ctx, [app.main.user.id]);
  const { contentId, id } = await fileMessage(app.main.ctx, mine.id, mine.folders.inbox);
  const ids = [id];
  for (const box of [mine, shared])
    for (let i = 0; i < 20; i++)
      ids.push((await fileMessage(app.main.ctx, box.id, box.folders.inbox, { contentId })).id);
  const answer = await callMailOk(app, 'set_flags', {
    entry_ids: ids,
    vals: { archive: true, is_read: true },
  });
  expect(answer.previous).toHaveLength(41);
  expect((await getStates(ids)).every(({ is_read }) => is_read)).toBe(true);
  expect(await findMiscounts(app)).toEqual([]);
  await undo(answer);
  expect((await getStates(ids)).map(({ folder_id }) => folder_id)).toEqual(
    ids.map((_, i) => (i <= 20 ? mine.folders.inbox : shared.folders.inbox)),
  );
});

test('move_entries moves only within the mailbox of the messages, and not into Drafts', async () => {
  const shared = await createSharedMailbox(app.main.ctx, [app.main.user.id]);
  const id = await fileOne();
  const answer = await callMailOk(app, 'move_entries', { entry_ids: [id], folder_id: mine.folders.spam });
  expect(answer).toMatchObject({
    ok: true,
    previous: [{ entry_id: id, folder_id: mine.folders.inbox }],
    undo: [{ method: 'move_entries', arguments: { entry_ids: [id], folder_id: mine.folders.inbox } }],
  });
  expect(await getFolderId(id)).toBe(mine.folders.spam);
  expect(await callMailOk(app, 'move_entries', { entry_ids: [id], folder_id: mine.folders.drafts })).toEqual({
    ok: false,
    error: 'Messages cannot be moved into Drafts.',
  });
  expect(await callMailOk(app, 'move_entries', { entry_ids: [id], folder_id: shared.folders.inbox })).toEqual(
    {
      ok: false,
      error: 'The folder belongs to a different mailbox than some of the messages.',
    },
  );
  expect(
    (await callMail(app, 'move_entries', { entry_ids: [id], folder_id: theirs.folders.inbox })).status,
  ).toBe(403);
});

test('GraphQL offers the same as typed mutations', async () => {
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
    previous: [{ entryId: String(id), folderId: String(mine.folders.inbox), isStarred: false }],
    undo: [
      { method: 'set_flags', arguments: { entryIds: [id], vals: { isStarred: false } } },
      { method: 'move_entries', arguments: { entryIds: [id], folderId: mine.folders.inbox } },
    ],
  });
  const moved = await queryGraphql(
    app,
    'mutation ($ids: [ID!]!, $to: ID!) { mailMove(entryIds: $ids, folderId: $to) { ok previous { folderId } } }',
    { ids: [id], to: mine.folders.inbox },
  );
  expect(moved.data.mailMove).toEqual({ ok: true, previous: [{ folderId: String(mine.folders.trash) }] });
});
