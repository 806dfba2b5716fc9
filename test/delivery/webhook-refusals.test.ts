import { expect, test } from 'vitest';
import { startTeam } from '../harness/doors/rest.ts';
import { stageWebhooks } from './webhook-stage.ts';

const stage = stageWebhooks();

async function refused(query: string, on = stage.team): Promise<[code: unknown, message: string]> {
  const { errors } = await on.graphql(query);
  return [errors[0]!.extensions.code, errors[0]!.message];
}

test('the calls of a webhook that there is not, or in a state that there is not, are no empty list', async () => {
  const { id } = await stage.make();
  expect(await refused('{ webhookCallList(webhookId: 999999) }')).toEqual(['NOT_FOUND', 'Webhook not found']);
  expect(await refused(`{ webhookCallList(webhookId: ${id}, status: "OLD") }`)).toEqual([
    'BAD_REQUEST',
    'status: one of PENDING, IN_PROGRESS, DELIVERED, FAILED, DISCARDED.',
  ]);
  expect(await stage.calls(id)).toEqual([]);
});

test('a test of a paused webhook says that it is paused', async () => {
  const { id } = await stage.make();
  await stage.gql(`mutation { webhookUpdate(id: ${id}, status: "PAUSED") }`);
  const [code, message] = await refused(`mutation { webhookTest(id: ${id}) }`);
  expect([code, message]).toEqual(['BAD_REQUEST', expect.stringMatching(/PAUSED.*webhookUpdate.*ACTIVE/)]);
  expect(await refused('mutation { webhookTest(id: 999999) }')).toEqual(['NOT_FOUND', 'Webhook not found']);
});

test('a call that has not ended is not made once more, and that is said', async () => {
  const { id } = await stage.make();
  await stage.gql(`mutation { webhookTest(id: ${id}) }`);
  const [call] = await stage.calls(id);
  expect(await refused(`mutation { webhookRedeliver(id: ${call.id}) }`)).toEqual([
    'BAD_REQUEST',
    expect.stringMatching(/PENDING/),
  ]);
  expect(await refused('mutation { webhookRedeliver(id: 999999) }')).toEqual([
    'NOT_FOUND',
    'Webhook call not found',
  ]);
});

test('a private address is refused with the setting that allows it', async () => {
  const team = await startTeam();
  try {
    expect(await refused('mutation { webhookCreate(url: "http://10.0.0.1/") }', team)).toEqual([
      'BAD_REQUEST',
      expect.stringMatching(/^url: .*not public.*WEBHOOK_ALLOW_PRIVATE=1/),
    ]);
  } finally {
    await team.close();
  }
});
