import pg from 'pg';
import { limits } from '../src/limits.ts';
import { emailBody } from './lib/email-body.ts';
import { median, run } from './lib/process.ts';
import { openStage } from './lib/stage.ts';

// node bench/drain.ts   The worker against a stand-in for SES that answers at once, beside a loop of the AWS SDK alone.

const TOTAL = Number(process.env.TOTAL ?? 8000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const credentials = { AWS_ACCESS_KEY_ID: 'standin', AWS_SECRET_ACCESS_KEY: 'standin-secret' };

const ses = run('test/standins/ses.ts', ['--port', '0', '--no-verify', '--no-raw']);
const url = await new Promise<string>((resolve) =>
  ses.child.stdout!.once('data', (line) => resolve(JSON.parse(String(line)).url)),
);
await control('modes', { quota: { MaxSendRate: 1_000_000, Max24HourSend: 1_000_000_000 } });
const stage = await openStage({
  ROLE: 'worker',
  MAIL_TRANSPORT: 'ses',
  AWS_REGION: 'eu-west-1',
  AWS_SES_ENDPOINT: url,
  ...credentials,
});
const client = new pg.Client({ connectionString: stage.databaseUrl });
await client.connect();
try {
  const [worker, sdk] = [[] as number[], [] as number[]];
  await drain(1000);
  for (let round = 0; round < ROUNDS; round++) {
    worker.push(await drain(TOTAL));
    sdk.push(await sdkLoop());
    process.stdout.write(`worker ${worker.at(-1)}/s, SDK alone ${sdk.at(-1)}/s\n`);
  }
  process.stdout.write(
    `drain: ${median(worker)}/s against ${median(sdk)}/s = ${(median(worker) / median(sdk)).toFixed(2)} (target 0.7)\n`,
  );
} finally {
  await client.end();
  await stage.close();
  await ses.stop();
}

/** Makes `count` emails due at one moment and times the worker until all are settled. */
async function drain(count: number): Promise<number> {
  await client.query(
    `insert into svc_email (workspace_id, public_id, "from", "to", subject, html, text, run_at)
     select 1, 'bench' || gen_random_uuid(), 'Bench <bench@main.localhost>', '{someone@example.org}', 'A message', $2, $3, 'infinity' from generate_series(1, $1::int)`,
    [count, emailBody.html, emailBody.text],
  );
  await client.query('vacuum analyze svc_email');
  await client.query(`update svc_email set run_at = now() at time zone 'UTC' where state = 'queued'`);
  const started = performance.now();
  for (;;) {
    const { rows } = await client.query(
      `select 1 from svc_email where state in ('queued', 'sending') limit 1`,
    );
    if (rows.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const perSecond = Math.round((count / (performance.now() - started)) * 1000);
  const { rows } = await client.query(
    `select state, count(*)::int as n, max(reason) as reason from svc_email group by state`,
  );
  if (rows.some((row) => row.state !== 'sent')) throw new Error(`not all were sent: ${JSON.stringify(rows)}`);
  await client.query('truncate svc_email cascade');
  return perSecond;
}

async function sdkLoop(): Promise<number> {
  // With the flags of `npm start`, like the worker.
  const loop = run(
    '--max-semi-space-size=16',
    ['bench/baseline/sdk-loop.ts', url, String(TOTAL), String(limits.sendsAtOnce)],
    credentials,
  );
  await new Promise((resolve) => loop.child.once('close', resolve));
  return (JSON.parse(loop.output()) as { perSecond: number }).perSecond;
}

async function control(path: string, body: object): Promise<void> {
  await fetch(`${url}/standin/${path}`, { method: 'POST', body: JSON.stringify(body) });
}
