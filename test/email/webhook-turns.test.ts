import { expect, test, vi } from 'vitest';
import { buildMail } from '../harness/facades/rest.ts';
import { pause } from '../harness/wait.ts';
import { stageWebhooks } from './webhook-stage.ts';

vi.mock('../../src/limits.ts', async (original) => {
  const { limits } = await original<typeof import('../../src/limits.ts')>();
  return { limits: { ...limits, webhook: { ...limits.webhook, atOnce: 1, callsAtOnceOfWebhook: 1 } } };
});

const stage = stageWebhooks();

test('gives the next free slot to the workspace whose turn it is', async () => {
  const otherTenant = await stage.team.tenant('patient');
  await stage.make('eventTypes: [EMAIL_QUEUED]', 'busy');
  const hook = `mutation { webhookCreate(url: "${stage.url}/other", eventTypes: [EMAIL_QUEUED]) { id secret } }`;
  await stage.gql(hook, otherTenant.admin.key);
  const busyCount = 50;
  await stage.team.batch(Array.from({ length: busyCount }, () => buildMail()));
  await stage.team.ask('POST', '/api/v1/emails', {
    body: buildMail({ from: 'x@patient.test' }),
    key: otherTenant.teamKey,
  });
  stage.answer = () => pause(100).then(() => 200);
  stage.work();
  const getPaths = () => stage.received.map(({ path }) => path);
  await expect.poll(getPaths).toContain('/other');
  expect(getPaths().indexOf('/other')).toBeLessThan(busyCount);
});
