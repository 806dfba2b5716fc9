import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type Filing, fileEntries } from '../../schema/mailbox/messages/file-entries.ts';
import { sql } from '../../src/db/sql.ts';
import { write } from '../../src/engine/write/write.ts';
import { post, setUpApp } from '../harness/app.ts';
import { runTool, switchMcp } from '../harness/facades/mcp.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { until } from '../harness/wait.ts';
import {
  callMail,
  callMailOk,
  createSharedMailbox,
  fileMessage,
  loadMailbox,
  queryGraphql,
  setMailFeature,
  setUpMailbox,
} from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';

const app = setUpApp();
const box = setUpMailbox(app);

beforeAll(async () => {
  await app.deliver();
  await app.fileMail();
});

const searchRecords = async (model: string, args: object, key = app.main.user.key) =>
  (await post(`${app.url}/json/2/${model}/search_read`, args, key)).json();
const fileOne = async (overrides: object = {}) =>
  (await fileMessage(app.main.ctx, box.id, box.folders.inbox, overrides)).id;
const findRow = async (entry: number, folder = box.folders.inbox) =>
  (await callMailOk(app, 'get_entries', { folder_id: folder, limit: 200 })).entries.find(
    (item: { entry_id: number }) => item.entry_id === entry,
  );

test("svc.mail.account contains the caller's mailboxes, and svc.mail.feature contains the features", async () => {
  const sharedMailbox = await createSharedMailbox(app.main.ctx, [app.main.user.id], 'together');
  const fields = ['name', 'address', 'kind', 'owner_id', 'signature'];
  expect(await searchRecords('svc.mail.account', { domain: [], fields })).toEqual([
    {
      id: box.id,
      name: 'user',
      address: box.address,
      kind: 'personal',
      owner_id: [app.main.user.id, 'user'],
      signature: '',
    },
    expect.objectContaining({ id: sharedMailbox.id, name: 'together', kind: 'shared', owner_id: false }),
  ]);
  const readFeatures = async () =>
    (await post(`${app.url}/json/2/svc.mail.feature/get_features`, {}, app.main.user.key)).json();
  expect(Object.keys(await readFeatures()).sort()).toEqual(
    `blocklist composer2 delivery_meta honest_send import_export import_imap inbound_attachments organize rules
    search shared threading unified_inbox`
      .split(/\s+/)
      .map((name) => `mail.${name}`),
  );
  await setMailFeature(app, 'mail.shared', false);
  expect((await readFeatures())['mail.shared']).toBe(false);
  const [row] = await searchRecords('svc.mail.feature', { domain: [], fields: ['key', 'is_on'] });
  expect(row).toMatchObject({ key: 'mail.shared', is_on: false });
  await setMailFeature(app, 'mail.shared', true);
  const response = await post(
    `${app.url}/json/2/svc.mail.feature/create`,
    { vals_list: [{ key: 'mail.rules', is_on: false }] },
    app.main.admin.key,
  );
  expect(response.status).toBe(403);
});

test('svc.mail.entry represents a message in a folder, and its entry_id is its id', async () => {
  const id = await fileOne({ subject: 'Facts', text: 'The first words', isStarred: true });
  const listed = await findRow(id);
  expect(listed).toMatchObject({
    entry_id: id,
    folder_id: box.folders.inbox,
    from_name: 'A sender',
    from_email: 'sender@example.org',
    subject: 'Facts',
    date: '2026-03-04T05:06:07Z',
    is_read: false,
    is_starred: true,
    snippet: 'The first words',
  });
  const fields = [
    'from_name',
    'email_from',
    'subject',
    'date',
    'is_read',
    'is_starred',
    'snippet',
    'folder_id',
  ];
  expect(await searchRecords('svc.mail.entry', { domain: [['id', '=', id]], fields })).toEqual([
    {
      id,
      from_name: 'A sender',
      email_from: 'sender@example.org',
      subject: 'Facts',
      date: '2026-03-04 05:06:07',
      is_read: false,
      is_starred: true,
      snippet: 'The first words',
      folder_id: [box.folders.inbox, 'Inbox'],
    },
  ]);
});

