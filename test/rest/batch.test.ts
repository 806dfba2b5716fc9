import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelope, mail, startTeam, type Team } from '../harness/doors/rest.ts';

let team: Team;
beforeAll(async () => {
  team = await startTeam();
});
afterAll(() => team.close());

const many = (n: number) => Array.from({ length: n }, (_, i) => mail({ subject: `number ${i}` }));

test('a batch answers with the ids of its emails in the order given', async () => {
  const { status, json } = await team.batch(many(100));
  expect(status).toBe(200);
  expect(Object.keys(json)).toEqual(['data']);
  expect(json.data).toHaveLength(100);
  for (const at of [0, 1, 57, 99]) {
    const { json: email } = await team.ask('GET', `/api/v1/emails/${json.data[at].emailId}`);
    expect(email.subject).toBe(`number ${at}`);
  }
});

test.each([
  ['of 101 emails', () => many(101)],
  ['without emails', () => []],
  ['that is one email and no list', () => mail()],
  ['with one email of a wrong type', () => [...many(2), mail({ from: 5 })]],
  ['with one invalid recipient', () => [...many(2), mail({ to: 'not an address' })]],
  ['with one email without subject and templateId', () => [...many(2), mail({ subject: undefined })]],
  [
    "with one sender on a domain that is not the team's",
    () => [...many(2), mail({ from: 'a@unknown.test' })],
  ],
])('a batch %s is BAD_REQUEST and none of it is accepted', async (_case, body) => {
  const before = await team.written();
  const { status, json } = await team.batch(body());
  expect(status).toBe(400);
  expect(json).toEqual(envelope('BAD_REQUEST'));
  expect(await team.written()).toBe(before);
});

test('a batch with one unknown template is NOT_FOUND and none of it is accepted', async () => {
  const before = await team.written();
  expect((await team.batch([...many(2), mail({ templateId: 'nope' })])).json).toEqual(envelope('NOT_FOUND'));
  expect(await team.written()).toBe(before);
});

test('a refused batch says which of its emails is at fault', async () => {
  expect((await team.batch([...many(2), mail({ to: 'nobody' })])).json.message).toMatch(/^2: to/);
  expect((await team.batch([mail({ from: 5 }), ...many(2)])).json.message).toMatch(/^0\.from/);
});
