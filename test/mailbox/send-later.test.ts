import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closeWorkspace, reopenWorkspace } from '../../schema/base/workspace/delete-workspace.ts';
import { MAX_OUTGOING_ATTEMPTS } from '../../schema/mailbox/compose/send-due.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { until } from '../harness/wait.ts';
import { callMailOk, loadStates, queryGraphql, setUpMailbox } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
let workspace: number;

beforeAll(async () => {
  workspace = app.main.ctx.workspace.id;
  await app.runtime.db.rows(
    sql`update svc_mail_account set address = replace(address, 'main.localhost', 'main.test')
     where workspace_id = ${workspace}`,
  );
  await app.deliver();
  await app.sendLater();
});
afterAll(async () => {
  expect(await findMiscounts(app)).toEqual([]);
});

const SEND_LATER = `mutation ($accountId: ID!, $letter: MailLetterInput!, $sendAt: DateTime, $undoSeconds: Int) {
  mailSendLater(accountId: $accountId, letter: $letter, sendAt: $sendAt, undoSeconds: $undoSeconds) {
    ok error outgoingId sendAt } }`;
const UNDO = `mutation ($id: ID!) { mailSendUndo(outgoingId: $id) {
    ok error draftId attachmentIds fromAddress addSignature } }`;

const sendLater = async (message: object, when: object = { undoSeconds: 100 }, key = app.main.user.key) => {
  const response = await queryGraphql(
    app,
    SEND_LATER,
    { accountId: mailbox.id, letter: { to: 'ann@example.org', ...message }, ...when },
    key,
  );
  return response.data?.mailSendLater ?? response;
};
const undo = async (id: number, key = app.main.user.key) =>
  (await queryGraphql(app, UNDO, { id }, key)).data.mailSendUndo;

const loadCopies = (subject: string) =>
  app.runtime.db.rows<{ id: number; source: string; text: string }>(
    sql`select e.id, e.source, c.text from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${workspace} and c.id = e.content_id
     where e.workspace_id = ${workspace} and c.subject = ${subject}`,
  );
const loadSent = (subject: string) =>
  app.runtime.db.rows<{ raw: string }>(
    sql`select convert_from(raw, 'LATIN1') as raw from svc_outbox
     where workspace_id = ${workspace} and convert_from(raw, 'LATIN1') like ${`%Subject: ${subject}%`}`,
  );
const listOutgoing = async (key = app.main.user.key) =>
  (await queryGraphql(app, '{ outgoingMessages { nodes { id subject state error sendAt } } }', {}, key)).data
    .outgoingMessages.nodes as { id: string; subject: string; state: string; error: string | null }[];

const makeDue = async (...ids: string[]) => {
  const { db } = app.runtime;
  await db.rows(
    sql`update svc_mail_outgoing set next_at = now() where workspace_id = ${workspace} and id = any(${ids}::int[])`,
  );
  await db.rows(
    sql`update svc_due set next_at = now() where workspace_id = ${workspace} and kind = 'outgoing'`,
  );
};

test('undoing a send in time restores the draft with its files, and sends nothing', async () => {
  const attached = await callMailOk(app, 'compose_attach', {
    account_id: mailbox.id,
    filename: 'a.txt',
    data_b64: 'YQ==',
  });
  const draft = await callMailOk(app, 'draft_save', {
    account_id: mailbox.id,
    vals: { subject: 'Back', mode: 'forward' },
  });
  const sent = await sendLater({
    subject: 'Back',
    body: 'a <b',
    draftId: draft.draft_id,
    attachmentIds: [attached.attachment_id],
  });
  expect(sent).toMatchObject({ ok: true, error: null });
  expect(Date.parse(sent.sendAt) - Date.now()).toBeGreaterThan(60_000);
  expect(await listOutgoing()).toMatchObject([{ id: sent.outgoingId, subject: 'Back', state: 'WAITING' }]);
  expect(await callMailOk(app, 'draft_list', { account_id: mailbox.id })).toMatchObject({ count: 0 });
  expect(await listOutgoing(app.main.admin.key)).toEqual([]);
  expect(await undo(sent.outgoingId, app.main.admin.key)).toMatchObject({ ok: false, draftId: null });
  const back = await undo(sent.outgoingId);
  expect(back).toEqual({
    ok: true,
    error: null,
    draftId: expect.any(String),
    attachmentIds: [`${attached.attachment_id}`],
    fromAddress: '',
    addSignature: true,
  });
  expect(await callMailOk(app, 'draft_get', { draft_id: Number(back.draftId) })).toMatchObject({
    to: 'ann@example.org',
    subject: 'Back',
    body: '<pre>a &lt;b</pre>',
    mode: 'forward',
  });
  expect(await undo(sent.outgoingId)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/not waiting to be sent/),
  });
  expect(await loadCopies('Back')).toEqual([]);
  const dropped = await callMailOk(app, 'compose_attach_discard', { attachment_id: attached.attachment_id });
  expect(dropped).toEqual({ ok: true });
});

