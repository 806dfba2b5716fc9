import { beforeAll, expect, test } from 'vitest';
import { setUpTeam } from '../harness/facades/rest.ts';

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  requestBody?: { content: Record<string, { example?: unknown }> };
}

const team = setUpTeam();
let operations: { method: string; path: string; operation: Operation }[];
let tags: string[];
beforeAll(async () => {
  const document = (await team.ask('GET', '/api/v1/doc', { key: null })).json;
  tags = document.tags.map(({ name }: { name: string }) => name);
  operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const addedResponse = await team.ask('POST', '/api/v1/domains', {
    body: { name: 'main.localhost', region: 'local' },
  });
  expect((await team.ask('PUT', `/api/v1/domains/${addedResponse.json.id}/verify`)).status).toBe(200);
});

test('every operation has a description, and an example if it has a body', () => {
  expect(operations.length).toBeGreaterThanOrEqual(36);
  for (const { operation } of operations) {
    expect(operation.description?.length, operation.operationId).toBeGreaterThan(30);
    expect(operation.description).not.toBe(operation.summary);
    for (const media of Object.values(operation.requestBody?.content ?? {}))
      expect(media.example, operation.operationId).toBeDefined();
  }
});

test('operations are sorted by tag in a stable order', async () => {
  const order = operations.map(({ operation }) => tags.indexOf(operation.tags[0]!));
  expect(order).not.toContain(-1);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  const secondDocument = (await team.ask('GET', '/api/v1/doc', { key: null })).json;
  expect(Object.keys(secondDocument.paths)).toEqual([...new Set(operations.map(({ path }) => path))]);
});

async function createIds(operationId: string): Promise<Record<string, string>> {
  const create = async (path: string, body: unknown) =>
    (await team.ask('POST', `/api/v1${path}`, { body })).json;
  const contactBookId = await team.book();
  const { contactId } = await create(`/contactBooks/${contactBookId}/contacts`, { email: 'x@example.com' });
  const email = { from: 'a@main.localhost', to: 'b@example.com', subject: 's', text: 't' };
  const { emailId } = await create('/emails', { ...email, scheduledAt: '2099-01-01T00:00:00Z' });
  const { id } = await create('/domains', {
    name: `${operationId.toLowerCase()}.example.com`,
    region: 'local',
  });
  const html = '<a href="{{usesend_unsubscribe_url}}">x</a>';
  const campaign = { name: 'n', from: 'a@main.localhost', subject: 's', contactBookId, html };
  const campaignId = (await create('/campaigns', campaign)).id;
  if (['pauseCampaign', 'resumeCampaign'].includes(operationId))
    await create(`/campaigns/${campaignId}/schedule`, { scheduledAt: '2099-01-01T00:00:00Z' });
  if (operationId === 'resumeCampaign') await create(`/campaigns/${campaignId}/pause`, {});
  return { contactBookId, contactId, emailId, id: String(id), campaignId };
}

test('every example returns 200 if its ids exist', async () => {
  for (const { method, path, operation } of operations) {
    const ids = await createIds(operation.operationId);
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
    const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    const example = media?.example;
    const text =
      example === undefined
        ? undefined
        : (typeof example === 'string' ? example : JSON.stringify(example))
            .replace('id-of-your-contact-book', ids.contactBookId!)
            .replace('id-of-a-contact', ids.contactId!);
    const response = await fetch(`${team.url}/api${address}`, {
      method,
      headers: { authorization: `Bearer ${team.main.teamKey}`, ...(type && { 'content-type': type }) },
      ...(text !== undefined && { body: text }),
    });
    expect(response.status, `${operation.operationId} ${await response.text()}`).toBe(200);
  }
});
