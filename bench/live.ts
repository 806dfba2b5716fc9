import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { callJson2 } from './lib/call-json2.ts';
import { createCallers } from './lib/callers.ts';
import { compare } from './lib/compare.ts';
import { fillLeads } from './lib/leads.ts';
import { computeMedian, runClient } from './lib/process.ts';
import { openStage, readMemory, type Stage } from './lib/stage.ts';

// `node bench/live.ts` measures 1,000 subscriptions from 20 users to one process at 100 changes per second. It then
// compares write and create with the baseline, without and with subscribers (`ratios`), and measures how much the
// triggers slow down an update in PostgreSQL without subscribers (`triggers`). The baseline writes to the same tables.

const SUBSCRIBERS = Number(process.env.SUBSCRIBERS ?? 1_000);
const USERS = Number(process.env.USERS ?? 20);
const EVENTS = Number(process.env.EVENTS ?? 100);
const CONCURRENCY = Number(process.env.CONCURRENCY ?? 50);
const SECONDS = Number(process.env.SECONDS ?? 20);
const QUERY =
  'subscription { crmLeadChanged { kind id cursor record { id name expectedRevenue stage { name } } } }';

/** By change number: the subscribers that have received the change, and the time of the last receipt. */
const counts = new Uint32Array(EVENTS * SECONDS);
const last = new Float64Array(EVENTS * SECONDS);
const EVENT_MARKER = '"name":"live ';
const RESYNC = '"RESYNC"';
let resyncs = 0;

/** Counts the changes in a chunk of text. @returns the incomplete last line */
function countChanges(text: string): string {
  const now = performance.now();
  const end = text.lastIndexOf('\n') + 1;
  for (
    let index = text.indexOf(EVENT_MARKER);
    index >= 0 && index < end;
    index = text.indexOf(EVENT_MARKER, index + 1)
  ) {
    const change = Number.parseInt(
      text.slice(index + EVENT_MARKER.length, index + EVENT_MARKER.length + 8),
      10,
    );
    counts[change]!++;
    last[change] = now;
  }
  for (let index = text.indexOf(RESYNC); index >= 0 && index < end; index = text.indexOf(RESYNC, index + 1))
    resyncs++;
  return text.slice(end);
}

function subscribe(port: number, key: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    };
    const call = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/graphql',
      headers,
      agent: false,
    });
    call.on('response', (response) => {
      let rest = '';
      response.on('data', (part: Buffer) => {
        if (rest === '' && part[0] === 0x3a) resolve(() => call.destroy());
        rest = countChanges(rest + part.toString('latin1'));
      });
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
    });
    call.on('error', () => undefined);
    call.end(JSON.stringify({ query: QUERY }));
  });
}

/** Changes leads at the configured rate. @returns when each response arrived, and the latency of each */
async function change({ app, userKey }: Stage): Promise<{ sentTimes: number[]; latencies: number[] }> {
  const sent: number[] = [];
  const latencies: number[] = [];
  const startTime = performance.now();
  const all: Promise<unknown>[] = [];
  for (let i = 0; i < EVENTS * SECONDS; i++) {
    const due = startTime + (i * 1000) / EVENTS;
    const wait = due - performance.now();
    if (wait > 0) await pause(wait);
    const body = { ids: [1 + (i % 5_000) * 10], vals: { name: `live ${i}` } };
    const onResponse = () => {
      sent[i] = performance.now();
      latencies[i] = sent[i]! - due;
    };
    all.push(callJson2(app.port, userKey, 'crm.lead/write', body).then(onResponse));
  }
  await Promise.all(all);
  return { sentTimes: sent, latencies };
}

