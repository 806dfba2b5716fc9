import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { findRunningUrl } from '../src/db/embedded/embedded.ts';
import { findFreePort } from '../test/harness/process.ts';
import { startNameServer } from '../test/standins/dns.ts';
import { callJson2 } from './lib/call-json2.ts';
import { getServerPid, readProcessCpu, readServerCpu } from './lib/cpu.ts';
import { buildMail } from './lib/mail.ts';
import { FIRST_MAILBOX_OFFSET, fillMailboxes, MAILBOX_DOMAIN } from './lib/mailboxes.ts';
import { computeMedian, run } from './lib/process.ts';
import { sendOneMessage } from './lib/smtp-client.ts';
import { openStage, readMemory } from './lib/stage.ts';

// `node bench/mail-io.ts [import|export|large]…` imports and exports 20 kB and 25 MB messages, and measures the memory.

const ROUNDS = Number(process.env.ROUNDS ?? 3);
/** Each call has 50 messages. */
const CALLS = Number(process.env.CALLS ?? 20);
const CONCURRENCY = 4;
const EXPORTED_MESSAGES = 3_000;
const LARGE_BYTES = 25 * 1024 * 1024;
const PASSWORD = 'bench-password-1';

const printLine = (line: string) => process.stdout.write(`${line}\n`);
const mxPort = await findFreePort();
const nameServer = await startNameServer({});
const dns = nameServer.address;
const stage = await openStage({ ROLE: 'all', MX_PORT: String(mxPort), DNS_SERVERS: dns });
let client = await connect();
const { port } = stage.app;
const parts: Record<string, () => Promise<void>> = {
  import: measureImports,
  export: measureExports,
  large: measureLargeImport,
};
const names = process.argv.slice(2);
try {
  await fillMailboxes(client, 10);
  for (const name of names.length ? names : Object.keys(parts)) await parts[name]!();
} finally {
  await client.end();
  await stage.close();
  nameServer.close();
}

async function connect(): Promise<pg.Client> {
  const openedClient = new pg.Client({ connectionString: (await findRunningUrl(stage.dataDir))! });
  await openedClient.connect();
  return openedClient;
}

/** Restarts the application, so that it has no free memory to reuse. */
async function restartStage(): Promise<void> {
  await client.end();
  await stage.restart();
  client = await connect();
}

function getMailbox(n: number) {
  return { account: FIRST_MAILBOX_OFFSET + n, folder: (FIRST_MAILBOX_OFFSET + n) * 10 + 1 };
}

async function measureImports(): Promise<void> {
  const figures = { ours: [] as number[], parser: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const baseline = run('bench/baseline/parser.ts', ['1000']);
    await new Promise((resolve) => baseline.child.once('close', resolve));
    const { ours: parser, mailparser } = JSON.parse(baseline.output());
    const pid = stage.app.process.child.pid!;
    const server = await getServerPid(client);
    const before = [readProcessCpu(pid), readServerCpu(server)] as const;
    const ours = await measureImportRate(round);
    const [node, postgres] = [readProcessCpu(pid) - before[0], readServerCpu(server) - before[1]].map((ms) =>
      (ms / (CALLS * 50)).toFixed(2),
    );
    printLine(
      `import ${ours}/s, ${node} ms of CPU in Node, ${postgres} in PostgreSQL; parser alone ${parser.perSecond}/s of ` +
        `${parser.cpu} ms of CPU, mailparser ${mailparser.perSecond}/s of ${mailparser.cpu} ms`,
    );
    if (round === 0) continue;
    figures.ours.push(ours);
    figures.parser.push(parser.perSecond);
  }
  const [ours, parser] = [computeMedian(figures.ours), computeMedian(figures.parser)];
  printLine(`import_messages: ${ours}/s against ${parser}/s = ${(ours / parser).toFixed(2)} (target 0.5)`);
}

