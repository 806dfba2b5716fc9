import pg from 'pg';
import { assertAllSent, makeDue, waitUntilSent } from './lib/due-emails.ts';
import { run } from './lib/process.ts';
import { buildSesEnv, startSes } from './lib/ses.ts';
import { openStage } from './lib/stage.ts';

// `node bench/rate.ts` measures how close the worker comes to the provider's rate, and checks that it does not exceed
// the rate in any second. SECONDS, RATE and DELAY (ms until the provider responds) configure the run. With PROCESSES=2,
// two workers share the rate.

const RATE = Number(process.env.RATE ?? 500);
const SECONDS = Number(process.env.SECONDS ?? 30);
const DELAY = Number(process.env.DELAY ?? 0);
const PROCESSES = Number(process.env.PROCESSES ?? 1);
/** Seconds to skip at the start: a new process warms up, and two workers first have to discover each other. */
const WARM_UP_SECONDS = 5;

const ses = await startSes();
const modes = { delayMs: DELAY };
await ses.control('modes', { modes, quota: { MaxSendRate: RATE, Max24HourSend: 1_000_000_000 } });
const stage = await openStage({ ROLE: 'worker', ...buildSesEnv(ses.url) });
const client = new pg.Client({ connectionString: stage.databaseUrl });
await client.connect();
const otherProcesses = Array.from({ length: PROCESSES - 1 }, () =>
  run('--max-semi-space-size=16', ['boot/main.mjs'], {
    DATABASE_URL: stage.databaseUrl,
    DATA_DIR: stage.dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    ROLE: 'worker',
    ...buildSesEnv(ses.url),
  }),
);
try {
  await makeDue(client, RATE * (SECONDS + WARM_UP_SECONDS * PROCESSES));
  await waitUntilSent(client);
  await assertAllSent(client);
  const { messages } = (await ses.control('messages')) as { messages: { at: number }[] };
  report(messages.map(({ at }) => at).sort((a, b) => a - b));
} finally {
  await client.end();
  for (const otherProcess of otherProcesses) await otherProcess.stop();
  await stage.close();
  await ses.stop();
}

/** @param times when the provider received each message, in ms */
function report(times: number[]): void {
  const first = Math.floor(times[0]! / 1000) + WARM_UP_SECONDS;
  const counts = Array.from({ length: SECONDS - 1 }, (_, index) => {
    const second = first + index;
    return times.filter((time) => Math.floor(time / 1000) === second).length;
  });
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const under = ((1 - mean / RATE) * 100).toFixed(1);
  process.stdout.write(`seconds: ${counts.join(' ')}\n`);
  process.stdout.write(
    `rate: ${mean.toFixed(1)}/s of ${RATE}/s, ${under} % under (target 2); fullest second ${Math.max(...counts)}, fullest of any 1,000 ms ${getFullest(times.filter((time) => time >= first * 1000))}, ${getFullest(times)} before that\n`,
  );
}

/** Returns the maximum number of messages within any 1,000 ms. */
function getFullest(times: number[]): number {
  let from = 0;
  let fullestCount = 0;
  for (const [index, time] of times.entries()) {
    while (times[from]! <= time - 1000) from++;
    fullestCount = Math.max(fullestCount, index - from + 1);
  }
  return fullestCount;
}