test('sanitizes the HTML of a scheduled message', async () => {
  const sent = await sendLater({ subject: 'Safe', bodyHtml: '<p>Hi</p><img src="x" onerror="alert(1)">' });
  const back = await undo(sent.outgoingId);
  const draft = await callMailOk(app, 'draft_get', { draft_id: Number(back.draftId) });
  expect(draft.body).toContain('<p>Hi</p>');
  expect(draft.body).not.toContain('onerror');
});

test('sends a message with its attachment at the scheduled time, after which the send cannot be undone', async () => {
  const { attachment_id } = await callMailOk(app, 'compose_attach', {
    account_id: mailbox.id,
    filename: 'note.txt',
    data_b64: 'aGVsbG8=',
  });
  const sendAt = new Date(Date.now() + 1_500).toISOString();
  const sent = await sendLater(
    { subject: 'On time', body: 'Hello', attachmentIds: [attachment_id] },
    { sendAt },
  );
  expect(sent).toMatchObject({ ok: true });
  // The scheduled message owns its attachments.
  const repeated = await callMailOk(app, 'compose_send', {
    account_id: mailbox.id,
    to: 'ann@example.org',
    subject: 'Thief',
    attachment_ids: [attachment_id],
  }).catch((error: Error) => error.message);
  expect(repeated).toMatch(/403/);
  expect(await loadCopies('On time')).toEqual([]);
  await until(async () => (await loadSent('On time')).length > 0, 'it is sent');
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(sendAt));
  const [copy, ...others] = await loadCopies('On time');
  expect(others).toEqual([]);
  expect((await loadStates(app.main.ctx, [copy!.id]))[0]).toMatchObject({ folder_id: mailbox.folders.sent });
  expect((await loadSent('On time'))[0]!.raw).toContain('note.txt');
  expect(await undo(sent.outgoingId)).toMatchObject({ ok: false });
  expect(await listOutgoing()).toEqual([]);
});

test('stores why a message could not be sent, and lets the user undo the send', async () => {
  const sent = await sendLater({ subject: 'Too late' });
  await app.runtime.db.rows(
    sql`insert into svc_suppression (workspace_id, id, email, reason) values (${workspace}, 800, 'ann@example.org', 'MANUAL')`,
  );
  await makeDue(sent.outgoingId);
  await until(async () => (await listOutgoing())[0]?.state === 'FAILED', 'it failed');
  expect(await listOutgoing()).toMatchObject([{ error: 'Every recipient is on the suppression list.' }]);
  expect(await undo(sent.outgoingId)).toMatchObject({ ok: true });
  await app.runtime.db.rows(sql`delete from svc_suppression where workspace_id = ${workspace}`);
  expect(await loadCopies('Too late')).toEqual([]);
});

test('fails a message after the maximum number of attempts', async () => {
  const { outgoingId } = await sendLater({ subject: 'Deadly' });
  await app.runtime.db.rows(
    sql`update svc_mail_outgoing set attempts = ${MAX_OUTGOING_ATTEMPTS}
     where workspace_id = ${workspace} and id = ${Number(outgoingId)}`,
  );
  await makeDue(outgoingId);
  await until(async () => (await listOutgoing())[0]?.state === 'FAILED', 'it failed');
  expect(await listOutgoing()).toMatchObject([{ id: outgoingId, error: 'It could not be sent.' }]);
  expect(await loadCopies('Deadly')).toEqual([]);
  expect(await undo(outgoingId)).toMatchObject({ ok: true });
});

