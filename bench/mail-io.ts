import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { findRunningUrl } from '../src/db/embedded/embedded.ts';
import { findFreePort } from '../test/harness/process.ts';
import { startNameServer } from '../test/standins/dns.ts';
import { ask } from './lib/ask.ts';
import { processCpu, serverCpu, serverPid } from './lib/cpu.ts';
import { mailOf } from './lib/mail.ts';
import { BEHIND, DOMAIN, fillMailboxes } from './lib/mailboxes.ts';
import { median, run } from './lib/process.ts';
import { bringOne } from './lib/smtp-client.ts';
import { memory, openStage } from './lib/stage.ts';

// node bench/mail-io.ts [import|export|large]…   Messages of 20 kB and of 25 MB in and out, and the memory it takes.

const ROUNDS = Number(process.env.ROUNDS ?? 3);
/** Calls of 50 messages in a round. */
const CALLS = Number(process.env.CALLS ?? 20);
const AT_ONCE = 4;
const EXPORTED = 3_000;
const LARGE = 25 * 1024 * 1024;
const PASSWORD = 'bench-password-1';

const say = (line: string) => process.stdout.write(`${line}\n`);
const mxPort = await findFreePort();
const { address: dns, socket } = await startNameServer({});
const stage = await openStage({ ROLE: 'all', MX_PORT: String(mxPort), DNS_SERVERS: dns });
let client = await connected();
const { port } = stage.app;
const parts: Record<string, () => Promise<void>> = { import: imports, export: exports, large };
const names = process.argv.slice(2);
try {
  await fillMailboxes(client, 10);
  for (const name of names.length ? names : Object.keys(parts)) await parts[name]!();
} finally {
  await client.end();
  await stage.close();
  socket.close();
}

async function connected(): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: (await findRunningUrl(stage.dataDir))! });
  await opened.connect();
  return opened;
}

/** A young process, which has no memory to spare. */
async function restarted(): Promise<void> {
  await client.end();
  await stage.restart();
  client = await connected();
}

function box(n: number) {
  return { account: BEHIND + n, folder: (BEHIND + n) * 10 + 1 };
}

async function imports(): Promise<void> {
  const figures = { ours: [] as number[], parser: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const alone = run('bench/baseline/parser.ts', ['1000']);
    await new Promise((resolve) => alone.child.once('close', resolve));
    const { ours: parser, mailparser } = JSON.parse(alone.output());
    const pid = stage.app.process.child.pid!;
    const server = await serverPid(client);
    const before = [processCpu(pid), serverCpu(server)] as const;
    const ours = await importRate(round);
    const [node, postgres] = [processCpu(pid) - before[0], serverCpu(server) - before[1]].map((ms) =>
      (ms / (CALLS * 50)).toFixed(2),
    );
    say(
      `import ${ours}/s, ${node} ms of CPU in Node, ${postgres} in PostgreSQL; parser alone ${parser.perSecond}/s of ` +
        `${parser.cpu} ms of CPU, mailparser ${mailparser.perSecond}/s of ${mailparser.cpu} ms`,
    );
    if (round === 0) continue;
    figures.ours.push(ours);
    figures.parser.push(parser.perSecond);
  }
  const [ours, parser] = [median(figures.ours), median(figures.parser)];
  say(`import_messages: ${ours}/s against ${parser}/s = ${(ours / parser).toFixed(2)} (target 0.5)`);
}

async function importRate(round: number): Promise<number> {
  const calls = Array.from({ length: CALLS }, (_, call) =>
    Array.from({ length: 50 }, (_, i) =>
      mailOf(`import-${round}-${call}-${i}`, round * 7 + call * 50 + i, 'x').toString('base64'),
    ),
  );
  const started = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      const { account, folder } = box(at + 1);
      for (let messages = calls.pop(); messages; messages = calls.pop())
        await ask(port, stage.userKey, 'svc.mail.account/import_messages', {
          account_id: account,
          folder_id: folder,
          messages,
        });
    }),
  );
  return Math.round((CALLS * 50 * 1000) / (performance.now() - started));
}

/** Runs something. @returns MB that the memory of the application went up at most */
async function grown(work: () => Promise<unknown>): Promise<number> {
  const before = memory(stage);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memory(stage));
  }, 10);
  await work();
  clearInterval(watch);
  return most - before;
}

async function session(): Promise<string> {
  const env = { ...process.env, DATA_DIR: stage.dataDir };
  const words = ['boot/cli.mjs', 'user', 'password', 'admin', '--workspace', 'main', '--password', PASSWORD];
  const { status, stderr } = spawnSync(process.execPath, words, { env });
  if (status !== 0) throw new Error(stderr.toString());
  const answer = await fetch(`http://127.0.0.1:${port}/web/session/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      params: { db: 'main', login: 'admin', password: PASSWORD },
    }),
  });
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}

/** Reads an answer without keeping it. @returns its bytes */
async function readAll(path: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  let bytes = 0;
  for await (const piece of answer.body!) bytes += piece.length;
  return bytes;
}

async function exports(): Promise<void> {
  const { account, folder } = box(9);
  for (let at = 0; at < EXPORTED; at += 50)
    await ask(port, stage.userKey, 'svc.mail.account/import_messages', {
      account_id: account,
      folder_id: folder,
      messages: Array.from({ length: 50 }, (_, i) =>
        mailOf(`export-${at + i}`, at + i, 'x').toString('base64'),
      ),
    });
  await restarted();
  const headers = { cookie: await session() };
  // The first one loads what all need.
  await readAll(`/svc_mail/export/${folder}?offset=${EXPORTED - 50}`, headers);
  let bytes = 0;
  const started = performance.now();
  const megabytes = await grown(async () => {
    bytes = await readAll(`/svc_mail/export/${folder}?offset=0`, headers);
  });
  const seconds = (performance.now() - started) / 1000;
  say(
    `export of ${EXPORTED} messages: ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, ` +
      `memory + ${megabytes} MB (target: at most + 50 MB)`,
  );
}

async function large(): Promise<void> {
  await restarted();
  const { account, folder } = box(10);
  const file = Buffer.alloc(LARGE, 'Some text that is not the same everywhere. ').toString('base64');
  const raw = Buffer.from(
    `From: a@example.org\r\nTo: box10@${DOMAIN}\r\nSubject: large\r\nMessage-ID: <large@example.org>\r\n` +
      'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=xx\r\n\r\n--xx\r\n\r\nText.\r\n--xx\r\n' +
      'Content-Type: application/octet-stream; name=large.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
      `${file.replace(/.{76}/g, '$&\r\n')}\r\n--xx--\r\n`,
  );
  const find = async (): Promise<number | undefined> =>
    (
      await client.query('select id from svc_mail_entry where workspace_id = 1 and account_id = $1', [
        account,
      ])
    ).rows[0]?.id;
  const inMegabytes = await grown(async () => {
    await bringOne(mxPort, `box10@${DOMAIN}`, raw);
    while (!(await find())) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  say(`a message of 25 MB in by SMTP and filed: memory + ${inMegabytes} MB (target: at most + 150 MB)`);
  const id = await find();
  const asRaw = await grown(() =>
    readAll(`/mail/file?entry=${id}`, { authorization: `Bearer ${stage.userKey}` }),
  );
  const headers = { cookie: await session() };
  const asMbox = await grown(() => readAll(`/svc_mail/export/${folder}?offset=0`, headers));
  say(`out as it came: memory + ${asRaw} MB, as mbox: + ${asMbox} MB (target: at most + 150 MB)`);
}