test('svc.mail.draft shows a draft only to its author', async () => {
  const sharedMailbox = await createSharedMailbox(app.main.ctx, [app.main.user.id, app.main.admin.id]);
  const vals = {
    to: 'a@example.org',
    cc: 'b@example.org',
    bcc: 'c@example.org',
    subject: 'Draft',
    body: 'Text',
    mode: 'reply_all',
    in_reply_to: await fileOne(),
    from_account_id: box.id,
  };
  const { draft_id: id } = await callMailOk(app, 'draft_save', { account_id: sharedMailbox.id, vals });
  const domain = [['id', '=', id]];
  const [ownDraft] = await searchRecords('svc.mail.draft', { domain, fields: Object.keys(vals) });
  expect(ownDraft).toMatchObject({
    ...vals,
    id,
    in_reply_to: [vals.in_reply_to, expect.any(String)],
    from_account_id: [box.id, 'user'],
  });
  expect(await searchRecords('svc.mail.draft', { domain, fields: ['subject'] }, app.main.admin.key)).toEqual(
    [],
  );
  expect(await callMailOk(app, 'draft_get', { draft_id: id })).toMatchObject({ ...vals, draft_id: id });
});

test('set_flags updates the unread state in lists, records and counters', async () => {
  const id = await fileOne();
  const readUnread = async () =>
    (await callMailOk(app, 'get_mailbox_state')).accounts.find(
      (account: { id: number }) => account.id === box.id,
    ).unread;
  const before = await readUnread();
  const flag = (is_read: boolean) => callMailOk(app, 'set_flags', { entry_ids: [id], vals: { is_read } });
  for (const isRead of [true, true, false, true]) {
    expect(await flag(isRead)).toMatchObject({ ok: true });
    expect((await findRow(id)).is_read).toBe(isRead);
    expect(await readUnread()).toBe(isRead ? before - 1 : before);
    const [record] = await searchRecords('svc.mail.entry', {
      domain: [['id', '=', id]],
      fields: ['is_read'],
    });
    expect(record.is_read).toBe(isRead);
  }
});

test('opening a message over the JSON API marks it as read, but lists, GraphQL and MCP do not', async () => {
  await switchMcp(app, app.main, true);
  const { key } = app.main.user;
  const isRead = async (id: number) => (await findRow(id)).is_read;
  for (const method of ['get_entry_detail', 'get_thread']) {
    const id = await fileOne();
    await callMailOk(app, 'get_unified_entries', {});
    await searchRecords('svc.mail.entry', { domain: [['id', '=', id]], fields: ['text'] });
    await queryGraphql(app, `{ mailMessage(id: ${id}) { subject text } }`);
    const result = await runTool(app, key, 'search', {
      model: 'svc.mail.entry',
      fields: ['subject', 'text'],
    });
    expect(result.structuredContent._count).toBeGreaterThan(0);
    expect(
      (await runTool(app, key, 'get', { model: 'svc.mail.entry', ids: [id] })).structuredContent,
    ).toMatchObject({
      records: [{ id, is_read: false }],
    });
    expect(await isRead(id)).toBe(false);
    await callMailOk(app, method, { entry_id: id });
    expect(await isRead(id)).toBe(true);
  }
});

test('moving messages back and forth loses none', async () => {
  const ids = [await fileOne({ subject: 'one' }), await fileOne({ subject: 'two' })];
  const countMessages = async () => {
    const { folders } = await callMailOk(app, 'get_mailbox_state');
    return folders
      .filter(
        (folder: { account_id: number; type: string }) =>
          folder.account_id === box.id && folder.type !== 'drafts',
      )
      .reduce((sum: number, item: { total: number }) => sum + item.total, 0);
  };
  const before = await countMessages();
  const readPlace = async (id: number) =>
    (await searchRecords('svc.mail.entry', { domain: [['id', '=', id]], fields: ['folder_id'] }))[0]
      .folder_id[0];
  const { inbox, trash, archive, spam } = box.folders;
  const steps: [string, object, number][] = [
    ['set_flags', { vals: { trash: true } }, trash],
    ['set_flags', { vals: { untrash: true } }, inbox],
    ['set_flags', { vals: { archive: true } }, archive],
    ['set_flags', { vals: { unarchive: true } }, inbox],
    ['move_entries', { folder_id: spam }, spam],
  ];
  for (const [method, args, folder] of steps) {
    const from = await readPlace(ids[0]!);
    const response = await callMailOk(app, method, { entry_ids: ids, ...args });
    expect(response.previous).toEqual(
      ids.map((entry_id) => ({ entry_id, folder_id: from, is_read: false, is_starred: false })),
    );
    for (const id of ids) expect(await readPlace(id)).toBe(folder);
    for (const undo of response.undo)
      expect(await callMailOk(app, undo.method, undo.arguments)).toMatchObject({ ok: true });
    for (const id of ids) expect(await readPlace(id)).toBe(from);
    await callMailOk(app, method, { entry_ids: ids, ...args });
    expect(await countMessages()).toBe(before);
  }
});