async function measureImportRate(round: number): Promise<number> {
  const calls = Array.from({ length: CALLS }, (_, call) =>
    Array.from({ length: 50 }, (_, i) =>
      buildMail(`import-${round}-${call}-${i}`, round * 7 + call * 50 + i, 'x').toString('base64'),
    ),
  );
  const startTime = performance.now();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async (_, index) => {
      const { account, folder } = getMailbox(index + 1);
      for (let messages = calls.pop(); messages; messages = calls.pop())
        await callJson2(port, stage.userKey, 'svc.mail.account/import_messages', {
          account_id: account,
          folder_id: folder,
          messages,
        });
    }),
  );
  return Math.round((CALLS * 50 * 1000) / (performance.now() - startTime));
}

async function measureGrowth(run: () => Promise<unknown>): Promise<number> {
  const before = readMemory(stage);
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, readMemory(stage));
  }, 10);
  await run();
  clearInterval(watch);
  return peak - before;
}

async function createSession(): Promise<string> {
  const env = { ...process.env, DATA_DIR: stage.dataDir };
  const args = ['boot/cli.mjs', 'user', 'password', 'admin', '--workspace', 'main', '--password', PASSWORD];
  const { status, stderr } = spawnSync(process.execPath, args, { env });
  if (status !== 0) throw new Error(stderr.toString());
  const response = await fetch(`http://127.0.0.1:${port}/web/session/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      params: { db: 'main', login: 'admin', password: PASSWORD },
    }),
  });
  return response.headers
    .getSetCookie()
    .map((item) => item.split(';')[0])
    .join('; ');
}

/** Reads a response and discards it. @returns its size in bytes */
async function readAll(path: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body!) bytes += chunk.length;
  return bytes;
}

async function measureExports(): Promise<void> {
  const { account, folder } = getMailbox(9);
  for (let start = 0; start < EXPORTED_MESSAGES; start += 50)
    await callJson2(port, stage.userKey, 'svc.mail.account/import_messages', {
      account_id: account,
      folder_id: folder,
      messages: Array.from({ length: 50 }, (_, i) =>
        buildMail(`export-${start + i}`, start + i, 'x').toString('base64'),
      ),
    });
  await restartStage();
  const headers = { cookie: await createSession() };
  // The first request loads shared modules.
  await readAll(`/svc_mail/export/${folder}?offset=${EXPORTED_MESSAGES - 50}`, headers);
  let bytes = 0;
  const startTime = performance.now();
  const megabytes = await measureGrowth(async () => {
    bytes = await readAll(`/svc_mail/export/${folder}?offset=0`, headers);
  });
  const seconds = (performance.now() - startTime) / 1000;
  printLine(
    `export of ${EXPORTED_MESSAGES} messages: ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, ` +
      `memory + ${megabytes} MB (target: at most + 50 MB)`,
  );
}

async function measureLargeImport(): Promise<void> {
  await restartStage();
  const { account, folder } = getMailbox(10);
  const file = Buffer.alloc(LARGE_BYTES, 'Some text that is not the same everywhere. ').toString('base64');
  const raw = Buffer.from(
    `From: a@example.org\r\nTo: box10@${MAILBOX_DOMAIN}\r\nSubject: large\r\nMessage-ID: <large@example.org>\r\n` +
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
  const inMegabytes = await measureGrowth(async () => {
    await sendOneMessage(mxPort, `box10@${MAILBOX_DOMAIN}`, raw);
    while (!(await find())) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  printLine(`a message of 25 MB in by SMTP and filed: memory + ${inMegabytes} MB (target: at most + 150 MB)`);
  const id = await find();
  const asRaw = await measureGrowth(() =>
    readAll(`/mail/file?entry=${id}`, { authorization: `Bearer ${stage.userKey}` }),
  );
  const headers = { cookie: await createSession() };
  const asMbox = await measureGrowth(() => readAll(`/svc_mail/export/${folder}?offset=0`, headers));
  printLine(`out as it came: memory + ${asRaw} MB, as mbox: + ${asMbox} MB (target: at most + 150 MB)`);
}
