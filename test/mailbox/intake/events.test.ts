import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { openWebhookStage } from './webhook-receiver.ts';

const stage = await openWebhookStage();
beforeAll(() => stage.begin());
afterAll(() => stage.end());

test('sends no mailbox events until the mailbox owner enables them', async () => {
  await stage.hook(['mail.received', 'mail.sent', 'mail.delivered']);
  await stage.hook([]);
  await stage.exchange('Hidden');
  expect(await stage.callsOf('mail.%')).toEqual([]);
});

test('sends events with ids but no subjects if ids are enabled', async () => {
  expect(await stage.choose('user', stage.ann.id, 'IDS')).toEqual({ ok: true, error: null });
  const entry = await stage.exchange('Without subject');
  const calls = await stage.waitForCalls(entry.sent, ['mail.sent', 'mail.delivered']);
  expect(calls.map(({ type }) => type)).toEqual(['mail.sent', 'mail.delivered']);
  for (const { data } of calls)
    expect(data).toMatchObject({
      id: String(entry.sent),
      entryId: String(entry.sent),
      accountId: String(stage.ann.id),
      folder: 'sent',
      sender: stage.ann.address,
    });
  expect(JSON.stringify(calls)).not.toContain('Without subject');
  expect(JSON.stringify(calls)).not.toContain(stage.bob.address);
  // Bob has not changed his preferences.
  expect(await stage.callsOf('mail.received')).toEqual([]);
});

test('includes the mailbox, the folder, the sender and the subject if subjects are enabled', async () => {
  expect(await stage.choose('admin', stage.bob.id, 'SUBJECT')).toEqual({ ok: true, error: null });
  const { received } = await stage.exchange('With subject');
  const [call] = await stage.waitForCalls(received, ['mail.received']);
  expect(call!.data).toEqual({
    id: String(received),
    entryId: String(received),
    accountId: String(stage.bob.id),
    folderId: String(stage.bob.folders.inbox),
    folder: 'inbox',
    sender: stage.ann.address,
    subject: 'With subject',
    isSpam: false,
    occurredAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(call!.signed).toBe(true);
});

test('sends no mailbox events to a webhook that subscribes to all event types', async () => {
  const { app } = stage;
  const rows = await app.runtime.db.rows(
    sql`select 1 from svc_webhook_call c
     join svc_webhook w on w.workspace_id = ${app.main.ctx.workspace.id} and w.id = c.webhook_id
     where c.workspace_id = ${app.main.ctx.workspace.id} and w.event_types = '{}' and c.type like 'mail.%'`,
  );
  expect(rows).toEqual([]);
});

test('lets only the mailbox owner enable events', async () => {
  expect(await stage.choose('admin', stage.ann.id, 'SUBJECT')).toMatchObject({ code: 'ACCESS_ERROR' });
  expect(await stage.choose('user', stage.bob.id, 'NONE')).toMatchObject({ code: 'ACCESS_ERROR' });
});