test('files new mail of a blocked sender in Spam until the sender is unblocked, and does not move earlier mail', async () => {
  const otherMailbox = await loadMailbox(app.main.ctx, app.main.admin.id);
  const send = async (subject: string) => {
    const args = { account_id: otherMailbox.id, to: box.address, subject, body: 'x' };
    expect(await callMailOk(app, 'compose_send', args, app.main.admin.key)).toMatchObject({ ok: true });
    let folder: number | undefined;
    await until(async () => {
      const domain = [
        ['subject', '=', subject],
        ['account_id', '=', box.id],
      ];
      folder = (await searchRecords('svc.mail.entry', { domain, fields: ['folder_id'] }))[0]?.folder_id[0];
      return folder !== undefined;
    }, `${subject} is filed`);
    return folder;
  };
  const sender = { account_id: box.id, email: otherMailbox.address };
  const readFolder = async (subject: string) =>
    (await searchRecords('svc.mail.entry', { domain: [['subject', '=', subject]], fields: ['folder_id'] }))[0]
      .folder_id[0];
  expect(await send('before the block')).toBe(box.folders.inbox);
  expect(await callMailOk(app, 'block_sender', sender)).toMatchObject({ ok: true });
  expect(await send('while blocked')).toBe(box.folders.spam);
  expect(await readFolder('before the block')).toBe(box.folders.inbox);
  for (const email of [box.address, '*@example.org', 'a*@example.org'])
    expect(await callMailOk(app, 'block_sender', { ...sender, email })).toMatchObject({ ok: false });
  expect(await callMailOk(app, 'unblock_sender', sender)).toMatchObject({ ok: true });
  expect(await send('after the block')).toBe(box.folders.inbox);
  expect(await readFolder('while blocked')).toBe(box.folders.spam);
});

const sendMail = (overrides: object) =>
  callMailOk(app, 'compose_send', {
    account_id: box.id,
    to: 'ann@example.org',
    subject: 's',
    body: 'b',
    ...overrides,
  });

test('accepts subjects of up to 998 characters, regardless of their encoded size', async () => {
  const error = { ok: false, error: 'subject: must have at most 998 characters.' };
  for (const character of ['x', 'ä', '漢', '😀']) {
    expect(await sendMail({ subject: character.repeat(999) })).toEqual(error);
    const sent = await sendMail({ subject: character.repeat(998) });
    expect(sent, character).toMatchObject({ ok: true });
    const detail = await callMailOk(app, 'get_entry_detail', { entry_id: sent.entry_id });
    expect(detail.subject).toBe(character.repeat(998));
    const vals = { subject: character.repeat(999) };
    expect(await callMailOk(app, 'draft_save', { account_id: box.id, vals })).toEqual(error);
  }
});

test('accepts bodies of up to 524,288 characters, as text or HTML', async () => {
  const error = { ok: false, error: 'body: must have at most 524,288 characters.' };
  expect(await sendMail({ body: 'x'.repeat(524_289) })).toEqual(error);
  expect(await sendMail({ body_html: 'x'.repeat(524_289) })).toEqual(error);
  expect(
    await callMailOk(app, 'draft_save', { account_id: box.id, vals: { body: 'x'.repeat(524_289) } }),
  ).toEqual(error);
  const text = 'words '.repeat(90_000).slice(0, 524_287);
  expect(await sendMail({ body: `${text}x` })).toMatchObject({ ok: true });
  expect(await sendMail({ body_html: `${text}x` })).toMatchObject({ ok: true });
  expect(
    await callMailOk(app, 'draft_save', { account_id: box.id, vals: { body: `${text}x` } }),
  ).toMatchObject({
    ok: true,
  });
});

const MB = 1024 * 1024;
const stage = (bytes: number) =>
  callMailOk(app, 'compose_attach', {
    account_id: box.id,
    filename: `${bytes}.bin`,
    data_b64: Buffer.alloc(bytes, 'x').toString('base64'),
  });

