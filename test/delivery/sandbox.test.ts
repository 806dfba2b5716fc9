import { afterAll, beforeAll, expect, test } from 'vitest';
import { mail, startTeam, type Team } from '../harness/doors/rest.ts';
import { type SesStandin, startSes } from '../standins/ses.ts';
import { credentials, row, sesEnv, until } from './sending.ts';

let ses: SesStandin;
let team: Team;

beforeAll(async () => {
  ses = await startSes();
  ses.verify('main.test');
  ses.set({ sandbox: true }, { MaxSendRate: 100, Max24HourSend: 200 });
  Object.assign(process.env, credentials);
  team = await startTeam(sesEnv(ses));
  await team.deliver();
});
afterAll(async () => {
  await team?.close();
  await ses?.close();
});

async function outcome(to: string) {
  const { status, json } = await team.send(mail({ to }));
  expect(status).toBe(200);
  await until(team, json.emailId, ({ state }) => state === 'sent' || state === 'failed');
  return {
    ...(await row(team, json.emailId)),
    seen: await team.email(json.emailId),
  };
}

test("in the provider's sandbox an unverified recipient fails with the reason, and a verified one and the simulator succeed", async () => {
  const refused = await outcome('stranger@example.net');
  expect(refused).toMatchObject({ state: 'failed', reason: expect.stringContaining('not verified') });
  expect(refused.seen).toMatchObject({
    latestStatus: 'FAILED',
    reason: expect.stringContaining('stranger@example.net'),
    emailEvents: [{ status: 'FAILED', data: { code: 'MessageRejected' } }],
  });
  ses.verify('friend@example.net');
  for (const to of ['friend@example.net', 'success', 'bounce', 'complaint']) {
    const address = to.includes('@') ? to : `${to}@simulator.amazonses.com`;
    expect((await outcome(address)).seen).toMatchObject({ state: 'sent', latestStatus: 'SENT' });
  }
});

test('with production access any recipient is written to, with the same request', async () => {
  expect((await outcome('anybody@example.net')).state).toBe('failed');
  ses.set({ sandbox: false });
  expect((await outcome('anybody@example.net')).state).toBe('sent');
});
