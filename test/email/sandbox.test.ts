import { beforeAll, expect, test } from 'vitest';
import { buildMail, startTeam } from '../harness/facades/rest.ts';
import { setUp } from '../harness/set-up.ts';
import { buildSesEnv, loadEmailRow, setUpSes, untilEmail } from './sending.ts';

const ses = setUpSes();
const team = setUp(() => startTeam(buildSesEnv(ses)));

beforeAll(async () => {
  ses.set({ sandbox: true }, { MaxSendRate: 100, Max24HourSend: 200 });
  await team.deliver();
});

async function sendAndLoadOutcome(to: string) {
  const { status, json } = await team.send(buildMail({ to }));
  expect(status).toBe(200);
  await untilEmail(team, json.emailId, ({ state }) => state === 'sent' || state === 'failed');
  return {
    ...(await loadEmailRow(team, json.emailId)),
    seen: await team.email(json.emailId),
  };
}

test("sends only to verified recipients and simulator addresses in the provider's sandbox", async () => {
  const outcome = await sendAndLoadOutcome('stranger@example.net');
  expect(outcome).toMatchObject({ state: 'failed', reason: expect.stringContaining('not verified') });
  expect(outcome.seen).toMatchObject({
    latestStatus: 'FAILED',
    reason: expect.stringContaining('stranger@example.net'),
    emailEvents: [{ status: 'FAILED', data: { code: 'MessageRejected' } }],
  });
  ses.verify('friend@example.net');
  for (const to of ['friend@example.net', 'success', 'bounce', 'complaint']) {
    const address = to.includes('@') ? to : `${to}@simulator.amazonses.com`;
    expect((await sendAndLoadOutcome(address)).seen).toMatchObject({ state: 'sent', latestStatus: 'SENT' });
  }
});

test('sends to any recipient if the account has production access', async () => {
  expect((await sendAndLoadOutcome('anybody@example.net')).state).toBe('failed');
  ses.set({ sandbox: false });
  expect((await sendAndLoadOutcome('anybody@example.net')).state).toBe('sent');
});