test('accepts attachments of up to 25 MB, individually and in total', { tags: 'soak' }, async () => {
  expect(await stage(25 * MB + 1)).toEqual({ ok: false, error: 'An attachment may be at most 25 MB.' });
  const halves = [(await stage(12.5 * MB)).attachment_id, (await stage(12.5 * MB)).attachment_id];
  const one = (await stage(1)).attachment_id;
  expect(await sendMail({ attachment_ids: [...halves, one] })).toEqual({
    ok: false,
    error: 'The attachments are too large in total (maximum 25 MB).',
  });
  const sent = await sendMail({ attachment_ids: halves, to: box.address });
  expect(sent).toMatchObject({ ok: true });
  const detail = await callMailOk(app, 'get_entry_detail', { entry_id: sent.entry_id });
  expect(detail.attachments).toMatchObject([{ size: 12.5 * MB }, { size: 12.5 * MB }]);
});

const buildBase64 = (size: number, id: string) =>
  Buffer.from(`Message-ID: <${id}@x>\r\nSubject: ${id}\r\n\r\n`.padEnd(size, 'x')).toString('base64');
const importMails = (messages: string[]) =>
  callMailOk(app, 'import_messages', { account_id: box.id, folder_id: box.folders.archive, messages });

test('accepts imports of up to 50 messages, 25 MB each and 40 MB in total', { tags: 'soak' }, async () => {
  const buildFiles = (n: number) => Array.from({ length: n }, (_, i) => buildBase64(100, `of${n}-${i}`));
  expect(await importMails(buildFiles(51))).toEqual({
    ok: false,
    error: 'messages: must contain at most 50 messages.',
  });
  expect(await importMails(buildFiles(50))).toMatchObject({ ok: true, imported: 50 });
  expect(await importMails([buildBase64(25 * MB, 'largest'), buildBase64(25 * MB + 1, 'larger')])).toEqual({
    ok: false,
    error: 'messages: must be at most 40 MB in total.',
  });
  expect(await importMails([buildBase64(25 * MB, 'largest'), buildBase64(15 * MB, 'rest')])).toMatchObject({
    imported: 2,
  });
  expect(await importMails([buildBase64(25 * MB + 1, 'larger'), buildBase64(100, 'small')])).toMatchObject({
    imported: 1,
    failed: [{ index: 0, error: 'It is larger than 25 MB.' }],
  });
});

test('downloads a folder in parts of 3,000 messages, and only with a session', {
  tags: 'slow',
  timeout: 300_000,
}, async () => {
  const { folder_id: folder } = await callMailOk(app, 'create_folder', { account_id: box.id, name: 'Large' });
  const first = await fileRaw(
    app.main,
    box,
    'From: a@example.org\nMessage-ID: <m@x>\nSubject: many\n\nthe body\n',
    { folderId: folder },
  );
  const { ctx, user } = app.main;
  const [row] = await ctx.db.rows<{ content_id: number; message_key: Buffer }>(
    sql`select content_id, message_key from svc_mail_entry where workspace_id = ${ctx.workspace.id} and id = ${first}`,
  );
  const filings = Array.from(
    { length: 3_000 },
    (_, i): Filing => ({
      folderId: folder,
      contentId: row!.content_id,
      size: 80,
      date: new Date(Date.UTC(2026, 0, 1 + (i % 300))),
      key: row!.message_key,
      threads: { refs: [], subject: Buffer.alloc(16) },
      words: ['word'],
      source: 'import',
    }),
  );
  await ctx.tx((tx) => fileEntries(tx, box.id, filings));
  const info = await callMailOk(app, 'export_info', { account_id: box.id });
  expect(info.folders.find((item: { folder_id: number }) => item.folder_id === folder)).toMatchObject({
    count: 3_001,
    requests: 2,
  });
  const cookie = await signInWeb(app, app.main.user);
  const download = async (offset: string, headers: Record<string, string> = { cookie }) => {
    const response = await fetch(`${app.url}/svc_mail/export/${folder}${offset}`, { headers });
    const text = await response.text();
    return { status: response.status, count: text.match(/^From /gm)?.length ?? 0 };
  };
  expect(await download('')).toEqual({ status: 200, count: 3_000 });
  expect(await download('?offset=3000')).toEqual({ status: 200, count: 1 });
  expect(await download('?offset=3001')).toEqual({ status: 200, count: 0 });
  const none = { status: 404, count: 0 };
  const basic = Buffer.from(`${user.login}:${user.key}`).toString('base64');
  for (const headers of [
    {},
    { authorization: `Bearer ${user.key}` },
    { authorization: `Basic ${basic}` },
    { 'x-api-key': user.key },
    { cookie: `session_id=${user.key}` },
  ] as Record<string, string>[])
    expect(await download('', headers)).toEqual(none);
  for (const query of [`?key=${user.key}`, `?access_token=${user.key}`, `?api_key=${user.key}`])
    expect(await download(query, {})).toEqual(none);
  const otherMailbox = await loadMailbox(ctx, app.main.admin.id);
  for (const foreign of [otherMailbox.folders.inbox, 999_999, 'x']) {
    const response = await fetch(`${app.url}/svc_mail/export/${foreign}`, { headers: { cookie } });
    expect(response.status).toBe(404);
  }
});

