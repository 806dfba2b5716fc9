import pg from 'pg';
import { CONCURRENT_SENDS } from '../schema/email/queue/deliver.ts';
import { assertAllSent, makeDue, waitUntilSent } from './lib/due-emails.ts';
import { computeMedian, run } from './lib/process.ts';
import { buildSesEnv, sesCredentials, startSes } from './lib/ses.ts';
import { openStage } from './lib/stage.ts';

// `node bench/drain.ts` compares the worker with a loop of the AWS SDK alone. Both send to an SES stub that responds
// immediately.

const TOTAL = Number(process.env.TOTAL ?? 8000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);

const ses = await startSes();
await ses.control('modes', { quota: { MaxSendRate: 1_000_000, Max24HourSend: 1_000_000_000 } });
const stage = await openStage({ ROLE: 'worker', ...buildSesEnv(ses.url) });
const client = new pg.Client({ connectionString: stage.databaseUrl });
await client.connect();
try {
  const [worker, sdk] = [[] as number[], [] as number[]];
  await drain(1000);
  for (let round = 0; round < ROUNDS; round++) {
    worker.push(await drain(TOTAL));
    sdk.push(await runSdkLoop());
    process.stdout.write(`worker ${worker.at(-1)}/s, SDK alone ${sdk.at(-1)}/s\n`);
  }
  process.stdout.write(
    `drain: ${computeMedian(worker)}/s against ${computeMedian(sdk)}/s = ${(computeMedian(worker) / computeMedian(sdk)).toFixed(2)} (target 0.7)\n`,
  );
} finally {
  await client.end();
  await stage.close();
  await ses.stop();
}

async function drain(count: number): Promise<number> {
  await makeDue(client, count);
  const startTime = performance.now();
  await waitUntilSent(client);
  const perSecond = Math.round((count / (performance.now() - startTime)) * 1000);
  await assertAllSent(client);
  return perSecond;
}

async function runSdkLoop(): Promise<number> {
  // Uses the flags of `npm start`, like the worker.
  const loop = run(
    '--max-semi-space-size=16',
    ['bench/baseline/sdk-loop.ts', ses.url, String(TOTAL), String(CONCURRENT_SENDS)],
    sesCredentials,
  );
  await new Promise((resolve) => loop.child.once('close', resolve));
  return (JSON.parse(loop.output()) as { perSecond: number }).perSecond;
}