test('does not let a process that lost its lease change the message', async () => {
  const { outgoingId } = await sendLater({ subject: 'Taken over' });
  const { db, identity } = app.runtime;
  const load = () =>
    db.rows<{ lease: string; attempts: number; error: string | null }>(
      sql`select lease, attempts, error from svc_mail_outgoing
       where workspace_id = ${workspace} and id = ${Number(outgoingId)}`,
    );
  const failed = Promise.withResolvers<void>();
  const principal = vi.spyOn(identity, 'principal').mockImplementationOnce(async () => {
    await db.rows(
      sql`update svc_mail_outgoing set lease = 'another process', attempts = attempts + 1,
         next_at = now() + interval '1 hour'
       where workspace_id = ${workspace} and id = ${Number(outgoingId)}`,
    );
    failed.resolve();
    throw new Error('The connection was lost.');
  });
  await makeDue(outgoingId);
  await failed.promise;
  principal.mockRestore();
  // The worker still sends later messages.
  const { outgoingId: later } = await sendLater({ subject: 'Later than the lost lease' });
  await makeDue(later);
  await until(async () => (await loadSent('Later than the lost lease')).length === 1, 'it is sent');
  expect(await load()).toEqual([{ lease: 'another process', attempts: 2, error: null }]);
  expect(await undo(outgoingId)).toMatchObject({ ok: true });
});

test('retries a message if its domain changes during the send', async () => {
  const { outgoingId } = await sendLater({ subject: 'Passing' });
  const { db } = app.runtime;
  const onSend = (action: Sql) =>
    db.rows(
      sql`create or replace function change_domain() returns trigger language plpgsql as
       $$ begin ${action} return old; end $$`,
    );
  await onSend(sql`update svc_domain set status = 'PENDING' where workspace_id = old.workspace_id;`);
  await db.rows(
    sql`create trigger change_domain before delete on svc_mail_outgoing
     for each row when (old.workspace_id > 0) execute function change_domain()`,
  );
  await makeDue(outgoingId);
  await until(async () => (await listOutgoing())[0]?.error, 'it was refused');
  expect(await listOutgoing()).toMatchObject([
    { state: 'WAITING', error: expect.stringMatching(/domain has just been changed/) },
  ]);
  await onSend(sql.empty);
  await makeDue(outgoingId);
  await until(async () => (await loadSent('Passing')).length === 1, 'it is sent');
});

test('sends scheduled messages with attachments one at a time', async () => {
  const ids: string[] = [];
  for (const n of [1, 2, 3]) {
    const file = { account_id: mailbox.id, filename: 'a.txt', data_b64: 'YQ==' };
    const { attachment_id } = await callMailOk(app, 'compose_attach', file);
    ids.push((await sendLater({ subject: `Heavy ${n}`, attachmentIds: [attachment_id] })).outgoingId);
  }
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  await makeDue(...ids);
  await until(async () => (await loadSent('Heavy')).length === 3, 'they are sent');
  const steps = sent.mock.calls.flatMap(([step]) => {
    const statement = step as unknown as string | { text?: string } | undefined;
    const text = (typeof statement === 'string' ? statement : statement?.text) ?? '';
    return /^\s*(select|delete)\b.*\bfrom svc_mail_staged\b/.exec(text)?.[1] ?? [];
  });
  sent.mockRestore();
  expect(steps).toEqual(['select', 'delete', 'select', 'delete', 'select', 'delete']);
});

test.each([
  ['no recipient', { to: '' }, {}, /^to: at least one/],
  ['a time in the past', {}, { sendAt: '2020-01-01T00:00:00Z' }, /^sendAt: must be in the future/],
  ['a time too far in the future', {}, { sendAt: '2999-01-01T00:00:00Z' }, /^sendAt: must be in the future/],
  [
    'both a time and an undo period',
    {},
    { sendAt: '2999-01-01T00:00:00Z', undoSeconds: 5 },
    /^Pass only one/,
  ],
  ['too many seconds', {}, { undoSeconds: 121 }, /^undoSeconds: must be from 0 to 120/],
  [
    "another user's address",
    { fromAddress: 'admin@main.test' },
    {},
    /^fromAddress: "admin@main.test" is not an address/,
  ],
])('rejects %s immediately', async (_name, message, when, error) => {
  expect(await sendLater(message, when)).toMatchObject({
    ok: false,
    error: expect.stringMatching(error),
    outgoingId: null,
  });
  expect(await listOutgoing()).toEqual([]);
});

