import { createServer, type Server } from 'node:net';
import type { ImapFlow } from 'imapflow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { startNameServer } from '../standins/dns.ts';
import { type Dovecot, dovecot, PASSWORD, startDovecot } from '../standins/dovecot.ts';
import { type ImapScript, startImap } from '../standins/imap.ts';
import { callMail, callMailOk, loadMailbox, setMailFeature, setUpMailbox } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const app = setUpApp({ MAIL_IMPORT_ALLOW_PRIVATE: '1' });
const mailbox = setUpMailbox(app);

const call = async (method: string, args: object) => {
  const response = await callMail(app, method, { account_id: mailbox.id, ...args });
  return { status: response.status, ...response.body };
};
const buildConn = (port: number, overrides: object = {}) => ({
  provider: 'custom',
  host: 'localhost',
  port,
  username: 'alice',
  password: PASSWORD,
  ...overrides,
});
const probe = (conn: object) => call('import_imap_probe', { conn });

async function withPrivateAllowed<T>(isAllowed: boolean, run: () => Promise<T>): Promise<T> {
  const { config } = app.runtime;
  config.mailImportAllowPrivate = isAllowed;
  return run().finally(() => {
    config.mailImportAllowPrivate = true;
  });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

test.each([['127.0.0.1'], ['10.1.2.3'], ['::1'], ['localhost'], ['sub.localhost'], ['169.254.169.254']])(
  'does not connect to the private address %s',
  async (host) => {
    const response = await withPrivateAllowed(false, () => probe(buildConn(993, { host })));
    expect(response).toMatchObject({ ok: false, code: 'private_address', error: expect.any(String) });
  },
);

test('does not connect to a name that resolves to a private address', async () => {
  let connections = 0;
  const server = createServer(() => connections++);
  const port = await listen(server);
  const { address, close } = await startNameServer({ 'A imap.example.test': ['127.0.0.1'] });
  app.runtime.config.dnsServers = [address];
  const connection = buildConn(port, { host: 'imap.example.test' });
  const result = await withPrivateAllowed(false, () => probe(connection));
  expect(result).toMatchObject({ ok: false, code: 'private_address' });
  expect(connections).toBe(0);
  expect((await probe(buildConn(993, { host: 'nowhere.example.test' }))).code).toBe('connect_failed');
  app.runtime.config.dnsServers = null;
  close();
  server.close();
});

test.each([
  [{ provider: 'hotmail' }, /conn\.provider/],
  [{ host: 'a b' }, /conn\.host/],
  [{ host: '' }, /conn\.host/],
  [{ port: 70_000 }, /conn\.port/],
  [{ username: 'a\r\nb' }, /conn\.username/],
  [{ password: '' }, /conn\.password/],
])('rejects the account settings %j, and names the invalid one', async (overrides, error) => {
  const response = await probe(buildConn(993, overrides));
  expect(response).toMatchObject({ ok: false, code: 'bad_value', error: expect.stringMatching(error) });
});

test('reports a connection error for a closed port, and for a server that does not speak IMAP', async () => {
  const server = createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const port = await listen(server);
  expect((await probe(buildConn(port))).code).toMatch(/^(?:protocol_error|connect_failed)$/);
  await new Promise((resolve) => server.close(resolve));
  expect(await probe(buildConn(port))).toMatchObject({ ok: false, code: 'connect_failed' });
});

test('requires the import feature, permission by policy, and a mailbox that the caller can access', async () => {
  const { id } = app.main.ctx.workspace;
  await app.runtime.db.rows(
    sql`insert into svc_mail_policy (workspace_id, key, value) values (${id}, 'import_who', 'administrators')`,
  );
  const source = { folder: 'INBOX', kind: 'inbox' };
  for (const response of [
    await probe(buildConn(993)),
    await call('import_imap_batch', { conn: buildConn(993), source }),
  ])
    expect(response).toMatchObject({
      ok: false,
      code: 'not_allowed',
      error: expect.stringContaining('import_who'),
    });
  await app.runtime.db.rows(sql`delete from svc_mail_policy where workspace_id = ${id}`);
  await setMailFeature(app, 'mail.import_imap', false);
  expect(await probe(buildConn(993))).toMatchObject({
    code: 'not_allowed',
    error: expect.stringContaining('mail.import_imap'),
  });
  await setMailFeature(app, 'mail.import_imap', true);
  const otherMailbox = await loadMailbox(app.main.ctx, app.main.admin.id);
  expect(
    (await call('import_imap_probe', { account_id: otherMailbox.id, conn: buildConn(993) })).status,
  ).toBe(403);
});

async function importFrom(script: ImapScript) {
  const server = await startImap(script);
  const conn = buildConn(server.port);
  try {
    return await call('import_imap_batch', { conn, source: { folder: 'INBOX' } });
  } finally {
    server.close();
  }
}

const describeFolder = (tag: string, messages: number, uidNext = '') =>
  `* ${messages} EXISTS\r\n* OK [UIDVALIDITY 1]\r\n${uidNext}${tag} OK done\r\n`;

test('imports a message from a server that does not announce the next UID', async () => {
  const response = await importFrom({ examine: (tag) => describeFolder(tag, 1) });
  expect(response).toMatchObject({ ok: true, imported: 1, done: true, next_uid: 2 });
});

test.each([
  ['rejects it', (tag: string) => `${tag} NO busy\r\n`],
  ['disconnects', () => null],
])('does not report a folder as complete if the server %s during a search', async (_name, search) => {
  expect(await importFrom({ search })).toMatchObject({ ok: false, code: 'protocol_error' });
});

test('finds messages after a large gap in a folder with hundreds of thousands of messages', async () => {
  const response = await importFrom({
    examine: (tag) => describeFolder(tag, 200_000, '* OK [UIDNEXT 900000]\r\n'),
    search: (tag, range) => {
      const [low = 0, high = 0] = range.split(':').map(Number);
      const uids = Array.from({ length: high - low + 1 }, (_, i) => low + i).filter((uid) => uid > 500_000);
      return `* SEARCH ${uids.join(' ')}\r\n${tag} OK done\r\n`;
    },
  });
  expect(response).toMatchObject({ ok: true, done: false, messages: 200_000 });
});

test('responds to other requests while a short response occupies the client library', async () => {
  let isImporting = true;
  const { promise: searching, resolve } = Promise.withResolvers<void>();
  const search = (tag: string) => {
    resolve();
    return `* VANISHED 1:4294967295\r\n* SEARCH 1\r\n${tag} OK done\r\n`;
  };
  const importing = importFrom({ search }).finally(() => {
    isImporting = false;
  });
  await searching;
  for (let i = 0; i < 20; i++) expect((await fetch(`${app.url}/api/health`)).status).toBe(200);
  expect(isImporting).toBe(true);
  expect(await importing).toMatchObject({ ok: true });
});

test('rejects a response that takes too much memory', async () => {
  const search = () => `* SEARCH${' 1'.repeat(20e6)}\r\n`;
  expect(await importFrom({ search })).toMatchObject({ ok: false, code: 'protocol_error' });
});

dovecot.describe('with Dovecot', () => {
  let server: Dovecot;
  beforeAll(async () => {
    server = await startDovecot();
  });
  afterAll(() => server.end());

  async function asAlice<T>(run: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = await server.signIn();
    try {
      return await run(client);
    } finally {
      await client.logout();
    }
  }
  const buildMail = (id: string) =>
    `From: a@example.org\r\nMessage-ID: <${id}@imap>\r\nDate: Wed, 4 Mar 2020 10:00:00 +0000\r\nSubject: ${id}\r\n\r\nx\r\n`;
  const append = (folder: string, ids: string[], flags: string[] = []) =>
    server.append(folder, ids.map(buildMail), flags, new Date('2026-05-06T07:08:09Z'));
  const importBatch = (source: object) =>
    call('import_imap_batch', { conn: buildConn(server.tlsPort), source });
  const createEntries = async (folder: number) =>
    (await callMailOk(app, 'get_entries', { folder_id: folder, limit: 200 })).entries;

  test('lists folders with their kinds and message counts, over implicit TLS and STARTTLS', async () => {
    await append('INBOX', ['p1', 'p2']);
    const folders = expect.arrayContaining([
      { folder: 'INBOX', name: 'INBOX', kind: 'inbox', messages: 2 },
      { folder: 'Sent', name: 'Sent', kind: 'sent', messages: 0 },
      { folder: 'Drafts', name: 'Drafts', kind: 'drafts', messages: 0 },
    ]);
    for (const port of [server.tlsPort, server.plainPort])
      expect(await probe(buildConn(port))).toEqual({ status: 200, ok: true, provider: 'custom', folders });
    const { data } = await postGraphql(
      app,
      `mutation ($c: MailImapAccount!) { mailImapProbe(accountId: ${mailbox.id}, conn: $c) { ok code folders { kind } } }`,
      { key: app.main.user.key, variables: { c: buildConn(server.tlsPort, { password: 'wrong' }) } },
    );
    expect(data.mailImapProbe).toEqual({ ok: false, code: 'auth_failed', folders: null });
  });

  test('rejects a certificate issued for another host', async () => {
    for (const port of [server.tlsPort, server.plainPort])
      expect((await probe(buildConn(port, { host: '127.0.0.1' }))).code).toBe('tls_failed');
  });

  test('reads a folder in batches, with flags and dates, and leaves it unchanged', async () => {
    const ids = Array.from({ length: 45 }, (_, i) => `b${i}`);
    await asAlice((client) => client.mailboxCreate('Work'));
    await append('Work', ids.slice(0, 44));
    await append('Work', ids.slice(44), ['\\Seen', '\\Flagged']);
    const first = await importBatch({ folder: 'Work', kind: 'folder' });
    expect(first).toMatchObject({
      ok: true,
      imported: 40,
      duplicates: 0,
      failed: 0,
      done: false,
      next_uid: 41,
    });
    const { next_uid, uidvalidity, folder_id } = first;
    const second = await importBatch({ folder: 'Work', kind: 'folder', uid_next: next_uid, uidvalidity });
    expect(second).toMatchObject({
      imported: 5,
      done: true,
      next_uid: 46,
      uidvalidity,
      folder_id,
      messages: 45,
    });
    const third = await importBatch({ folder: 'Work', uid_next: second.next_uid, uidvalidity });
    expect(third).toMatchObject({ ok: true, imported: 0, duplicates: 0, done: true, next_uid: 46 });
    const filed = await createEntries(folder_id);
    expect(filed).toHaveLength(45);
    const marks = filed.map((item: Record<string, unknown>) => [item.is_read, item.is_starred, item.date]);
    expect(marks.filter(([isRead]: boolean[]) => isRead)).toEqual([[true, true, '2026-05-06T07:08:09Z']]);
    const status = await asAlice((client) => client.status('Work', { unseen: true }));
    expect(status).toMatchObject({ unseen: 44 });
    expect(await findMiscounts(app)).toEqual([]);
  });

  test('reads a folder from the start if its UIDVALIDITY has changed, without filing messages twice', async () => {
    await asAlice((client) => client.mailboxCreate('Moved'));
    await append('Moved', ['u1', 'u2']);
    const before = await importBatch({ folder: 'Moved' });
    await asAlice(async (client) => {
      await client.mailboxDelete('Moved');
      await client.mailboxCreate('Moved');
    });
    await append('Moved', ['u1', 'u2', 'u3']);
    const { next_uid: uid_next, uidvalidity } = before;
    const after = await importBatch({ folder: 'Moved', uid_next, uidvalidity });
    expect(after).toMatchObject({ ok: true, imported: 1, duplicates: 2, done: true });
    expect(after.uidvalidity).not.toBe(uidvalidity);
  });

  test('reports an oversized message as failed, and files the others', async () => {
    await asAlice(async (client) => {
      await client.mailboxCreate('Large');
      await client.append(
        'Large',
        Buffer.concat([Buffer.from(buildMail('l0')), Buffer.alloc(26e6 + 300_000, 'x')]),
      );
    });
    await append('Large', ['l1']);
    const response = await importBatch({ folder: 'Large' });
    expect(response).toMatchObject({
      imported: 1,
      failed: 1,
      failures: [{ uid: 1, error: 'It is larger than 25 MB.' }],
      done: true,
    });
  });

  test('files messages in the folder that corresponds to their kind', async () => {
    await append('Sent', ['s1']);
    await append('Drafts', ['d1']);
    expect((await importBatch({ folder: 'Sent', kind: 'sent' })).folder_id).toBe(mailbox.folders.sent);
    const drafts = await importBatch({ folder: 'Drafts', kind: 'drafts' });
    expect(drafts).toMatchObject({ ok: true, imported: 1 });
    expect(drafts.folder_id).not.toBe(mailbox.folders.drafts);
  });

  test.each([
    [{ folder: 'None' }, 'folder_missing'],
    [{ folder: 'INBOX', kind: 'other' }, 'bad_value'],
    [{ folder: 'INBOX', limit: 41 }, 'bad_value'],
    [{ folder: '' }, 'bad_value'],
    [{ folder: 'INBOX', uid_next: 1.5 }, 'bad_value'],
  ])('rejects the source %j with the code %s', async (source, code) => {
    expect(await importBatch(source)).toMatchObject({ ok: false, code });
  });

  test('no table contains the password after the import', async () => {
    await call('import_imap_probe', { conn: JSON.stringify(buildConn(server.tlsPort)) });
    await call('import_imap_probe', { conn: buildConn(server.tlsPort, { password: [PASSWORD] }) });
    const tables = await app.runtime.db.rows<{ name: string }>(
      sql`select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    );
    expect(tables.length).toBeGreaterThan(50);
    for (const { name } of tables) {
      const { rows } = await app.runtime.db.pool.query(
        `select count(*)::int as n from "${name}" t where t::text like '%${PASSWORD}%'`,
      );
      expect([name, rows[0].n]).toEqual([name, 0]);
    }
  });
});
