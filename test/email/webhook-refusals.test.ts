import { expect, test } from 'vitest';
import { startTeam } from '../harness/facades/rest.ts';
import { stageWebhooks } from './webhook-stage.ts';

const stage = stageWebhooks();

async function requestError(query: string, on = stage.team): Promise<[code: unknown, message: string]> {
  const { errors } = await on.graphql(query);
  return [errors[0]!.extensions.code, errors[0]!.message];
}

test('returns null for an unknown webhook and no calls for an unused one', async () => {
  const { id } = await stage.make();
  expect(await stage.gql('{ webhook(id: 999999) { calls { totalCount } } }')).toBeNull();
  expect(await stage.gql(`{ webhook(id: ${id}) { calls { totalCount nodes { id } } } }`)).toEqual({
    calls: { totalCount: 0, nodes: [] },
  });
});

test('rejects a test of a paused webhook and gives the reason', async () => {
  const { id } = await stage.make();
  await stage.gql(`mutation { webhookUpdate(id: ${id}, status: PAUSED) { id } }`);
  const [code, message] = await requestError(`mutation { webhookTest(id: ${id}) { id } }`);
  expect([code, message]).toEqual(['BAD_REQUEST', expect.stringMatching(/PAUSED.*webhookUpdate.*ACTIVE/)]);
  expect(await requestError('mutation { webhookTest(id: 999999) { id } }')).toEqual([
    'NOT_FOUND',
    'Webhook not found',
  ]);
});

test('rejects repeating a call in progress with an explanation', async () => {
  const { id } = await stage.make();
  await stage.gql(`mutation { webhookTest(id: ${id}) { id } }`);
  const [call] = await stage.calls(id);
  expect(await requestError(`mutation { webhookRedeliver(id: ${call.id}) { id } }`)).toEqual([
    'BAD_REQUEST',
    expect.stringMatching(/PENDING/),
  ]);
  expect(await requestError('mutation { webhookRedeliver(id: 999999) { id } }')).toEqual([
    'NOT_FOUND',
    'Webhook call not found',
  ]);
});

test('rejects a private address and names the setting that allows it', async () => {
  const team = await startTeam();
  try {
    expect(
      await requestError('mutation { webhookCreate(url: "http://10.0.0.1/") { id secret } }', team),
    ).toEqual(['BAD_REQUEST', expect.stringMatching(/^url: .*not public.*WEBHOOK_ALLOW_PRIVATE=1/)]);
  } finally {
    await team.close();
  }
});

test('limits a workspace to 50 webhooks, even if they are created concurrently', {
  tags: 'slow',
}, async () => {
  const team = await startTeam({ WEBHOOK_ALLOW_PRIVATE: '1' });
  const make = async (): Promise<boolean> => {
    const { data } = await team.graphql('mutation { webhookCreate(url: "http://127.0.0.1:9/") { id } }');
    return Boolean(data?.webhookCreate);
  };
  const count = async (creations: Promise<boolean>[]) =>
    (await Promise.all(creations)).filter(Boolean).length;
  try {
    expect(await count(Array.from({ length: 120 }, make))).toBe(50);
    expect(await requestError('mutation { webhookCreate(url: "http://127.0.0.1:9/") { id } }', team)).toEqual(
      ['BAD_REQUEST', 'A workspace may have at most 50 webhooks.'],
    );
  } finally {
    await team.close();
  }
});
