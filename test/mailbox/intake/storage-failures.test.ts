import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MailExchangeServer } from '../../../facades/smtp/mx/facade.ts';
import { sql } from '../../../src/db/sql.ts';
import { type App, startApp } from '../../harness/app.ts';
import { trySendOverSmtp } from '../../harness/smtp.ts';
import { until } from '../../harness/wait.ts';
import { type S3Standin, startS3 } from '../../standins/s3.ts';
import { openExchange } from '../exchange.ts';
import { loadMailbox, type Mailbox } from '../mailboxes.ts';
import { findMiscounts } from '../recount.ts';

let app: App;
let bucket: S3Standin;
let proxy: Server;
let facade: MailExchangeServer;
let ann: Mailbox;
let isUp = true;

const startProxy = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
      if (!isUp) return socket.destroy();
      const upstream = dial(port, '127.0.0.1').on('error', () => socket.destroy());
      socket.pipe(upstream).pipe(socket);
      return undefined;
    });
    server.on('cut', () => {
      for (const socket of open) socket.destroy();
    });
    server.listen(0, '127.0.0.1', () => resolve(server));
  });

const cutConnection = () => {
  isUp = false;
  proxy.emit('cut');
};

beforeAll(async () => {
  bucket = await startS3();
  proxy = await startProxy(Number(/:(\d+)$/.exec(bucket.url)![1]));
  const { port } = proxy.address() as { port: number };
  app = await startApp({ DNS_SERVERS: '127.0.0.1:9', BLOB_URL: bucket.url.replace(/:\d+$/, `:${port}`) });
  ann = await loadMailbox(app.main.ctx, app.main.user.id);
  facade = await openExchange(app);
});
afterAll(async () => {
  await facade?.close();
  await app?.close();
  proxy?.close();
  await bucket?.close();
});

const deliverMail = (subject: string): Promise<string> => {
  const raw = `From: s@example.org\r\nTo: ${ann.address}\r\nMessage-ID: <${subject}@example.org>\r\nSubject: ${subject}\r\n\r\nText\r\n`;
  const envelope = { from: 's@example.org', to: ann.address };
  return trySendOverSmtp(facade.port, { envelope, raw }, { ignoreTLS: true });
};

const count = (from: 'svc_mail_intake' | 'svc_mail_entry') =>
  app.runtime.db.value<number>(
    from === 'svc_mail_intake'
      ? sql`select count(*)::int as n from svc_mail_intake where workspace_id = ${app.main.ctx.workspace.id}`
      : sql`select count(*)::int as n from svc_mail_entry where workspace_id = ${app.main.ctx.workspace.id}`,
  );

test('defers a message that cannot be stored, and accepts it on retry', async () => {
  cutConnection();
  expect(await deliverMail('stored')).toMatch(/^451 4\.3\.0 /);
  expect(await count('svc_mail_intake')).toBe(0);
  isUp = true;
  expect(await deliverMail('stored')).toMatch(/^250 /);
  expect(await count('svc_mail_intake')).toBe(1);
});

test('keeps a message queued while it cannot be read, and then files it once', async () => {
  expect(await count('svc_mail_entry')).toBe(0);
  cutConnection();
  await app.fileMail();
  const loadWaiting = () =>
    app.runtime.db.rows<{ error: string | null }>(
      sql`select error from svc_mail_delivery
       where workspace_id = ${app.main.ctx.workspace.id} and state = 'queued' and error is not null`,
    );
  await until(async () => (await loadWaiting()).length === 1, 'it is put back');
  expect(await count('svc_mail_entry')).toBe(0);
  isUp = true;
  await until(async () => (await count('svc_mail_entry')) === 1, 'it is filed', 120_000);
  expect(await loadWaiting()).toEqual([]);
  const entries = await app.runtime.db.rows(
    sql`select c.subject, c.state from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${app.main.ctx.workspace.id} and c.id = e.content_id
     where e.workspace_id = ${app.main.ctx.workspace.id}`,
  );
  expect(entries).toEqual([{ subject: 'stored', state: 'parsed' }]);
  expect(await findMiscounts(app)).toEqual([]);
}, 180_000);
