import { expect, test } from 'vitest';
import {
  loadFailedDeliveries,
  retryFailedDeliveries,
} from '../../../schema/mailbox/filing/failed-deliveries.ts';
import { acceptMessage } from '../../../schema/mailbox/intake/accept.ts';
import { readWholeBlob } from '../../../src/db/blobs/read.ts';
import { sql } from '../../../src/db/sql.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { setUpApp } from '../../harness/app.ts';
import { until } from '../../harness/wait.ts';
import { setUpMailbox } from '../mailboxes.ts';
import { findMiscounts } from '../recount.ts';

const app = setUpApp();
const ann = setUpMailbox(app);

const getWorkspaceId = () => app.main.ctx.workspace.id;

interface Delivery {
  id: number;
  state: string;
  suspected: number;
  entry_id: number | null;
  raw_hash: string;
  intake_id: number;
}

async function acceptMail(subject: string): Promise<number> {
  await acceptMessage(app.runtime, {
    sender: 'bob@example.org',
    recipients: [ann.address],
    raw: Buffer.from(`From: bob@example.org\r\nSubject: ${subject}\r\n\r\nText of ${subject}.\r\n`),
    source: 'local',
  });
  return app.runtime.db.value<number>(
    sql`select id from svc_mail_delivery where workspace_id = ${getWorkspaceId()} order by id desc limit 1`,
  );
}

const loadDelivery = async (id: number) => {
  const [row] = await app.runtime.db.rows<Delivery>(
    sql`select d.id, d.state, d.suspected, d.entry_id, d.intake_id, i.raw_hash from svc_mail_delivery d
     join svc_mail_intake i on i.workspace_id = ${getWorkspaceId()} and i.id = d.intake_id
     where d.workspace_id = ${getWorkspaceId()} and d.id = ${id}`,
  );
  return row!;
};

/** Runs a worker only until the condition holds. */
async function fileUntil(isDone: () => Promise<boolean>, label: string): Promise<void> {
  const filer = await app.fileMail();
  await until(isDone, label);
  await filer.stop();
}

/** Simulates a worker that crashed while filing the delivery. */
async function abandonDelivery(id: number, suspected: number): Promise<void> {
  await app.runtime.db.rows(
    sql`update svc_mail_delivery set state = 'filing', lease = 'a worker that ended', suspected = ${suspected},
       next_at = now() - interval '1 second' where workspace_id = ${getWorkspaceId()} and id = ${id}`,
  );
  scheduleDueWork(app.runtime.db, getWorkspaceId(), 'intake');
}

const setRawHash = (intakeId: number, hash: string) =>
  app.runtime.db.rows(
    sql`update svc_mail_intake set raw_hash = ${hash} where workspace_id = ${getWorkspaceId()} and id = ${intakeId}`,
  );

const loadSubject = async (id: number) => {
  const { entry_id } = await loadDelivery(id);
  const [row] = await app.runtime.db.rows<{ subject: string }>(
    sql`select c.subject from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${getWorkspaceId()} and c.id = e.content_id
     where e.workspace_id = ${getWorkspaceId()} and e.id = ${entry_id}`,
  );
  return row?.subject;
};

test('counts an attempt as abandoned only while the process reads the message', async () => {
  const id = await acceptMail('counted');
  await abandonDelivery(id, 0);
  const holder = await app.runtime.db.pool.connect();
  await holder.query('begin');
  await holder.query('lock table svc_blob in access exclusive mode');
  const filer = await app.fileMail();
  await until(async () => (await loadDelivery(id)).suspected === 1, 'it is counted');
  await holder.query('rollback');
  holder.release();
  await until(async () => (await loadDelivery(id)).state === 'filed', 'it is filed');
  await filer.stop();
  expect((await loadDelivery(id)).suspected).toBe(0);
  expect(await loadSubject(id)).toBe('counted');
});

test('never files a placeholder after attempts that failed without a crash', async () => {
  const id = await acceptMail('store away');
  const { raw_hash, intake_id } = await loadDelivery(id);
  await setRawHash(intake_id, 'not there');
  for (let attempt = 0; attempt < 3; attempt++) {
    await abandonDelivery(id, (await loadDelivery(id)).suspected);
    await fileUntil(async () => (await loadDelivery(id)).state === 'queued', 'it is put back');
  }
  await setRawHash(intake_id, raw_hash);
  await abandonDelivery(id, (await loadDelivery(id)).suspected);
  await fileUntil(async () => (await loadDelivery(id)).state === 'filed', 'it is filed');
  expect(await loadSubject(id)).toBe('store away');
});

test('files a message that repeatedly crashes the process as an unread placeholder with its raw bytes', async () => {
  const id = await acceptMail('poison');
  await app.runtime.db.rows(
    sql`update svc_mail_intake set source = 'smtp'
     where workspace_id = ${getWorkspaceId()} and id = ${(await loadDelivery(id)).intake_id}`,
  );
  await abandonDelivery(id, 2);
  await fileUntil(async () => (await loadDelivery(id)).state === 'filed', 'it is filed');
  const { entry_id } = await loadDelivery(id);
  const [row] = await app.runtime.db.rows<{ raw_hash: string }>(
    sql`select c.subject, c.email_from, c.state, c.raw_hash, c.verdicts, e.folder_id from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${getWorkspaceId()} and c.id = e.content_id
     where e.workspace_id = ${getWorkspaceId()} and e.id = ${entry_id}`,
  );
  expect(row).toMatchObject({
    subject: 'A message that could not be read',
    email_from: 'bob@example.org',
    state: 'placeholder',
    verdicts: { dmarc: 'permerror' },
    folder_id: ann.folders.inbox,
  });
  expect((await readWholeBlob(app.main.ctx, row!.raw_hash)).toString()).toContain('Text of poison.');
  expect(await findMiscounts(app)).toEqual([]);
});

test('parses a message normally after a single abandoned attempt', async () => {
  const id = await acceptMail('innocent');
  await abandonDelivery(id, 1);
  await fileUntil(async () => (await loadDelivery(id)).state === 'filed', 'it is filed');
  expect(await loadSubject(id)).toBe('innocent');
  expect((await loadDelivery(id)).suspected).toBe(1);
});

test('lists messages that could not be filed, and files them again', async () => {
  const id = await acceptMail('failed');
  await fileUntil(async () => (await loadDelivery(id)).state === 'filed', 'it is filed');
  const otherId = await acceptMail('failed too');
  await app.runtime.db.rows(
    sql`update svc_mail_delivery set state = 'failed', error = 'the disk was full', next_at = null
     where workspace_id = ${getWorkspaceId()} and id = ${otherId}`,
  );
  const failed = await loadFailedDeliveries(app.main.ctx);
  expect(failed).toMatchObject([{ id: otherId, address: ann.address, error: 'the disk was full' }]);
  expect(JSON.stringify(failed)).not.toContain('failed too');
  expect(await retryFailedDeliveries(app.main.ctx, id)).toBe(0);
  expect(await retryFailedDeliveries(app.main.ctx, otherId)).toBe(1);
  await fileUntil(async () => (await loadDelivery(otherId)).state === 'filed', 'it is filed');
  expect(await loadFailedDeliveries(app.main.ctx)).toEqual([]);
});
