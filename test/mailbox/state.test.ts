import { beforeAll, expect, test } from 'vitest';
import { post, setUpApp } from '../harness/app.ts';
import {
  callMail,
  callMailOk,
  createSharedMailbox,
  fileMany,
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
  const { ctx, user } = app.main;
  sharedMailbox = await createSharedMailbox(ctx, [user.id], 'support');
});

const setFeature = (key: string, isOn: boolean) =>
  queryGraphql(
    app,
    'mutation ($key: String!, $on: Boolean!) { mailFeatureSet(key: $key, isOn: $on) { key isOn label } }',
    { key, on: isOn },
    app.main.admin.key,
  );

test("get_mailbox_state returns the caller's mailboxes, folders, labels, features and preferences", async () => {
  await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox);
  await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox, { isRead: true });
  await fileMessage(app.main.ctx, otherMailbox.id, otherMailbox.folders.inbox);
  await callMailOk(app, 'create_label', { account_id: sharedMailbox.id, name: 'Urgent', color: 1 });
  const state = await callMailOk(app, 'get_mailbox_state');
  expect(state.accounts).toMatchObject([
    { id: mailbox.id, kind: 'personal', role: 'owner', email: 'user@main.test', unread: 1, used_bytes: 200 },
    { id: sharedMailbox.id, kind: 'shared', role: 'member', unread: 0 },
  ]);
  expect(state.folders).toHaveLength(12);
  expect(state.folders[0]).toEqual({
    id: mailbox.folders.inbox,
    account_id: mailbox.id,
    type: 'inbox',
    name: 'Inbox',
    total: 2,
    unread: 1,
  });
  expect(state.labels).toMatchObject([{ account_id: sharedMailbox.id, name: 'Urgent', color: 1, total: 0 }]);
  expect(state.unified_inbox).toBe(true);
  expect(Object.keys(state.features)).toHaveLength(13);
  expect(state.features['mail.import_export']).toBe(true);
  expect(state.prefs).toEqual({
    svc_mail_chime: true,
    svc_mail_autoload_images: false,
    svc_mail_undo_send_seconds: 10,
    svc_mail_notify_trigger: 'inbox',
    svc_mail_notify_preview: 'subject',
    svc_mail_signature_policy: 'always',
    svc_mail_signature_placement: 'above_quote',
  });
  const { data } = await queryGraphql(
    app,
    `{ mailState { accounts { id email unread quotaBytes } folders { type unread } labels { name }
      features { key isOn } prefs { chime undoSendSeconds } unifiedInbox } }`,
  );
  expect(data.mailState).toMatchObject({
    accounts: [{ id: String(mailbox.id), unread: 1, quotaBytes: null }, {}],
    labels: [{ name: 'Urgent' }],
    prefs: { chime: true, undoSendSeconds: 10 },
    unifiedInbox: true,
  });
});

test('get_features returns the features, which only administrators can change', async () => {
  const readFeatures = async () =>
    (await post(`${app.url}/json/2/svc.mail.feature/get_features`, {}, app.main.user.key)).json();
  expect((await readFeatures())['mail.rules']).toBe(true);
  await setFeature('mail.rules', false);
  expect((await readFeatures())['mail.rules']).toBe(false);
  await setFeature('mail.rules', true);
  const response = await queryGraphql(
    app,
    'mutation { mailFeatureSet(key: "mail.rules", isOn: false) { key } }',
  );
  expect(response.errors[0].extensions.code).toBe('FORBIDDEN');
  const unknown = await setFeature('mail.telepathy', true);
  expect(unknown.errors[0].message).toContain('key: must be one of mail.search');
  expect(
    (await queryGraphql(app, '{ mailFeatureStates { key label isOn } }')).data.mailFeatureStates,
  ).toHaveLength(13);
});

