import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../test/harness/process.ts';
import { run, waitUntilReady } from './lib/process.ts';

// `node bench/settings.ts` measures the application's memory before and after the first settings query, which loads the
// Prisma client, and the CPU time of listing 50 keys with their owners. `compilerBuild` in prisma/schema/schema.prisma
// selects the client's compiler.

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
const port = await findFreePort();
const app = run('--max-semi-space-size=16', ['boot/main.mjs'], {
  DATA_DIR: dataDir,
  PORT: String(port),
  LOG_LEVEL: 'warn',
  NODE_ENV: 'production',
  ROLE: 'web',
});
await waitUntilReady(`http://127.0.0.1:${port}/api/ready`, app);
const key = /uk_[0-9a-z]{10}_[0-9a-f]{32}/.exec(app.output())![0];

async function queryGraph(query: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  const { errors } = (await response.json()) as { errors?: { message: string }[] };
  if (errors) throw new Error(errors[0]!.message);
}

function readMemory(): number {
  const status = readFileSync(`/proc/${app.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}

function getCpu(): number {
  const fields = readFileSync(`/proc/${app.child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function measureCpu(query: string, times = 1): Promise<number> {
  const start = getCpu();
  for (let i = 0; i < times; i++) await queryGraph(query);
  return (getCpu() - start) / times;
}

const printLine = (text: string) => process.stdout.write(`${text}\n`);
const KEYS = '{ apiKeys(first: 50) { nodes { id name permission user { login } } } }';

try {
  await measureCpu('{ partners(first: 50) { nodes { id name } } }', 300);
  const before = readMemory();
  const first = await measureCpu(KEYS);
  const loaded = readMemory();
  for (let i = 0; i < 60; i++) await queryGraph(`mutation { keyCreate(name: "key ${i}") { id } }`);
  const warm = await measureCpu(KEYS, 300);
  printLine(`first question about the settings: ${first.toFixed(0)} ms of CPU`);
  printLine(`memory: ${before.toFixed(0)} MB before, + ${(loaded - before).toFixed(0)} MB after it`);
  printLine(
    `50 keys with their owners: ${warm.toFixed(2)} ms of CPU; + ${(readMemory() - before).toFixed(0)} MB after 300 of them`,
  );
} finally {
  await app.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