test('enables features by default, and rejects methods of a disabled feature', async () => {
  const entry = await fileOne();
  const { label_id: label } = await callMailOk(app, 'create_label', {
    account_id: box.id,
    name: 'Of the test',
  });
  const account_id = box.id;
  const rule = {
    name: 'x',
    conditions: [{ field: 'subject', operator: 'contains', value: 'x' }],
    actions: [{ action: 'star' }],
  };
  const conn = { host: '127.0.0.1', username: 'x', password: 'x' };
  const methods: Record<string, { writes: [string, object][]; reads?: [string, object][] }> = {
    'mail.organize': {
      writes: [
        ['set_labels', { entry_ids: [entry], add_label_ids: [label] }],
        ['move_entries', { entry_ids: [entry], folder_id: box.folders.archive }],
        ['set_flags', { entry_ids: [entry], vals: { archive: true } }],
        ['create_label', { account_id, name: 'y' }],
        ['update_label', { label_id: label, color: 2 }],
        ['delete_label', { label_id: label }],
        ['create_folder', { account_id, name: 'y' }],
      ],
    },
    'mail.blocklist': {
      writes: [
        ['block_sender', { account_id, email: 'a@example.org' }],
        ['unblock_sender', { account_id, email: 'a@example.org' }],
      ],
      reads: [['list_blocked', { account_id }]],
    },
    'mail.rules': {
      writes: [
        ['rule_preview', { account_id, rule }],
        ['rule_save', { account_id, rule }],
        ['rule_set_active', { account_id, rule_id: 1, active: true }],
        ['rule_delete', { account_id, rule_id: 1 }],
        ['rules_reorder', { account_id, ids: [] }],
        ['autoreply_save', { account_id, data: { active: false } }],
      ],
      reads: [
        ['rules_list', { account_id }],
        ['autoreply_get', { account_id }],
      ],
    },
    'mail.import_export': {
      writes: [['import_messages', { account_id, folder_id: box.folders.archive, messages: [] }]],
      reads: [['export_info', { account_id }]],
    },
    'mail.import_imap': {
      writes: [
        ['import_imap_probe', { account_id, conn }],
        ['import_imap_batch', { account_id, conn, source: { folder: 'INBOX' } }],
      ],
    },
    'mail.composer2': {
      writes: [
        ['compose_send', { account_id, to: 'a@example.org', cc: 'b@example.org' }],
        ['compose_attach', { account_id, filename: 'a.txt', data_b64: 'YQ==' }],
      ],
    },
    'mail.unified_inbox': { writes: [], reads: [['get_unified_entries', {}]] },
  };
  const readFeatures = async () =>
    (await post(`${app.url}/json/2/svc.mail.feature/get_features`, {}, app.main.user.key)).json();
  expect(Object.values(await readFeatures())).toEqual(Array(13).fill(true));
  for (const [feature, { writes, reads = [] }] of Object.entries(methods)) {
    await setMailFeature(app, feature, false);
    const pattern = new RegExp(`^.+ (?:is|are) not enabled \\(${feature.replace('.', '\\.')}\\)\\.$`);
    for (const [method, args] of writes)
      expect(await callMailOk(app, method, args), method).toMatchObject({
        ok: false,
        error: expect.stringMatching(pattern),
      });
    for (const [method, args] of reads) {
      const { status, body } = await callMail(app, method, args);
      expect([status, body.message], method).toEqual([422, expect.stringMatching(pattern)]);
    }
    await setMailFeature(app, feature, true);
  }
});