test("get_unified_entries lists the caller's inboxes, newest first", async () => {
  const box = await createSharedMailbox(app.main.ctx, [app.main.user.id], 'second');
  const ids: number[] = [];
  for (let day = 1; day <= 6; day++) {
    const to = day % 2 ? mailbox : box;
    const date = new Date(Date.UTC(2027, 0, day));
    ids.unshift((await fileMessage(app.main.ctx, to.id, to.folders.inbox, { date })).id);
  }
  await fileMessage(app.main.ctx, otherMailbox.id, otherMailbox.folders.inbox, {
    date: new Date(Date.UTC(2027, 0, 9)),
  });
  const list = async (args: object) => {
    const { entries, count } = await callMailOk(app, 'get_unified_entries', args);
    return { ids: entries.map((entry: { entry_id: number }) => entry.entry_id), count };
  };
  expect((await list({ limit: 4 })).ids).toEqual(ids.slice(0, 4));
  expect((await list({ limit: 2, offset: 3 })).ids).toEqual(ids.slice(3, 5));
  const one = await list({ source_account_id: box.id });
  expect(one).toEqual({ ids: [ids[0], ids[2], ids[4]], count: 3 });
  expect((await callMail(app, 'get_unified_entries', { source_account_id: otherMailbox.id })).status).toBe(
    403,
  );
  const { label_id } = await callMailOk(app, 'create_label', { account_id: box.id, name: 'Star' });
  await callMailOk(app, 'set_labels', { entry_ids: [ids[2]], add_label_ids: [label_id] });
  expect(await list({ label_id })).toEqual({ ids: [ids[2]], count: 1 });
  await callMailOk(app, 'set_flags', { entry_ids: [ids[0], ids[1]], vals: { archive: true } });
  await callMailOk(app, 'set_flags', { entry_ids: [ids[2]], vals: { trash: true } });
  expect((await list({ limit: 2 })).ids).toEqual([ids[3], ids[4]]);
  const all = await list({ limit: 3, all_folders: true });
  expect(all.ids).toEqual([ids[0], ids[1], ids[3]]);
  const { data } = await queryGraphql(
    app,
    '{ mailUnifiedEntries(limit: 1) { count entries { entryId accountId } } }',
  );
  expect(data.mailUnifiedEntries.entries).toEqual([
    { entryId: String(ids[3]), accountId: String(mailbox.id) },
  ]);
});

test('returns consistent pages of the unified list at high offsets', async () => {
  const box = await createSharedMailbox(app.main.ctx, [app.main.user.id], 'deep');
  const dates = Array.from(
    { length: 261 },
    (_, index) => new Date(Date.UTC(2026, 5, 1 + Math.floor(index / 7), index % 7)),
  );
  await fileMany(app.main.ctx, box.id, box.folders.inbox, dates);
  const readPage = async (offset: number, limit: number) =>
    (await callMailOk(app, 'get_unified_entries', { source_account_id: box.id, offset, limit })).entries.map(
      (entry: { entry_id: number }) => entry.entry_id,
    );
  const all = [...(await readPage(0, 200)), ...(await readPage(200, 200))];
  expect(new Set(all).size).toBe(261);
  for (const offset of [201, 215, 230, 260])
    expect(await readPage(offset, 20)).toEqual(all.slice(offset, offset + 20));
});

test('rejects the unified list if mail.unified_inbox is off', async () => {
  await setFeature('mail.unified_inbox', false);
  const { status, body } = await callMail(app, 'get_unified_entries');
  expect([status, body.message]).toEqual([422, 'All inboxes is not enabled (mail.unified_inbox).']);
  expect((await callMailOk(app, 'get_mailbox_state')).unified_inbox).toBe(false);
  await setFeature('mail.unified_inbox', true);
});

test('get_access_table is available only to mail administrators', async () => {
  expect((await callMail(app, 'get_access_table')).status).toBe(403);
  const probe = '{ viewer { can(operations: ["mailAccessTable"]) } }';
  expect((await queryGraphql(app, probe)).data.viewer.can).toEqual([]);
  const table = await callMailOk(app, 'get_access_table', {}, app.main.admin.key);
  expect(table.rows).toContainEqual({ action: 'import messages', who: 'every user with a mailbox' });
  expect(table.mailboxes).toContainEqual({
    account_id: mailbox.id,
    name: 'user',
    email: mailbox.address,
    kind: 'personal',
    is_active: true,
    owner: 'user',
    members: ['user (owner)'],
  });
  expect(table.reserved).toContain('postmaster');
});
