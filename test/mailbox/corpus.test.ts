import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { readMbox } from '../../src/message/mbox/read-mbox.ts';
import { createTraceHash } from '../../src/message/trace-hash.ts';
import { setUpApp } from '../harness/app.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { setUp } from '../harness/set-up.ts';
import { until } from '../harness/wait.ts';
import { openExchange } from './exchange.ts';
import { callMailOk, queryGraphql, setUpMailbox } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/mail/corpus');
const toWireBytes = (bytes: Buffer): Buffer =>
  Buffer.from(
    `${bytes.toString('latin1').replace(/\r?\n/g, '\r\n')}\r\n`.replace(/(?:\r\n)+$/, '\r\n'),
    'latin1',
  );

const readWireBytes = (file: string): Buffer => toWireBytes(readFileSync(join(FOLDER, file)));

/** Repeated messages are rejected as duplicates, so each content is used once. */
const FILES = [
  ...new Map(
    globSync('**/*.eml', { cwd: FOLDER }).map((file) => [readWireBytes(file).toString('latin1'), file]),
  ).values(),
].sort();

const app = setUpApp({ DNS_SERVERS: '127.0.0.1:9' });
const facade = setUp(() => openExchange(app));
const box = setUpMailbox(app);
const filed = new Map<string, number>();

beforeAll(() => app.fileMail());

const buildSender = (index: number): string => `n${index}@corpus.example`;

function hashBelowTrace(file: string): string {
  const hash = createTraceHash();
  hash.push(readWireBytes(file));
  return hash.end().toString('hex');
}

test('accepts and files every message of the corpus', { timeout: 300_000 }, async () => {
  expect(FILES.length).toBeGreaterThan(100);
  const common = { host: '127.0.0.1', pool: true, maxConnections: 1, maxMessages: 1_000 };
  const tls = { rejectUnauthorized: false };
  const ways = [
    createTransport({ ...common, port: facade.port, tls }),
    createTransport({ ...common, port: facade.lmtpPort, lmtp: true, tls } as object),
  ];
  for (const [index, file] of FILES.entries()) {
    const envelope = { from: buildSender(index), to: [box.address] };
    const { rejected } = await ways[index % 2]!.sendMail({ envelope, raw: readWireBytes(file) });
    expect([file, rejected]).toEqual([file, []]);
  }
  for (const mode of ways) mode.close();
  const readRows = () =>
    app.runtime.db.rows<{ sender: string; state: string; entry: number | null }>(
      sql`select i.envelope_from as sender, d.state, d.entry_id as entry from svc_mail_delivery d
       join svc_mail_intake i on i.workspace_id = ${app.main.ctx.workspace.id} and i.id = d.intake_id
       where d.workspace_id = ${app.main.ctx.workspace.id}`,
    );
  const isDone = ({ state }: { state: string }) => state === 'filed' || state === 'duplicate';
  await until(async () => (await readRows()).every(isDone), 'all are filed', 240_000);
  const contents = new Map<string, string>();
  for (const row of await readRows()) {
    const file = FILES[Number(/\d+/.exec(row.sender)![0])]!;
    if (row.entry !== null) contents.set(hashBelowTrace(file), file);
    if (row.entry !== null) filed.set(file, row.entry);
  }
  // Some files differ only in their trace headers, so they have the same hash.
  for (const file of FILES) expect([file, contents.has(hashBelowTrace(file))]).toEqual([file, true]);
  expect(filed.size).toBe(contents.size);
  expect(await findMiscounts(app)).toEqual([]);
});

test('stores the raw message unchanged', async () => {
  const headers = { authorization: `Bearer ${app.main.user.key}` };
  for (const file of filed.keys()) {
    const response = await fetch(`${app.url}/mail/file?entry=${filed.get(file)}`, { headers });
    const storedBytes = Buffer.from(await response.arrayBuffer());
    expect([file, storedBytes.subarray(-readWireBytes(file).length).equals(readWireBytes(file))]).toEqual([
      file,
      true,
    ]);
  }
});

test('serves a page for each message, with and without remote images', async () => {
  const headers = { authorization: `Bearer ${app.main.user.key}` };
  for (const [file, id] of filed)
    for (const images of ['hide', 'show']) {
      const response = await fetch(`${app.url}/mail/body/${id}?images=${images}`, { headers });
      expect([file, response.status]).toEqual([file, 200]);
      expect([file, await response.text()]).toEqual([file, expect.stringMatching(/^<!doctype html>/)]);
    }
});

const FIELDS = `id subject from { name email } to { name email } cc { email } messageId references text textReply html
  headers { name value } attachments { name type size url } state thread { id }`;

test('returns the same message over JSON and GraphQL, and attachments of the stated size', {
  timeout: 300_000,
}, async () => {
  for (const file of filed.keys()) {
    const id = filed.get(file)!;
    const { data, errors } = await queryGraphql(app, `{ mailMessage(id: ${id}) { ${FIELDS} } }`);
    expect([file, errors]).toEqual([file, undefined]);
    const typed = data.mailMessage;
    const detail = await callMailOk(app, 'get_entry_detail', { entry_id: id });
    expect([file, typed.state]).toEqual([file, 'PARSED']);
    expect([file, detail.subject, detail.body_text, detail.text_reply, detail.body_html, detail.to]).toEqual([
      file,
      typed.subject ?? '',
      typed.text ?? '',
      typed.textReply,
      typed.html,
      typed.to,
    ]);
    for (const { url, size } of typed.attachments) {
      const bytes = await (await fetch(url)).arrayBuffer();
      expect([file, bytes.byteLength]).toEqual([file, size]);
    }
  }
});

test('exports each message unchanged', async () => {
  const cookie = await signInWeb(app, app.main.user);
  const response = await fetch(`${app.url}/svc_mail/export/${box.folders.inbox}`, { headers: { cookie } });
  expect(response.status).toBe(200);
  const bodies: Buffer[] = [];
  const bytes = Buffer.from(await response.arrayBuffer());
  const chunks = (async function* () {
    yield bytes;
  })();
  for await (const item of readMbox(chunks, { limit: 50e6 }))
    if (item.kind === 'message') bodies.push(item.raw);
  expect(bodies.length).toBe(filed.size);
  const normalize = (raw: Buffer) => raw.toString('latin1').replaceAll('\r\n', '\n').trimEnd();
  const exported = bodies.map(normalize);
  for (const file of filed.keys())
    expect([file, exported.some((item) => item.endsWith(normalize(readWireBytes(file))))]).toEqual([
      file,
      true,
    ]);
});
