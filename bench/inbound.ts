import pg from 'pg';
import { findFreePort } from '../test/harness/process.ts';
import { startNameServer } from '../test/standins/dns.ts';
import { getServerPid, readProcessCpu, readServerCpu } from './lib/cpu.ts';
import { FIRST_MAILBOX_OFFSET, fillMailboxes, MAILBOX_DOMAIN } from './lib/mailboxes.ts';
import { type BenchProcess, computeMedian, run, waitUntilReady } from './lib/process.ts';
import { sendMessages } from './lib/smtp-client.ts';
import { openStage } from './lib/stage.ts';

// `node bench/inbound.ts [accept|filing|stream|flood]…` measures inbound mail for MAILBOXES (10,000) mailboxes.

const MAILBOXES = Number(process.env.MAILBOXES ?? 10_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const MS = Number(process.env.MS ?? 3_000);
/** Messages to file per round. */
const COUNT = Number(process.env.COUNT ?? 2_000);
/** Duration of the steady stream. */
const SECONDS = Number(process.env.SECONDS ?? 20);
const CONNECTIONS = 16;

const printLine = (line: string) => process.stdout.write(`${line}\n`);
const waitMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const names = process.argv.slice(2);
const [mxPort, rawPort, rawHttp] = [await findFreePort(), await findFreePort(), await findFreePort()];
const nameServer = await startNameServer({});
const dns = nameServer.address;
const stage = await openStage({ ROLE: 'web', MX_PORT: String(mxPort), DNS_SERVERS: dns });
const client = new pg.Client({ connectionString: stage.databaseUrl });
const raw = run('bench/baseline/smtp.ts', [], {
  DATABASE_URL: stage.databaseUrl,
  PORT: String(rawHttp),
  SMTP_PORT: String(rawPort),
});
const parts: Record<string, () => Promise<void>> = {
  accept,
  filing: measureFiling,
  stream: measureStream,
  flood: measureFlood,
};
try {
  await client.connect();
  await waitUntilReady(`http://127.0.0.1:${rawHttp}/`, raw);
  await fillMailboxes(client, MAILBOXES);
  for (const name of names.length ? names : Object.keys(parts)) await parts[name]!();
} finally {
  await raw.stop();
  await client.end();
  await stage.close();
  nameServer.close();
}

function buildJob(overrides: object) {
  return {
    port: mxPort,
    from: 1,
    mailboxes: MAILBOXES,
    domain: MAILBOX_DOMAIN,
    connections: CONNECTIONS,
    ...overrides,
  };
}

async function accept(): Promise<void> {
  const figures = { ours: [] as number[], raw: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const [side, port, { child }] of [
      ['ours', mxPort, stage.app.process],
      ['raw', rawPort, raw],
    ] as const) {
      const used = await startCpuMeter(child.pid!);
      const { accepted, perSecond, rejectedReplies } = await sendMessages(buildJob({ port, ms: MS }));
      if (rejectedReplies.length > 0) throw new Error(rejectedReplies.join('\n'));
      // The first round opens connections and plans statements.
      if (round > 0) figures[side].push(perSecond);
      printLine(`accept ${side} ${perSecond}/s, ${used(accepted)}`);
      // Plans made for empty tables scan them. Autovacuum replaces such plans within a minute.
      if (round === 0) await client.query('analyze');
    }
  const [ours, bare] = [computeMedian(figures.ours), computeMedian(figures.raw)];
  printLine(`accept: ${ours}/s against ${bare}/s = ${(ours / bare).toFixed(2)} (target 0.5)`);
  await waitUntilFiled();
}

/** @returns a function that formats the CPU time per message since this call */
async function startCpuMeter(pid: number): Promise<(messages: number) => string> {
  const server = await getServerPid(client);
  const before = [readProcessCpu(pid), readServerCpu(server)] as const;
  return (messages) =>
    [readProcessCpu(pid) - before[0], readServerCpu(server) - before[1]]
      .map((ms, i) => `${(ms / messages).toFixed(2)} ms of CPU ${i === 0 ? 'in Node' : 'in PostgreSQL'}`)
      .join(', ');
}

function startFiler(): BenchProcess {
  return run('--max-semi-space-size=16', ['boot/main.mjs'], {
    DATABASE_URL: stage.databaseUrl,
    DATA_DIR: stage.dataDir,
    PORT: '0',
    ROLE: 'worker',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    DNS_SERVERS: dns,
  });
}

async function countUnfiled(): Promise<number> {
  const { rows } = await client.query(
    'select count(*)::int as n from svc_mail_delivery where workspace_id = 1 and next_at is not null',
  );
  return rows[0].n;
}

async function waitUntilFiled(): Promise<void> {
  const worker = startFiler();
  while ((await countUnfiled()) > 0) await waitMs(500);
  await worker.stop();
  await client.query('vacuum analyze');
}

async function measureFiling(): Promise<void> {
  const figures = {
    ours: [] as number[],
    parser: [] as number[],
    mailparser: [] as number[],
    floor: [] as number[],
  };
  for (let round = 0; round <= ROUNDS; round++) {
    const baseline = run('bench/baseline/parser.ts', [String(COUNT)]);
    await new Promise((resolve) => baseline.child.once('close', resolve));
    const { ours: parser, mailparser } = JSON.parse(baseline.output());
    const floor = await measureFloorRate();
    const ours = await measureFilingRate();
    printLine(
      `filing ${ours}/s, parser alone ${parser.perSecond}/s of ${parser.cpu} ms of CPU, ` +
        `mailparser ${mailparser.perSecond}/s of ${mailparser.cpu} ms`,
    );
    if (round === 0) continue;
    figures.ours.push(ours);
    figures.floor.push(floor);
    figures.parser.push(parser.perSecond);
    figures.mailparser.push(mailparser.perSecond);
  }
  const [ours, parser, mailparser, floor] = [
    figures.ours,
    figures.parser,
    figures.mailparser,
    figures.floor,
  ].map(computeMedian) as number[];
  printLine(
    `filing: ${ours}/s against ${parser}/s of the parser alone = ${(ours! / parser!).toFixed(2)} (target 0.5); ` +
      `mailparser alone ${mailparser}/s; the parser and bare rows ${floor}/s: ` +
      `${(floor! / parser!).toFixed(2)} of the parser alone, and filing ${(ours! / floor!).toFixed(2)} of that`,
  );
}

/**
 * Measures the messages per second of `bench/baseline/filing.ts`, which only writes bare rows and a full-text index.
 */
async function measureFloorRate(): Promise<number> {
  const used = await startCpuMeter(process.pid);
  const bareProcess = run('bench/baseline/filing.ts', [String(COUNT)], { DATABASE_URL: stage.databaseUrl });
  await new Promise((resolve) => bareProcess.child.once('close', resolve));
  const { perSecond, cpu } = JSON.parse(bareProcess.output());
  const inPostgres = used(COUNT * 1.15).split(', ')[1];
  printLine(`the parser and bare rows ${perSecond}/s, ${cpu} ms of CPU in Node, ${inPostgres}`);
  return perSecond;
}

/** Measures the messages per second that one process files from a backlog, after the first 15%. */
async function measureFilingRate(): Promise<number> {
  await sendMessages(buildJob({ count: COUNT, mailboxes: Math.min(MAILBOXES, 500) }));
  const worker = startFiler();
  try {
    const from = COUNT * 0.85;
    while ((await countUnfiled()) > from) await waitMs(10);
    const used = await startCpuMeter(worker.child.pid!);
    const [n, startTime] = [await countUnfiled(), performance.now()];
    let last = n;
    while (last > COUNT * 0.05) {
      await waitMs(200);
      last = await countUnfiled();
    }
    printLine(`filing took ${used(n - last)}`);
    return Math.round(((n - last) * 1000) / (performance.now() - startTime));
  } finally {
    while ((await countUnfiled()) > 0) await waitMs(100);
    await worker.stop();
  }
}

async function measureWaits(since: string, but: number): Promise<string> {
  const { rows } = await client.query(
    `select count(*)::int as n, percentile_disc(array[0.5, 0.99, 1]) within group (order by ms) as at from (
       select extract(epoch from e.create_date - i.received_at) * 1000 as ms
       from svc_mail_intake i join svc_mail_delivery d on d.workspace_id = 1 and d.intake_id = i.id
       join svc_mail_entry e on e.workspace_id = 1 and e.id = d.entry_id
       where i.workspace_id = 1 and i.received_at >= $1::timestamp and d.account_id <> $2) w`,
    [since, but],
  );
  const [p50, p99, slowest] = rows[0].at.map((ms: number) => Math.round(ms));
  return `${rows[0].n} messages, filed after p50 ${p50} ms, p99 ${p99} ms, at most ${slowest} ms`;
}

async function readNow(): Promise<string> {
  return (await client.query('select now()::timestamp::text as at')).rows[0].at;
}

async function measureStream(): Promise<void> {
  await withServer(async (port) => {
    await sendMessages(buildJob({ port, ms: 5_000, rate: 100 }));
    const since = await readNow();
    const { accepted } = await sendMessages(buildJob({ port, ms: SECONDS * 1000, rate: 100 }));
    while ((await countUnfiled()) > 0) await waitMs(100);
    printLine(
      `stream of ${accepted / SECONDS}/s: ${await measureWaits(since, 0)} (target: 1,000 ms for 99 %)`,
    );
  });
}

/** Measures a flood of messages to one mailbox while the others receive a slow stream. */
async function measureFlood(): Promise<void> {
  await withServer(async (port) => {
    await sendMessages(buildJob({ port, ms: 5_000, rate: 20 }));
    const since = await readNow();
    const flooding = sendMessages(
      buildJob({ port, from: MAILBOXES, mailboxes: 1, ms: SECONDS * 1000, rate: 400 }),
    );
    const quiet = sendMessages(buildJob({ port, mailboxes: MAILBOXES - 1, ms: SECONDS * 1000, rate: 20 }));
    const [{ accepted }] = [await flooding, await quiet];
    const client = await countUnfiled();
    printLine(
      `flood of ${accepted / SECONDS}/s for one mailbox, ${client} of it not filed; the others: ` +
        `${await measureWaits(since, FIRST_MAILBOX_OFFSET + MAILBOXES)} (target: at most 2,000 ms)`,
    );
    while ((await countUnfiled()) > 0) await waitMs(500);
  });
}

async function withServer(action: (port: number) => Promise<void>): Promise<void> {
  const [port, http] = [await findFreePort(), await findFreePort()];
  const app = run('--max-semi-space-size=16', ['boot/main.mjs'], {
    DATABASE_URL: stage.databaseUrl,
    DATA_DIR: stage.dataDir,
    PORT: String(http),
    MX_PORT: String(port),
    ROLE: 'all',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    DNS_SERVERS: dns,
  });
  try {
    await waitUntilReady(`http://127.0.0.1:${http}/api/ready`, app);
    await action(port);
  } finally {
    await app.stop();
  }
}