test("returns an access error for another user's mailbox", async () => {
  const response = await sendLater({ subject: 'x' }, { undoSeconds: 1 }, app.main.admin.key);
  expect(response.errors[0].extensions.code).toBe('ACCESS_ERROR');
});

test('uses the undo period from the preferences if no time is specified', async () => {
  await callMailOk(app, 'save_prefs', { vals: { svc_mail_undo_send_seconds: 30 } });
  const { sendAt, outgoingId } = await sendLater({ subject: 'Prefs' }, {});
  const wait = Date.parse(sendAt) - Date.now();
  expect(wait).toBeGreaterThan(15_000);
  expect(wait).toBeLessThanOrEqual(30_000);
  expect(await undo(outgoingId)).toMatchObject({ ok: true });
});

test('adds the signature if the preferences say so', async () => {
  await callMailOk(app, 'save_signature', { account_id: mailbox.id, signature: '<p>Uma <i>User</i></p>' });
  const send = async (subject: string, overrides: object = {}) => {
    const response = await callMailOk(app, 'compose_send', {
      account_id: mailbox.id,
      to: 'ann@example.org',
      subject,
      body: 'Yes.\n\n> Shall we?',
      ...overrides,
    });
    expect(response.ok).toBe(true);
    return { id: response.entry_id, text: (await loadCopies(subject))[0]!.text };
  };
  const first = await send('Signed 1');
  expect(first.text).toBe('Yes.\n\n-- \nUma User\n\n> Shall we?\n');
  const quoting = await send('Signed quote', { body: 'Yes.\n\n> Shall we?\n> Uma User' });
  expect(quoting.text).toBe('Yes.\n\n-- \nUma User\n\n> Shall we?\n> Uma User\n');
  await callMailOk(app, 'save_prefs', { vals: { svc_mail_signature_placement: 'below_quote' } });
  expect((await send('Signed 2')).text).toBe('Yes.\n\n> Shall we?\n\n-- \nUma User\n');
  expect((await send('Signed 3', { add_signature: false })).text).not.toContain('Uma');
  await callMailOk(app, 'save_prefs', { vals: { svc_mail_signature_policy: 'new_only' } });
  expect((await send('Signed 4', { in_reply_to: first.id })).text).not.toContain('Uma');
  expect((await send('Signed 5', { body_html: '<p>Hi</p>' })).text).toContain('Uma User');
  await callMailOk(app, 'save_prefs', { vals: { svc_mail_signature_policy: 'never' } });
  expect((await send('Signed 6')).text).not.toContain('Uma');
});

test('sends messages that were being sent when the workspace was closed once it is restored', async () => {
  const subjects = ['Closing 1', 'Closing 2', 'Closing 3'];
  const ids: string[] = [];
  for (const subject of subjects) {
    const { attachment_id: attachmentId } = await callMailOk(app, 'compose_attach', {
      account_id: mailbox.id,
      filename: 'a.txt',
      data_b64: 'YQ==',
    });
    ids.push((await sendLater({ subject, attachmentIds: [attachmentId] })).outgoingId);
  }
  const blocker = new pg.Client(app.databaseUrl);
  await blocker.connect();
  try {
    await blocker.query('begin; lock table svc_mail_entry in exclusive mode');
    await makeDue(...ids);
    const isWaiting = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await until(
      async () => (await app.runtime.db.rows(isWaiting)).length > 0,
      'the first message is being sent',
    );
    await closeWorkspace(app.runtime, workspace, new Date(Date.now() + 86_400_000));
  } finally {
    await blocker.end();
  }
  const claimed = sql`select 1 from svc_mail_outgoing where workspace_id = ${workspace} and lease is not null`;
  await until(async () => (await app.runtime.db.rows(claimed)).length === 0, 'the messages are released');
  await reopenWorkspace(app.runtime, workspace);
  for (const subject of subjects)
    await until(async () => (await loadSent(subject)).length === 1, `${subject} is sent`);
  expect((await listOutgoing()).filter(({ subject }) => subjects.includes(subject))).toEqual([]);
});
