import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { closeWorkspace, purgeWorkspace } from '../../schema/base/workspace/delete-workspace.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { setUp } from '../harness/set-up.ts';
import type { Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';
import { openExchange } from '../mailbox/exchange.ts';
import { loadMailbox } from '../mailbox/mailboxes.ts';

const app = setUpApp({ DNS_SERVERS: '127.0.0.1:9' });
const facade = setUp(() => openExchange(app));

const close = (tenant: Tenant) =>
  closeWorkspace(app.runtime, tenant.ctx.workspace.id, new Date(Date.now() + 86_400_000));

async function countRows(tenant: Tenant, tables: string[]): Promise<number[]> {
  const { id } = tenant.ctx.workspace;
  return Promise.all(
    tables.map((table) =>
      app.runtime.db.value<number>(
        sql`select count(*)::int from ${sql.id(table)} t where t.workspace_id = ${id}`,
      ),
    ),
  );
}

/** Starts an SMTP session. The returned function sends lines and returns the last line of the reply. */
async function openSession(): Promise<(lines: string) => Promise<string>> {
  const socket = connect(facade.port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  const readReply = async () => {
    await until(() => /^\d{3} .*\r\n$/m.test(received), 'a reply');
    const reply = received.trim().split('\r\n').at(-1)!;
    received = '';
    return reply;
  };
  await readReply();
  return (lines) => {
    socket.write(`${lines}\r\n`);
    return readReply();
  };
}

test('rejects a message that was still arriving when its workspace was closed', async () => {
  const tenant = await app.tenant('arriving');
  const { address } = await loadMailbox(tenant.ctx, tenant.admin.id);
  const say = await openSession();
  await say('EHLO sender.example.org');
  await say('MAIL FROM:<a@example.org>');
  expect(await say(`RCPT TO:<${address}>`)).toMatch(/^250/);
  expect(await say('DATA')).toMatch(/^354/);
  await close(tenant);
  const finish = await say('Subject: Late\r\n\r\nText\r\n.');
  expect(finish).toMatch(/^550 5\.1\.1/);
  expect(await say('QUIT')).toMatch(/^221/);
  expect(await countRows(tenant, ['svc_mail_intake', 'svc_mail_delivery'])).toEqual([0, 0]);
});

test('rejects an upload whose workspace is deleted in the meantime, and keeps none of its bytes', async () => {
  const tenant = await app.tenant('uploading');
  let resume = () => {};
  const isDeleted = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const part = new Uint8Array(3_000_000);
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(part);
      await isDeleted;
      controller.enqueue(part);
      controller.close();
    },
  });
  const pending = fetch(`${app.url}/web/uploads?filename=a.bin`, {
    method: 'PUT',
    body,
    headers: { authorization: `Bearer ${tenant.admin.key}` },
    duplex: 'half',
  } as RequestInit);
  await until(async () => (await countRows(tenant, ['svc_blob_chunk']))[0]! > 0, 'bytes are stored');
  await close(tenant);
  await purgeWorkspace(app.runtime, tenant.ctx.workspace.id);
  resume();
  const response = await pending;
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(/was deleted/) } });
  expect(await countRows(tenant, ['svc_blob', 'svc_blob_chunk', 'svc_upload'])).toEqual([0, 0, 0]);
});
