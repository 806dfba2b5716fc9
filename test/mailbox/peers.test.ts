import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MailExchange } from '../../facades/smtp/mx/door.ts';
import { sql } from '../../src/db/sql.ts';
import { type App, startApp } from '../harness/app.ts';
import { peer } from '../harness/peer.ts';
import { until } from '../harness/wait.ts';
import { openExchange } from './exchange.ts';
import { type Mailbox, mailboxOf, mailed } from './mailboxes.ts';
import { miscounts } from './recount.ts';

// Programs of others bring mail.

const run = promisify(execFile);
const at = (...paths: string[]) => paths.find((path) => existsSync(path)) ?? null;
const swaks = peer(at('/usr/bin/swaks'), 'swaks (apt-get install swaks)');
const smtpSource = peer(at('/usr/sbin/smtp-source'), 'smtp-source (apt-get install postfix)');

let app: App;
let door: MailExchange;
let mine: Mailbox;

beforeAll(async () => {
  app = await startApp({ DNS_SERVERS: '127.0.0.1:9' });
  mine = await mailboxOf(app.main.ctx, app.main.user.id);
  door = await openExchange(app);
  await app.fileMail();
});
afterAll(async () => {
  await door?.close();
  await app?.close();
});

const filed = async (from: string) =>
  (
    await app.runtime.db.rows<{ id: number }>(
      sql`select e.id from svc_mail_entry e
       join svc_mail_message c on c.workspace_id = ${app.main.ctx.workspace.id} and c.id = e.content_id
       where e.workspace_id = ${app.main.ctx.workspace.id} and e.account_id = ${mine.id} and c.email_from = ${from}`,
    )
  ).map(({ id }) => id);

swaks.describe('swaks', () => {
  const send = (...more: string[]) =>
    run(swaks.found, ['--server', '127.0.0.1', '--from', 'sam@example.org', '--to', mine.address, ...more]);

  test.each([
    ['plainly', () => ['--port', String(door.port)]],
    ['by LMTP', () => ['--port', String(door.lmtpPort), '--protocol', 'LMTP']],
  ])('brings a message %s, with its attachment', async (how, to) => {
    const before = (await filed('sam@example.org')).length;
    const file = ['--attach-type', 'text/plain', '--attach-name', 'notes.txt', '--attach', 'of the file'];
    const { stdout } = await send(
      ...[...to(), '--header', `Subject: By swaks ${how}`, '--body', 'Lunch?', ...file],
    );
    expect(stdout).toMatch(/-> \.\n<-\s+250 /);
    await until(async () => (await filed('sam@example.org')).length === before + 1, 'it is filed');
    const entry_id = Math.max(...(await filed('sam@example.org')));
    const message = await mailed(app, 'get_entry_detail', { entry_id });
    expect(message).toMatchObject({ subject: `By swaks ${how}`, state: 'parsed' });
    expect(message.body_text).toContain('Lunch?');
    expect(message.attachments).toMatchObject([{ name: 'notes.txt' }]);
  });

  test('hears of a recipient that there is not', async () => {
    const refused = run(swaks.found, [
      ...['--server', '127.0.0.1', '--port', String(door.port), '--from', 'sam@example.org'],
      ...['--to', 'nowhere@main.test'],
    ]);
    await expect(refused).rejects.toMatchObject({ stdout: expect.stringMatching(/550 5\.1\.1/) });
  });
});

smtpSource.describe("postfix's smtp-source", () => {
  test('brings many messages in several sessions, and each is filed once', async () => {
    await run(smtpSource.found, [
      ...['-m', '30', '-s', '6', '-l', '5000', '-f', 'load@example.org', '-t', mine.address],
      `127.0.0.1:${door.port}`,
    ]);
    await until(async () => (await filed('load@example.org')).length === 30, 'all are filed');
    expect(await filed('load@example.org')).toHaveLength(30);
    expect(await miscounts(app)).toEqual([]);
  });
});