function readCpuSeconds({ app }: Stage): number {
  const fields = readFileSync(`/proc/${app.process.child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function measureSubscribers(stage: Stage): Promise<() => void> {
  const keys = (await createCallers(stage, { count: USERS })).map(({ key }) => key);
  // Warm-up, so that the memory used by the process and by writes is not attributed to the subscribers.
  await runClient({
    port: stage.app.port,
    path: '/json/2/crm.lead/search_read',
    headers: { authorization: `Bearer ${stage.userKey}` },
    body: JSON.stringify({ domain: [], fields: ['name', 'stage_id', 'expected_revenue'], limit: 80 }),
    connections: 16,
    ms: 5_000,
  });
  await change(stage);
  counts.fill(0);
  const before = readMemory(stage);
  const startTime = performance.now();
  const open: (() => void)[] = [];
  while (open.length < SUBSCRIBERS) {
    const next = Array.from(
      { length: Math.min(CONCURRENCY, SUBSCRIBERS - open.length) },
      (_, i) => open.length + i,
    );
    open.push(...(await Promise.all(next.map((i) => subscribe(stage.app.port, keys[i % keys.length]!)))));
  }
  console.log(
    `${open.length} subscribers connected, ${CONCURRENCY} at a time, in ${Math.round(performance.now() - startTime)} ms`,
  );
  await pause(2_000);
  console.log(`memory: ${before} MB, ${readMemory(stage)} MB with ${open.length} idle subscribers`);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, readMemory(stage));
  }, 200);
  const cpuBefore = readCpuSeconds(stage);
  const { sentTimes, latencies } = await change(stage);
  const used = Math.round(((readCpuSeconds(stage) - cpuBefore) / SECONDS) * 100);
  await pause(2_000);
  clearInterval(watch);
  const delays = sentTimes.map((sentAt, i) => last[i]! - sentAt).sort((a, b) => a - b);
  latencies.sort((a, b) => a - b);
  const deliveredToAll = counts.filter((count) => count === open.length).length;
  console.log(`CPU of the application: ${used} % of a core; load of the machine ${loadavg()[0]!.toFixed(1)}`);
  console.log(
    `${sentTimes.length} changes at ${EVENTS}/s, ${deliveredToAll} of them received by every subscriber`,
  );
  const formatPercentiles = (sorted: number[]) =>
    [0.5, 0.99, 1]
      .map((part) => `${Math.round(sorted[Math.floor((sorted.length - 1) * part)]!)} ms`)
      .join(', ');
  console.log(
    `last subscriber after the response to the writer (median, 99 %, maximum): ${formatPercentiles(delays)}`,
  );
  console.log(`response time of the writer (median, 99 %, maximum): ${formatPercentiles(latencies)}`);
  console.log(`${resyncs} RESYNC events`);
  console.log(
    `memory: at most ${peak} MB, ${readMemory(stage)} MB at the end (+ ${readMemory(stage) - before} MB)`,
  );
  return () => {
    for (const close of open) close();
  };
}

async function measureRatios(stage: Stage, title: string): Promise<void> {
  const buildBodies = (body: (id: number) => object) =>
    Array.from({ length: 500 }, (_, i) => JSON.stringify(body(1 + i * 150)));
  const buildSide = (method: string, body: object) => ({
    port: stage.app.port,
    path: `/json/2/crm.lead/${method}`,
    headers: { authorization: `Bearer ${stage.userKey}` },
    body: JSON.stringify(body),
  });
  const buildRawSide = (path: string, body: object) => ({
    port: stage.baseline.port,
    path,
    headers: {},
    body: JSON.stringify(body),
  });
  await compare(
    `write one ${title}`,
    {
      ...buildSide('write', {}),
      bodies: buildBodies((id) => ({ ids: [id], vals: { name: 'Changed', expected_revenue: 5 } })),
    },
    { ...buildRawSide('/write', {}), bodies: buildBodies((id) => ({ id, name: 'Changed', revenue: 5 })) },
    0.4,
  );
  await compare(
    `create one ${title}`,
    buildSide('create', { vals_list: [LEAD] }),
    buildRawSide('/create', [LEAD]),
    0.4,
  );
}

/** Measures the microseconds of a single-row update, alternately with and without the triggers for subscriptions. */
async function measureTriggers(stage: Stage): Promise<void> {
  const client = new pg.Client({ connectionString: stage.databaseUrl });
  await client.connect();
  await client.query('set synchronous_commit = off');
  const times: Record<string, number[]> = { disable: [], enable: [] };
  for (let round = 0; round < 15; round++) {
    for (const mode of ['disable', 'enable']) {
      for (const name of ['created', 'updated', 'deleted'])
        await client.query(`alter table crm_lead ${mode} trigger "live ${name}"`);
      const startTime = performance.now();
      await client.query(`do $$ begin for i in 1..${UPDATES} loop
        update crm_lead set expected_revenue = i where workspace_id = 1 and id = i % 500 + 1; end loop; end $$`);
      times[mode]!.push(((performance.now() - startTime) * 1000) / UPDATES);
    }
  }
  await client.end();
  const [disabled, enabled] = [times.disable!, times.enable!].map((all) => [
    computeMedian(all),
    Math.min(...all),
  ]);
  const formatTimes = ([median, minimum]: number[]) =>
    `${median!.toFixed(1)} µs (minimum ${minimum!.toFixed(1)})`;
  console.log(
    `update: ${formatTimes(disabled!)} without triggers, ${formatTimes(enabled!)} with triggers; load of the machine ${loadavg()[0]!.toFixed(1)}`,
  );
}

const UPDATES = 3_000;

const LEAD = {
  name: 'A new lead',
  type: 'opportunity',
  partner_name: 'Northwind',
  email_from: 'buyer@northwind.example',
  phone: '+47 1',
  city: 'Bergen',
  expected_revenue: 1200,
  priority: '1',
};

const stage = await openStage({ ROLE: 'web' }, 'bench/baseline/records.ts');
await fillLeads(stage.databaseUrl, 100_000);
if (process.argv.length === 2) (await measureSubscribers(stage))();
if (process.argv.includes('triggers')) await measureTriggers(stage);
if (process.argv.includes('ratios')) {
  await measureRatios(stage, 'without subscribers');
  const stop = await subscribe(stage.app.port, stage.userKey);
  await measureRatios(stage, 'with a subscriber');
  stop();
}
await stage.close();
