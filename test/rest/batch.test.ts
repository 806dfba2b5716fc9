import { expect, test } from 'vitest';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();

const buildMails = (n: number) => Array.from({ length: n }, (_, i) => buildMail({ subject: `number ${i}` }));

test("returns the ids of a batch's emails in input order", async () => {
  const { status, json } = await team.batch(buildMails(100));
  expect(status).toBe(200);
  expect(Object.keys(json)).toEqual(['data']);
  expect(json.data).toHaveLength(100);
  for (const at of [0, 1, 57, 99]) {
    const { json: email } = await team.ask('GET', `/api/v1/emails/${json.data[at].emailId}`);
    expect(email.subject).toBe(`number ${at}`);
  }
});

test.each([
  ['of 101 emails', () => buildMails(101)],
  ['without emails', () => []],
  ['that is an object instead of a list', () => buildMail()],
  ['with one email of a wrong type', () => [...buildMails(2), buildMail({ from: 5 })]],
  ['with one invalid recipient', () => [...buildMails(2), buildMail({ to: 'not an address' })]],
  [
    'with one email without subject and templateId',
    () => [...buildMails(2), buildMail({ subject: undefined })],
  ],
  [
    "with one sender on a domain that is not the team's",
    () => [...buildMails(2), buildMail({ from: 'a@unknown.test' })],
  ],
])('rejects a batch %s with BAD_REQUEST, and accepts none of its emails', async (_case, body) => {
  const before = await team.countWritten();
  const { status, json } = await team.batch(body());
  expect(status).toBe(400);
  expect(json).toEqual(buildExpectedEnvelope('BAD_REQUEST'));
  expect(await team.countWritten()).toBe(before);
});

test('rejects a batch that refers to an unknown template with NOT_FOUND, and accepts none of its emails', async () => {
  const before = await team.countWritten();
  expect((await team.batch([...buildMails(2), buildMail({ templateId: 'nope' })])).json).toEqual(
    buildExpectedEnvelope('NOT_FOUND'),
  );
  expect(await team.countWritten()).toBe(before);
});

test('names the invalid email in the error of a rejected batch', async () => {
  expect((await team.batch([...buildMails(2), buildMail({ to: 'nobody' })])).json.message).toMatch(/^2: to/);
  expect((await team.batch([buildMail({ from: 5 }), ...buildMails(2)])).json.message).toMatch(/^0\.from/);
});
