import { afterAll, beforeAll, expect, test } from 'vitest';
import { failedDeliveries, retryFailed } from '../../../schema/mail/filing/failed.ts';
import { accept } from '../../../schema/mail/intake/accept.ts';
import { readWholeBlob } from '../../../src/db/blobs/read.ts';
import { sql } from '../../../src/db/sql.ts';
import { scheduleDue } from '../../../src/engine/work/due.ts';
import { type App, startApp } from '../../harness/app.ts';
import { until } from '../../harness/wait.ts';
import { type Mailbox, mailboxOf } from '../mailboxes.ts';
import { miscounts } from '../recount.ts';

// Messages at which processes end, and those that cannot be filed.

let app: App;
let ann: Mailbox;

beforeAll(async () => {
  app = await startApp();
  ann = await mailboxOf(app.main.ctx, app.main.user.id);
});
afterAll(() => app.close());

const workspace = () => app.main.ctx.workspace.id;

interface Delivery {
  id: number;
  state: string;
  suspected: number;
  entry_id: number | null;
  raw_hash: string;
  intake_id: number;
}

/** Takes a message that nothing files yet. */
async function taken(subject: string): Promise<number> {
  await accept(app.runtime, {
    sender: 'bob@example.org',
    recipients: [ann.address],
    raw: Buffer.from(`From: bob@example.org\r\nSubject: ${subject}\r\n\r\nText of ${subject}.\r\n`),
    source: 'local',
  });
  const [row] = await app.runtime.db.rows<{ id: number }>(
    sql`select id from svc_mail_delivery where workspace_id = ${workspace()} order by id desc limit 1`,
  );
  return row!.id;
}

const deliveryOf = async (id: number) => {
  const [row] = await app.runtime.db.rows<Delivery>(
    sql`select d.id, d.state, d.suspected, d.entry_id, d.intake_id, i.raw_hash from svc_mail_delivery d
     join svc_mail_intake i on i.workspace_id = ${workspace()} and i.id = d.intake_id
     where d.workspace_id = ${workspace()} and d.id = ${id}`,
  );
  return row!;
};

/** Files until something is so; what comes before and after is filed by no worker. */
async function filingUntil(done: () => Promise<boolean>, what: string): Promise<void> {
  const filer = await app.fileMail();
  await until(done, what);
  await filer.stop();
}

/** As it is when the process that filed it has ended. */
async function leftBehind(id: number, suspected: number): Promise<void> {
  await app.runtime.db.rows(
    sql`update svc_mail_delivery set state = 'filing', lease = 'a worker that ended', suspected = ${suspected},
       next_at = now() - interval '1 second' where workspace_id = ${workspace()} and id = ${id}`,
  );
  scheduleDue(app.runtime.db, workspace(), 'intake');
}

const named = (intakeId: number, hash: string) =>
  app.runtime.db.rows(
    sql`update svc_mail_intake set raw_hash = ${hash} where workspace_id = ${workspace()} and id = ${intakeId}`,
  );

const subjectOf = async (id: number) => {
  const { entry_id } = await deliveryOf(id);
  const [row] = await app.runtime.db.rows<{ subject: string }>(
    sql`select c.subject from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${workspace()} and c.id = e.content_id
     where e.workspace_id = ${workspace()} and e.id = ${entry_id}`,
  );
  return row?.subject;
};

test('an attempt at a message that a process left behind is counted while the message is read', async () => {
  const id = await taken('counted');
  await leftBehind(id, 0);
  const holder = await app.runtime.db.pool.connect();
  await holder.query('begin');
  await holder.query('lock table svc_blob in access exclusive mode');
  const filer = await app.fileMail();
  await until(async () => (await deliveryOf(id)).suspected === 1, 'it is counted');
  await holder.query('rollback');
  holder.release();
  await until(async () => (await deliveryOf(id)).state === 'filed', 'it is filed');
  await filer.stop();
  expect((await deliveryOf(id)).suspected).toBe(0);
  expect(await subjectOf(id)).toBe('counted');
});

test('attempts that fail without ending a process never make a placeholder', async () => {
  const id = await taken('store away');
  const { raw_hash, intake_id } = await deliveryOf(id);
  await named(intake_id, 'not there');
  for (let attempt = 0; attempt < 3; attempt++) {
    await leftBehind(id, (await deliveryOf(id)).suspected);
    await filingUntil(async () => (await deliveryOf(id)).state === 'queued', 'it is put back');
  }
  await named(intake_id, raw_hash);
  await leftBehind(id, (await deliveryOf(id)).suspected);
  await filingUntil(async () => (await deliveryOf(id)).state === 'filed', 'it is filed');
  expect(await subjectOf(id)).toBe('store away');
});

test('a message at which processes keep ending is filed unread, with its raw message', async () => {
  const id = await taken('poison');
  await app.runtime.db.rows(
    sql`update svc_mail_intake set source = 'smtp'
     where workspace_id = ${workspace()} and id = ${(await deliveryOf(id)).intake_id}`,
  );
  await leftBehind(id, 2);
  await filingUntil(async () => (await deliveryOf(id)).state === 'filed', 'it is filed');
  const { entry_id } = await deliveryOf(id);
  const [row] = await app.runtime.db.rows<{ raw_hash: string }>(
    sql`select c.subject, c.email_from, c.state, c.raw_hash, c.verdicts, e.folder_id from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${workspace()} and c.id = e.content_id
     where e.workspace_id = ${workspace()} and e.id = ${entry_id}`,
  );
  expect(row).toMatchObject({
    subject: 'A message that could not be read',
    email_from: 'bob@example.org',
    state: 'placeholder',
    verdicts: { dmarc: 'permerror' },
    folder_id: ann.folders.inbox,
  });
  expect((await readWholeBlob(app.main.ctx, row!.raw_hash)).toString()).toContain('Text of poison.');
  expect(await miscounts(app)).toEqual([]);
});

test('messages beside it are read as ever', async () => {
  const id = await taken('innocent');
  await leftBehind(id, 1);
  await filingUntil(async () => (await deliveryOf(id)).state === 'filed', 'it is filed');
  expect(await subjectOf(id)).toBe('innocent');
  expect((await deliveryOf(id)).suspected).toBe(1);
});

test('messages that could not be filed are listed and filed once more', async () => {
  const id = await taken('failed');
  await filingUntil(async () => (await deliveryOf(id)).state === 'filed', 'it is filed');
  const other = await taken('failed too');
  await app.runtime.db.rows(
    sql`update svc_mail_delivery set state = 'failed', error = 'the disk was full', next_at = null
     where workspace_id = ${workspace()} and id = ${other}`,
  );
  const failed = await failedDeliveries(app.main.ctx);
  expect(failed).toMatchObject([{ id: other, address: ann.address, error: 'the disk was full' }]);
  expect(JSON.stringify(failed)).not.toContain('failed too');
  expect(await retryFailed(app.main.ctx, id)).toBe(0);
  expect(await retryFailed(app.main.ctx, other)).toBe(1);
  await filingUntil(async () => (await deliveryOf(other)).state === 'filed', 'it is filed');
  expect(await failedDeliveries(app.main.ctx)).toEqual([]);
});