test('rejects creating shared mailboxes and adding members if mail.shared is off', async () => {
  const { key } = app.main.admin;
  const domain = `query { sendingDomains(first: 1) { nodes { id } } }`;
  const domain_id = Number((await queryGraphql(app, domain, {}, key)).data.sendingDomains.nodes[0].id);
  const create = (local: string) =>
    callMailOk(app, 'create_shared_mailbox', { local, name: 'Shared', domain_id }, key);
  const { account_id } = await create('of-the-feature');
  await setMailFeature(app, 'mail.shared', false);
  const error = { ok: false, error: expect.stringContaining('not enabled (mail.shared)') };
  expect(await create('another')).toEqual(error);
  expect(await callMailOk(app, 'set_shared_members', { account_id, member_user_ids: [] }, key)).toEqual(
    error,
  );
  expect((await callMail(app, 'get_shared_manage_state', { account_id }, key)).status).toBe(422);
  await setMailFeature(app, 'mail.shared', true);
  expect(await callMailOk(app, 'set_shared_members', { account_id, member_user_ids: [] }, key)).toMatchObject(
    {
      ok: true,
    },
  );
});

const buildCondition = (field: string, operator: string, value: string) => ({ field, operator, value });

test('evaluates rule conditions on sender, recipients, subject, body and attachments with each operator', async () => {
  const sharedMailbox = await createSharedMailbox(app.main.ctx, [app.main.user.id]);
  const buildRaw = (extra: string) =>
    `From: "Ann Archer" <ann@example.org>\nTo: Team <team@example.org>\nCc: Boss <boss@example.org>\n` +
    `Subject: Quarterly Report\nMessage-ID: <${Math.random()}@x>\n${extra}`;
  const attachedText =
    'Content-Type: multipart/mixed; boundary=b\n\n--b\n\nWith figures\n--b\nContent-Type: text/csv\n' +
    'Content-Disposition: attachment; filename=a.csv\n\n1,2\n--b--\n';
  await fileRaw(app.main, sharedMailbox, buildRaw('\nSee the numbers below\n'));
  await fileRaw(app.main, sharedMailbox, buildRaw(attachedText));
  const count = async (match_type: string, ...conditions: object[]) =>
    (
      await callMailOk(app, 'rule_preview', {
        account_id: sharedMailbox.id,
        rule: { match_type, conditions },
      })
    ).count;
  const cases: [string, string, string, number][] = [
    ['from', 'contains', 'ARCHER', 2],
    ['from', 'equals', 'ann@example.org', 2],
    ['from', 'startswith', 'ann a', 2],
    ['from', 'equals', 'ann', 0],
    ['to', 'equals', 'team@example.org', 2],
    ['to', 'contains', 'boss@', 2],
    ['to', 'startswith', 'example', 0],
    ['subject', 'equals', 'quarterly report', 2],
    ['subject', 'startswith', 'Quarter', 2],
    ['subject', 'startswith', 'Report', 0],
    ['subject', 'contains', 'report', 2],
    ['body', 'contains', 'figures', 1],
    ['body', 'startswith', 'see the', 1],
    ['has_attachment', 'equals', 'true', 1],
    ['has_attachment', 'equals', 'false', 1],
  ];
  for (const [field, operator, value, expectedCount] of cases)
    expect(await count('all', buildCondition(field, operator, value)), `${field} ${operator} ${value}`).toBe(
      expectedCount,
    );
  const both = [buildCondition('body', 'contains', 'figures'), buildCondition('body', 'contains', 'numbers')];
  expect([await count('all', ...both), await count('any', ...both)]).toEqual([0, 2]);
  const foreignMailbox = await createSharedMailbox(app.main.ctx, [app.main.user.id]);
  const { label_id } = await callMailOk(app, 'create_label', {
    account_id: foreignMailbox.id,
    name: 'Foreign',
  });
  for (const action of [
    { action: 'add_label', label_id },
    { action: 'move_to_folder', folder_id: foreignMailbox.folders.archive },
    { action: 'move_to_folder', folder_id: sharedMailbox.folders.sent },
  ]) {
    const rule = { name: 'x', conditions: [buildCondition('subject', 'contains', 'x')], actions: [action] };
    expect(
      await callMailOk(app, 'rule_save', { account_id: sharedMailbox.id, rule }),
      action.action,
    ).toMatchObject({
      ok: false,
    });
  }
});

