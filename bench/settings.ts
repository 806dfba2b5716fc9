import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../test/harness/process.ts';
import { answers, run } from './lib/process.ts';

// node bench/settings.ts   Memory of the application before and after the first question about the settings, which
// loads Prisma's client, and the CPU of a list of 50 keys with their owners. Which compiler the client has is said by
// `compilerBuild` in prisma/schema/schema.prisma.

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
const port = await findFreePort();
const app = run('--max-semi-space-size=16', ['boot/main.mjs'], {
  DATA_DIR: dataDir,
  PORT: String(port),
  LOG_LEVEL: 'warn',
  NODE_ENV: 'production',
  ROLE: 'web',
});
await answers(`http://127.0.0.1:${port}/api/ready`, app);
const key = /uk_[0-9a-z]{10}_[0-9a-f]{32}/.exec(app.output())![0];

async function ask(query: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  const { errors } = (await response.json()) as { errors?: { message: string }[] };
  if (errors) throw new Error(errors[0]!.message);
}

function memory(): number {
  const status = readFileSync(`/proc/${app.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}

/** Milliseconds of CPU that the application has taken, in ticks of 10. */
function cpu(): number {
  const fields = readFileSync(`/proc/${app.child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Milliseconds of CPU for each time the application is asked. */
async function timed(query: string, times = 1): Promise<number> {
  const start = cpu();
  for (let i = 0; i < times; i++) await ask(query);
  return (cpu() - start) / times;
}

const say = (text: string) => process.stdout.write(`${text}\n`);
const KEYS = '{ apiKeys(first: 50) { nodes { id name permission user { login } } } }';

try {
  await timed('{ partners(first: 50) { nodes { id name } } }', 300);
  const before = memory();
  const first = await timed(KEYS);
  const loaded = memory();
  for (let i = 0; i < 60; i++) await ask(`mutation { keyCreate(name: "key ${i}") { id } }`);
  const warm = await timed(KEYS, 300);
  say(`first question about the settings: ${first.toFixed(0)} ms of CPU`);
  say(`memory: ${before.toFixed(0)} MB before, + ${(loaded - before).toFixed(0)} MB after it`);
  say(
    `50 keys with their owners: ${warm.toFixed(2)} ms of CPU; + ${(memory() - before).toFixed(0)} MB after 300 of them`,
  );
} finally {
  await app.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
