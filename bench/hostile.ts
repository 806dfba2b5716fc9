import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './lib/process.ts';
import { openStage, readMemory } from './lib/stage.ts';
import type { StreamJob } from './lib/stream-request.ts';

// `node bench/hostile.ts` sends four hostile 60 MB bodies concurrently, from an unauthenticated and from an
// authenticated client. Measures the maximum latency of other requests, the longest event loop block, and the memory.
// It first measures for SECONDS without hostile bodies to determine the machine's noise.

const BODY_BYTES = 60 * 1024 * 1024;
const SECONDS = Number(process.env.SECONDS ?? 5);
const turnsFile = join(mkdtempSync(join(tmpdir(), 'atrium-bench-')), 'turns');
writeFileSync(turnsFile, '');
const stage = await openStage({
  ROLE: 'web',
  TURNS_FILE: turnsFile,
  NODE_OPTIONS: `--import=${new URL('./lib/event-loop-delays.ts', import.meta.url)}`,
});
const { port } = stage.app;
const address = `http://127.0.0.1:${port}`;

async function getUid(key: string): Promise<number> {
  const response = await fetch(`${address}/json/2/res.users/context_get`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await response.json()) as { uid: number }).uid;
}

const uid = await getUid(stage.userKey);
const buildJson = (args: string) =>
  `{"jsonrpc":"2.0","method":"call","params":{"service":"object","method":"execute_kw","args":[${args}`;
const buildXmlCall = (params: string[]) =>
  `<?xml version="1.0"?><methodCall><methodName>execute_kw</methodName><params>${params
    .map((value) => `<param><value>${value}</value></param>`)
    .join('')}<param><value><string>`;
const authenticated = {
  json: buildJson(`"main",${uid},"${stage.userKey}","res.partner","search",[`),
  xml: buildXmlCall(['main', `<int>${uid}</int>`, stage.userKey]),
};
const unauthenticated = { json: buildJson(''), xml: buildXmlCall([]) };

/** Measures the latency of small requests and the peak memory in MB until `during` settles. */
async function measureWaits(
  during: Promise<unknown>,
): Promise<{ longest: number; most: number; median: number }> {
  let isRunning = true;
  during.finally(() => {
    isRunning = false;
  });
  const times: number[] = [];
  let longest = 0;
  while (isRunning) {
    const startTime = performance.now();
    await (await fetch(`${address}/api/health`)).arrayBuffer();
    times.push(performance.now() - startTime);
    longest = Math.max(longest, readMemory(stage));
    await sleep(5);
  }
  times.sort((a, b) => a - b);
  return { longest: times.at(-1)!, most: longest, median: times[times.length >> 1]! };
}

async function runStream(job: Omit<StreamJob, 'port' | 'bytes'>): Promise<string> {
  const client = run('bench/lib/stream-request.ts', [JSON.stringify({ ...job, port, bytes: BODY_BYTES })]);
  await new Promise((resolve) => client.child.once('close', resolve));
  return client.output().trim();
}

async function measureAttack(name: string, job: Omit<StreamJob, 'port' | 'bytes'> | null): Promise<void> {
  await sleep(1_200);
  writeFileSync(turnsFile, '');
  const responses = job
    ? Promise.all([runStream(job), runStream(job), runStream(job), runStream(job)])
    : sleep(SECONDS * 1000, []);
  const { longest, most, median } = await measureWaits(responses);
  const sent = [...new Set(await responses)].join(', ') || 'nothing sent';
  await sleep(1_200);
  const turn = Math.max(...readFileSync(turnsFile, 'utf8').trim().split('\n').map(Number));
  process.stdout.write(
    `${name}: longest turn ${turn} ms, longest wait ${longest.toFixed(0)} ms (median ${median.toFixed(1)}), ${most} MB: ${sent}\n`,
  );
}

try {
  for (const [client, start] of [
    ['stranger', unauthenticated],
    ['known caller', authenticated],
  ] as const) {
    await measureAttack('idle', null);
    for (const unit of ['[],', '{},', '"abcdefgh",'])
      await measureAttack(`${client}, JSON ${unit}`, { path: '/jsonrpc', beginning: start.json, unit });
    await measureAttack(`${client}, JSON, one string`, {
      path: '/jsonrpc',
      beginning: `${start.json}"`,
      unit: 'x',
    });
    for (const unit of ['\r', '&amp;', 'x'])
      await measureAttack(`${client}, XML ${JSON.stringify(unit)}`, {
        path: '/xmlrpc/2/object',
        beginning: start.xml,
        unit,
      });
    await measureAttack(`${client}, XML elements`, {
      path: '/xmlrpc/2/object',
      beginning: `${start.xml.slice(0, -'<string>'.length)}<array><data>`,
      unit: '<value/>',
    });
  }
  await sleep(12_000);
  process.stdout.write(`afterwards ${readMemory(stage)} MB\n`);
} finally {
  await stage.close();
}
