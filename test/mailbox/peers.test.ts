import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MailExchangeServer } from '../../facades/smtp/mx/facade.ts';
import { sql } from '../../src/db/sql.ts';
import { type App, startApp } from '../harness/app.ts';
import { definePeer } from '../harness/peer.ts';
import { until } from '../harness/wait.ts';
import { createSelfSignedCertificate } from '../standins/certificate.ts';
import { openExchange } from './exchange.ts';
import { callMailOk, loadMailbox, type Mailbox, queryGraphql } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const run = promisify(execFile);
const findExisting = (...paths: string[]) => paths.find((path) => existsSync(path)) ?? null;
const swaks = definePeer(findExisting('/usr/bin/swaks'), 'swaks (apt-get install swaks)');
const hasTls = spawnSync('perl', ['-MNet::SSLeay', '-e', '1']).status === 0;
const swaksTls = definePeer(
  swaks.module && hasTls ? swaks.module : null,
  'libnet-ssleay-perl, by which swaks speaks TLS',
);
const smtpSource = definePeer(findExisting('/usr/sbin/smtp-source'), 'smtp-source (apt-get install postfix)');

let app: App;
let facade: MailExchangeServer;
let mailbox: Mailbox;
const folder = mkdtempSync(join(tmpdir(), 'atrium-peers-'));
const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];

beforeAll(async () => {
  const { privateKey, pem } = createSelfSignedCertificate('mx.main.test');
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  writeFileSync(cert, pem);
  app = await startApp({ DNS_SERVERS: '127.0.0.1:9', SMTP_TLS_KEY: key, SMTP_TLS_CERT: cert });
  mailbox = await loadMailbox(app.main.ctx, app.main.user.id);
  facade = await openExchange(app);
  await app.fileMail();
});
afterAll(async () => {
  await facade?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

const loadFiled = async (from: string) =>
  (
    await app.runtime.db.rows<{ id: number }>(
      sql`select e.id from svc_mail_entry e
       join svc_mail_message c on c.workspace_id = ${app.main.ctx.workspace.id} and c.id = e.content_id
       where e.workspace_id = ${app.main.ctx.workspace.id} and e.account_id = ${mailbox.id} and c.email_from = ${from}`,
    )
  ).map(({ id }) => id);

const send = (...extra: string[]) =>
  run(swaks.module, [
    '--server',
    '127.0.0.1',
    '--from',
    'sam@example.org',
    '--to',
    mailbox.address,
    ...extra,
  ]);

swaks.describe('swaks', () => {
  test.each([
    ['plainly', () => ['--port', String(facade.port)]],
    ['by LMTP', () => ['--port', String(facade.lmtpPort), '--protocol', 'LMTP']],
  ])('accepts a message with an attachment %s', async (protocol, to) => {
    const before = (await loadFiled('sam@example.org')).length;
    const file = ['--attach-type', 'text/plain', '--attach-name', 'notes.txt', '--attach', 'of the file'];
    const { stdout } = await send(
      ...[...to(), '--header', `Subject: By swaks ${protocol}`, '--body', 'Lunch?', ...file],
    );
    expect(stdout).toMatch(/-> \.\n<-\s+250 /);
    await until(async () => (await loadFiled('sam@example.org')).length === before + 1, 'it is filed');
    const entry_id = Math.max(...(await loadFiled('sam@example.org')));
    const message = await callMailOk(app, 'get_entry_detail', { entry_id });
    expect(message).toMatchObject({ subject: `By swaks ${protocol}`, state: 'parsed' });
    expect(message.body_text).toContain('Lunch?');
    expect(message.attachments).toMatchObject([{ name: 'notes.txt' }]);
  });

  test('rejects an unknown recipient', async () => {
    const result = run(swaks.module, [
      ...['--server', '127.0.0.1', '--port', String(facade.port), '--from', 'sam@example.org'],
      ...['--to', 'nowhere@main.test'],
    ]);
    await expect(result).rejects.toMatchObject({ stdout: expect.stringMatching(/550 5\.1\.1/) });
  });
});

swaksTls.describe('swaks over STARTTLS', () => {
  const sendOverTls = (ca: string) =>
    send(
      ...['--port', String(facade.port), '--tls', '--tls-verify', '--tls-ca-path', ca],
      ...['--from', 'sam.tls@example.org', '--header', 'Subject: Sealed on its way'],
    );

  test('uses the configured certificate, and records TLS in the Received header', async () => {
    const { stdout } = await sendOverTls(cert);
    expect(stdout).toMatch(/^ -> STARTTLS$/m);
    expect(stdout).toMatch(/=== TLS started with cipher TLSv1\.[23]/);
    expect(stdout).toMatch(/TLS peer DN="\/CN=mx\.main\.test"/);
    expect(stdout).toMatch(/^ ~> \.\n<~ {2}250 /m);
    await until(async () => (await loadFiled('sam.tls@example.org')).length === 1, 'it is filed');
    const [id] = await loadFiled('sam.tls@example.org');
    const { data } = await queryGraphql(
      app,
      `{ mailMessage(id: ${id}) { subject headers(names: ["received"]) { value } } }`,
    );
    expect(data.mailMessage.subject).toBe('Sealed on its way');
    expect(data.mailMessage.headers[0].value).toMatch(/ with ESMTPS id /);
  });

  test('the client disconnects before RCPT TO if it does not trust the certificate', async () => {
    const other = join(folder, 'other.pem');
    writeFileSync(other, createSelfSignedCertificate('mx.other.test').pem);
    const failed = await sendOverTls(other).catch((error) => error);
    expect(failed.stdout).toMatch(/^ -> STARTTLS$/m);
    expect(failed.stdout).not.toMatch(/RCPT TO/);
  });
});

smtpSource.describe("postfix's smtp-source", () => {
  test('files each message of several concurrent sessions once', async () => {
    await run(smtpSource.module, [
      ...['-m', '30', '-s', '6', '-l', '5000', '-f', 'load@example.org', '-t', mailbox.address],
      `127.0.0.1:${facade.port}`,
    ]);
    await until(async () => (await loadFiled('load@example.org')).length === 30, 'all are filed');
    expect(await loadFiled('load@example.org')).toHaveLength(30);
    expect(await findMiscounts(app)).toEqual([]);
  });
});