test('applies each rule action to incoming mail', async () => {
  const { ctx, user, admin } = app.main;
  const from = await loadMailbox(ctx, admin.id);
  const { label_id: label } = await callMailOk(app, 'create_label', { account_id: box.id, name: 'By rule' });
  const { folder_id: folder } = await callMailOk(app, 'create_folder', {
    account_id: box.id,
    name: 'By rule',
  });
  const actions: Record<string, object> = {
    'rule-move': { action: 'move_to_folder', folder_id: folder },
    'rule-label': { action: 'add_label', label_id: label },
    'rule-read': { action: 'mark_read' },
    'rule-star': { action: 'star' },
    'rule-spam': { action: 'mark_spam' },
  };
  const plain = { folder: box.folders.inbox, labels: [], read: false, starred: false };
  const expected: Record<string, object> = {
    'rule-move': { ...plain, folder },
    'rule-label': { ...plain, labels: [label] },
    'rule-read': { ...plain, read: true },
    'rule-star': { ...plain, starred: true },
    'rule-spam': { ...plain, folder: box.folders.spam },
    'rule-move rule-star rule-read rule-label': { folder, labels: [label], read: true, starred: true },
    'no match': plain,
  };
  for (const [subject, action] of Object.entries(actions)) {
    const rule = {
      name: subject,
      conditions: [buildCondition('subject', 'contains', subject)],
      actions: [action],
    };
    expect(await callMailOk(app, 'rule_save', { account_id: box.id, rule })).toMatchObject({ ok: true });
  }
  for (const subject of Object.keys(expected)) {
    const args = { account_id: from.id, to: box.address, subject, body: 'x' };
    expect(await callMailOk(app, 'compose_send', args, admin.key)).toMatchObject({ ok: true });
  }
  const fields = ['subject', 'folder_id', 'label_ids', 'is_read', 'is_starred'];
  const domain = [
    ['account_id', '=', box.id],
    ['subject', 'in', Object.keys(expected)],
  ];
  let records: Record<string, unknown>[] = [];
  await until(async () => {
    records = await searchRecords('svc.mail.entry', { domain, fields }, user.key);
    return records.length === Object.keys(expected).length;
  }, 'all are filed');
  const states = records.map((record) => [
    record.subject,
    {
      folder: (record.folder_id as [number])[0],
      labels: record.label_ids,
      read: record.is_read,
      starred: record.is_starred,
    },
  ]);
  expect(Object.fromEntries(states)).toEqual(expected);
});

test("evaluates the dates of an auto-reply in its owner's time zone", async () => {
  const { ctx, user } = app.main;
  const formatToday = (timeZone: string) => new Intl.DateTimeFormat('sv', { timeZone }).format(new Date());
  const zones = ['Pacific/Kiritimati', 'Pacific/Niue'];
  // No day begins while the clock is frozen.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  // These time zones are 25 hours apart, so their dates always differ.
  for (const zone of zones) {
    await write(ctx, 'res.users', [user.id], { tz: zone });
    for (const day of zones.map(formatToday)) {
      const data = { active: true, body: 'Away.', from: day, until: day };
      const saved = await callMailOk(app, 'autoreply_save', { account_id: box.id, data });
      expect(saved.running, `${zone} ${day}`).toBe(day === formatToday(zone));
      expect((await callMailOk(app, 'autoreply_get', { account_id: box.id })).running).toBe(saved.running);
    }
  }
  await callMailOk(app, 'autoreply_save', { account_id: box.id, data: { active: false } });
  await write(ctx, 'res.users', [user.id], { tz: false });
});

test('get_entries searches the Drafts folder like draft_list', async () => {
  const sharedMailbox = await createSharedMailbox(app.main.ctx, [app.main.user.id]);
  for (const subject of ['Budget', 'Holiday'])
    await callMailOk(app, 'draft_save', { account_id: sharedMailbox.id, vals: { subject } });
  const entries = await callMailOk(app, 'get_entries', {
    folder_id: sharedMailbox.folders.drafts,
    search: 'holi',
  });
  expect(entries).toMatchObject({ count: 1, entries: [{ subject: 'Holiday' }] });
});
