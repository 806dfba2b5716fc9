import { request } from 'node:http';
import { loadavg } from 'node:os';
import { callJson2 } from './lib/call-json2.ts';
import { runClient } from './lib/process.ts';
import { openStage, type Stage } from './lib/stage.ts';
import { createWorkspaceKey } from './lib/workspace.ts';

// `node bench/neighbor.ts` runs one workspace's most expensive queries, 25 at a time, and measures another workspace's
// read latency with and without them: `SECONDS` each, in `ROUNDS` rounds.

const SECONDS = Number(process.env.SECONDS ?? 20);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const CONCURRENCY = 25;

/** An attack. `disconnectMs` is the time after which its client disconnects. */
interface Attack {
  name: string;
  path: string;
  body: object;
  disconnectMs?: number;
}

/** A filter that evaluates many conditions on every row. */
const CONDITIONS = [
  ...Array(899).fill('|'),
  ...Array.from({ length: 900 }, (_, n) => ['name', 'ilike', `%no ${n}%`]),
];

const buildAliases = (field: string) =>
  `{ ${Array.from({ length: 25 }, (_, n) => `a${n}: ${field}`).join(' ')} }`;

const ATTACKS: Attack[] = [
  {
    name: 'a contact with 60 tags, grouped by them four times, in 25 root fields',
    path: '/graphql',
    body: {
      query: buildAliases(
        'recordFormattedReadGroup(model: "res.partner", domain: [], groupby: ["category_id", "category_id", "category_id", "category_id"], aggregates: ["__count"])',
      ),
    },
  },
  {
    name: '900 conditions on each of 100,000 contacts',
    path: '/json/2/res.partner/search_count',
    body: { domain: CONDITIONS },
  },
  {
    name: 'the same, by clients that disconnect',
    path: '/json/2/res.partner/search_count',
    body: { domain: CONDITIONS },
    disconnectMs: 1_000,
  },
];

function startAttack({ app, userKey }: Stage, { path, body, disconnectMs }: Attack): () => void {
  let isStopped = false;
  const headers = { authorization: `Bearer ${userKey}`, 'content-type': 'application/json' };
  const running = new Set<ReturnType<typeof request>>();
  const startAttempt = () => {
    if (isStopped) return;
    const call = request({ port: app.port, host: '127.0.0.1', method: 'POST', path, headers, agent: false });
    running.add(call);
    call.on('response', (response) => response.resume());
    call.on('error', () => undefined);
    call.on('close', () => {
      running.delete(call);
      setTimeout(startAttempt, 50);
    });
    if (disconnectMs) setTimeout(() => call.destroy(), disconnectMs);
    call.end(JSON.stringify(body));
  };
  for (let n = 0; n < CONCURRENCY; n++) startAttempt();
  return () => {
    isStopped = true;
    for (const call of running) call.destroy();
  };
}

async function createTaggedContact({ app, userKey }: Stage): Promise<void> {
  const tags = await callJson2(app.port, userKey, 'res.partner.category/create', {
    vals_list: Array.from({ length: 60 }, (_, n) => ({ name: `tag ${n}` })),
  });
  await callJson2(app.port, userKey, 'res.partner/create', {
    vals_list: [{ name: 'Tagged', category_id: [[6, 0, tags]] }],
  });
}

async function measureReads({ app }: Stage, key: string) {
  const body = JSON.stringify({ domain: [], fields: ['name', 'code', 'currency_id'], limit: 80 });
  const headers = { authorization: `Bearer ${key}` };
  const path = '/json/2/res.country/search_read';
  let requestCount = 0;
  let unready = 0;
  const watch = setInterval(() => {
    requestCount++;
    fetch(`http://127.0.0.1:${app.port}/api/ready`).then(
      ({ ok }) => {
        if (!ok) unready++;
      },
      () => unready++,
    );
  }, 200);
  const result = await runClient({
    port: app.port,
    path,
    headers,
    body,
    connections: 2,
    ms: SECONDS * 1_000,
  });
  clearInterval(watch);
  return { ...result, unready, requestCount };
}

const stage = await openStage();
try {
  await createTaggedContact(stage);
  const key = await createWorkspaceKey(stage, 'neighbor');
  for (const attack of ATTACKS) {
    console.log(`\n${attack.name} × ${CONCURRENCY}`);
    for (let round = 0; round < ROUNDS; round++) {
      const baseline = await measureReads(stage, key);
      const stop = startAttack(stage, attack);
      const underLoad = await measureReads(stage, key);
      stop();
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      console.log(
        `alone p50 ${baseline.p50} p99 ${baseline.p99} ms; under load p50 ${underLoad.p50} p99 ${underLoad.p99} ms ` +
          `(${(underLoad.p99 / baseline.p99).toFixed(2)} x); ${underLoad.failures} failed, unready ${underLoad.unready} of ` +
          `${underLoad.requestCount}; load of the machine ${loadavg()[0]!.toFixed(1)}`,
      );
    }
  }
} finally {
  await stage.close();
}
