import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { computeMedian, runClient } from './lib/process.ts';
import { openStage, readMemory } from './lib/stage.ts';
import { createWorkspaceKey } from './lib/workspace.ts';

// `node bench/apps.ts` measures how long apps take to install. It then removes an app with ROWS (100,000) rows and
// measures the duration, the server's memory, and another workspace's read latency with and without the removal
// (SECONDS each).

const ROWS = Number(process.env.ROWS ?? 100_000);
const SECONDS = Number(process.env.SECONDS ?? 10);
const printLine = (line: string) => process.stdout.write(`${line}\n`);

const stage = await openStage({ ROLE: 'all', APP_UNINSTALL: 'on' });
const client = new pg.Client({ connectionString: stage.databaseUrl });

async function queryGraph(key: string, query: string) {
  const response = await fetch(`http://127.0.0.1:${stage.app.port}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

const measureReads = () =>
  runClient({
    port: stage.app.port,
    path: '/json/2/res.partner/search_read',
    headers: { authorization: `Bearer ${stage.userKey}` },
    body: JSON.stringify({ domain: [], fields: ['name', 'email', 'phone', 'city'], limit: 80 }),
    connections: 2,
    ms: SECONDS * 1_000,
  });

async function readAppState(key: string): Promise<string> {
  return (await queryGraph(key, '{ app(name: "crm") { state } }')).app.state;
}

try {
  await client.connect();
  const times: number[] = [];
  let key = '';
  for (let round = 0; round < 3; round++) {
    key = await createWorkspaceKey(stage, `apps-${round}`, '--apps', 'none');
    for (const name of ['calendar', 'crm', 'product', 'project', 'sale']) {
      const startTime = performance.now();
      await queryGraph(key, `mutation { appInstall(name: "${name}") { changed } }`);
      times.push(performance.now() - startTime);
    }
  }
  printLine(
    `an app is installed in ${Math.round(computeMedian(times))} ms, at most ${Math.round(Math.max(...times))} ms`,
  );

  await client.query(
    `insert into crm_lead (workspace_id, id, name, type)
     select w.id, 1000000 + n, 'Lead ' || n, 'lead' from generate_series(1, $1::int) n, workspace w
     where w.slug = 'apps-2'`,
    [ROWS],
  );
  await client.query('vacuum analyze crm_lead');
  await measureReads();
  const baseline = await measureReads();
  const before = readMemory(stage);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, readMemory(stage));
  }, 50);
  const started = performance.now();
  const removal = queryGraph(key, 'mutation { appUninstall(name: "crm") { changed } }').then(async () => {
    while ((await readAppState(key)) !== 'UNINSTALLED') await pause(100);
    return (performance.now() - started) / 1_000;
  });
  const underLoad = await measureReads();
  const isOn = (await readAppState(key)) !== 'UNINSTALLED';
  const seconds = await removal;
  clearInterval(timer);
  printLine(
    `${ROWS} rows are removed in ${seconds.toFixed(1)} s, memory + ${peak - before} MB; reads of another workspace: ` +
      `p99 ${baseline.p99} ms alone, ${underLoad.p99} ms beside it (${(underLoad.p99 / baseline.p99).toFixed(2)} x, at most 1.5)` +
      `${isOn ? '' : '; the removal ended before the reads'}; load of the machine ${loadavg()[0]!.toFixed(1)}`,
  );
} finally {
  await client.end();
  await stage.close();
}
