import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { openStage } from './lib/stage.ts';

// `node bench/webhooks.ts` measures calls per second to an endpoint that takes MS (100) ms per call, for COUNT (2,000)
// emails accepted before the endpoint existed. It also measures the calls that the endpoint receives while a second
// endpoint of the workspace never responds.

const MS = Number(process.env.MS ?? 100);
const COUNT = Number(process.env.COUNT ?? 2_000);
const TARGET_RATE = 200;

let receivedAt: number[] = [];
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url === '/never') return;
    setTimeout(() => {
      receivedAt.push(performance.now());
      response.end('thanks');
    }, MS);
  });
});
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const stage = await openStage({ ROLE: 'all', WEBHOOK_ALLOW_PRIVATE: '1' });
const client = new pg.Client({ connectionString: stage.databaseUrl });
await client.connect();
try {
  await makeWebhook('alone');
  process.stdout.write(
    `webhooks: ${await round()}/s to a receiver with a latency of ${MS} ms (must reach ${TARGET_RATE})\n`,
  );
  await makeWebhook('never');
  process.stdout.write(`webhooks: ${await round()}/s next to an endpoint that never responds\n`);
} finally {
  await client.end();
  await stage.close();
  receiver.closeAllConnections();
  receiver.close();
}

async function makeWebhook(path: string): Promise<void> {
  const query = `mutation { webhookCreate(url: "${url}/${path}", eventTypes: [EMAIL_QUEUED]) { id } }`;
  const response = await postJson('/graphql', stage.userKey, { query });
  if (response.errors) throw new Error(JSON.stringify(response.errors));
}

/**
 * Accepts emails while calls are paused, then resumes the calls.
 * @returns calls per second between the first and the last call
 */
async function round(): Promise<number> {
  receivedAt = [];
  await client.query(
    `update svc_webhook set rests_until = now() at time zone 'UTC' + interval '1 hour', misses = 10`,
  );
  for (let sent = 0; sent < COUNT; sent += 100) {
    const body = Array.from({ length: 100 }, () => ({
      from: 'Bench <bench@main.localhost>',
      to: 'someone@example.org',
      subject: 'A message',
      text: 'Hello',
      scheduledAt: '2040-01-01T00:00:00Z',
    }));
    await postJson('/api/v1/emails/batch', stage.teamKey, body);
  }
  await client.query('update svc_webhook set rests_until = null, misses = 0');
  await client.query(`update svc_due set next_at = now() at time zone 'UTC' where kind = 'webhook'`);
  while (receivedAt.length < COUNT) await new Promise((resolve) => setTimeout(resolve, 50));
  return Math.round(((COUNT - 1) / (receivedAt.at(-1)! - receivedAt[0]!)) * 1000);
}

async function postJson(path: string, key: string, body: unknown): Promise<{ errors?: unknown }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${stage.app.port}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json() as Promise<{ errors?: unknown }>;
}
