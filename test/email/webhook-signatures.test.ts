import { UseSend } from 'usesend-js';
import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { type CreatedWebhook, stageWebhooks } from './webhook-stage.ts';

const stage = stageWebhooks();
const { gql, make, work } = stage;

test('signs calls so that the client library accepts them and rejects modified calls', async () => {
  const { id, secret } = await make();
  expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/);
  await gql(`mutation { webhookTest(id: ${id}) { id } }`);
  work();
  await expect.poll(() => stage.received.length).toBe(1);
  const { raw, headers } = stage.received[0]!;
  const webhooks = new UseSend('us_x').webhooks(secret);
  expect(webhooks.verify(raw, { headers })).toBe(true);
  expect(webhooks.verify(`${raw} `, { headers })).toBe(false);
  expect(new UseSend('us_x').webhooks(`${secret}0`).verify(raw, { headers })).toBe(false);
  const event = webhooks.constructEvent(raw, { headers });
  expect(event).toMatchObject({
    type: 'webhook.test',
    data: { test: true, webhookId: String(id), sentAt: expect.any(String) },
  });
});

test('signs with the new secret after a rotation, and also with the former one for a day', async () => {
  const { id, secret: old } = await make();
  const { secret } = (await gql(`mutation { webhookRotate(id: ${id}) { id secret } }`)) as CreatedWebhook;
  expect(await gql(`{ webhookSecret(id: ${id}) }`)).toBe(secret);
  await gql(`mutation { webhookTest(id: ${id}) { id } }`);
  work();
  await expect.poll(() => stage.received.length).toBe(1);
  const { raw, headers } = stage.received[0]!;
  const verify = (by: string, headers: object) =>
    new UseSend('us_x').webhooks(by).verify(raw, { headers: headers as never });
  expect(verify(secret, headers)).toBe(true);
  expect(verify(old, headers)).toBe(false);
  const previous = { ...headers, 'x-usesend-signature': headers['x-usesend-signature-previous'] };
  expect(verify(old, previous)).toBe(true);
  await stage.team.runtime.db.rows(sql`update svc_webhook set old_until = now() where workspace_id > 0`);
  await gql(`mutation { webhookTest(id: ${id}) { id } }`);
  await expect.poll(() => stage.received.length).toBe(2);
  expect(stage.received[1]!.headers['x-usesend-signature-previous']).toBeUndefined();
});

test('hides the secret in the record API', async () => {
  const { secret } = await make('description: "mine"');
  const { data } = await stage.team.graphql('{ webhooks { nodes { id url status } } }');
  expect(data.webhooks.nodes).toHaveLength(1);
  const response = await fetch(`${stage.team.url}/json/2/svc.webhook/search_read`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${stage.team.main.admin.key}` },
    body: '{"domain":[]}',
  });
  const text = await response.text();
  expect(text).toContain('mine');
  expect(text).not.toContain(secret);
  expect(JSON.stringify(await gql('{ webhooks { nodes { id url description status } } }'))).not.toContain(
    secret,
  );
});
