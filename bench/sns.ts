import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { createTopic } from '../test/standins/sns.ts';
import type { LoadResult } from './lib/load.ts';
import { computeMedian, runClient } from './lib/process.ts';
import { openStage } from './lib/stage.ts';

// `node bench/sns.ts` compares the facade, which receives signed delivery notifications for different emails, with a
// plain insert per notification.

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const MS = Number(process.env.MS ?? 2000);
/** For each side. */
const WARM_UP_MS = Number(process.env.WARM ?? 5000);
/** More notifications than either side can process in a round. */
const COUNT = Number(process.env.COUNT ?? 60_000);
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 16);

const certificates = createServer((_request, response) => response.end(topic.pem));
await new Promise<void>((listening) => certificates.listen(0, '127.0.0.1', listening));
const base = `http://127.0.0.1:${(certificates.address() as AddressInfo).port}`;
const topic = createTopic({ base: () => base });
const stage = await openStage(
  { ROLE: 'web', SES_TOPIC_ARNS: topic.arn, AWS_SNS_ENDPOINT: base },
  'bench/baseline/sns.ts',
);
const client = new pg.Client({ connectionString: stage.databaseUrl });
await client.connect();
try {
  const figures = { ours: [] as number[], raw: [] as number[] };
  const first = await createNotifications(-1);
  for (const side of ['ours', 'raw'] as const) await run(side, first, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round++) {
    const bodies = await createNotifications(round);
    for (const side of ['ours', 'raw'] as const) {
      const { perSecond, p50, p99 } = await run(side, bodies, MS);
      figures[side].push(perSecond);
      process.stdout.write(`sns ${side} ${perSecond}/s p50 ${p50} ms p99 ${p99} ms\n`);
    }
  }
  await check();
  const [ours, raw] = [computeMedian(figures.ours), computeMedian(figures.raw)];
  process.stdout.write(`sns: ${ours}/s against ${raw}/s = ${(ours / raw).toFixed(2)} (target 500/s)\n`);
} finally {
  await client.end();
  await stage.close();
  certificates.close();
}

async function run(sideName: 'ours' | 'raw', bodies: string[], ms: number): Promise<LoadResult> {
  const side =
    sideName === 'ours'
      ? { port: stage.app.port, path: '/api/ses_callback' }
      : { port: stage.baseline.port, path: '/sns' };
  const headers = { 'content-type': 'text/plain; charset=UTF-8' };
  const result = await runClient({ ...side, headers, body: '', bodies, connections: CONNECTIONS, ms });
  if (result.failures > 0) throw new Error(`${sideName}: ${result.failures} responses were not 200`);
  if ((result.perSecond * ms) / 1000 > COUNT)
    throw new Error(`${sideName}: notifications were repeated. Increase COUNT.`);
  return result;
}

async function createNotifications(round: number): Promise<string[]> {
  const names = Array.from({ length: COUNT }, (_, index) => `bench-${round}-${index}`);
  await client.query(
    `with mail as (
       insert into svc_email (workspace_id, public_id, "from", "to", subject, text, domain_id, state, latest_status, provider_id, sent_at)
       select 1, n, 'Bench <bench@main.localhost>', '{someone@example.org}', 'A message', 'Hello', (select min(id) from svc_domain), 'sent', 'SENT', n, now()
       from unnest($1::text[]) n returning workspace_id, id
     ) insert into svc_email_event (workspace_id, id, email_id, status) select workspace_id, id, id, 'SENT' from mail`,
    [names],
  );
  await client.query('vacuum analyze svc_email');
  await client.query('vacuum analyze svc_email_event');
  return names.map((messageId) => JSON.stringify(topic.notification(buildDelivery(messageId))));
}

function buildDelivery(messageId: string): object {
  const timestamp = new Date().toISOString();
  const headers = Array.from({ length: 12 }, (_, index) => ({
    name: `X-Header-${index}`,
    value: `A value of an ordinary length, number ${index}`,
  }));
  return {
    eventType: 'Delivery',
    mail: {
      timestamp,
      messageId,
      source: 'bench@main.localhost',
      destination: ['someone@example.org'],
      headersTruncated: false,
      headers: [...headers, { name: 'X-Atrium-Email-ID', value: messageId }],
      commonHeaders: {
        from: ['Bench <bench@main.localhost>'],
        to: ['someone@example.org'],
        subject: 'A message',
      },
      tags: { workspace: ['1'], 'ses:configuration-set': ['atrium'] },
    },
    delivery: {
      timestamp,
      processingTimeMillis: 420,
      recipients: ['someone@example.org'],
      smtpResponse: '250 2.6.0 Message received',
      reportingMTA: 'a8-53.smtp-out.amazonses.com',
    },
  };
}

/** Checks that every notification acknowledged with 200 was stored and applied exactly once. */
async function check(): Promise<void> {
  const { rows } = await client.query(
    `select (select count(*) from svc_provider_event where applied_at is not null)::int as stored,
       (select count(*) from svc_email where latest_status = 'DELIVERED')::int as delivered,
       (select count(*) from svc_email_event where status = 'DELIVERED')::int as events,
       (select sum(delivered) from svc_daily_usage)::int as counted`,
  );
  const { stored, delivered, events, counted } = rows[0];
  if (new Set([stored, delivered, events, counted]).size !== 1) throw new Error(JSON.stringify(rows[0]));
  process.stdout.write(`${stored} notifications stored, applied and counted once\n`);
}
