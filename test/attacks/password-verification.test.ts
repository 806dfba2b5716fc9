import { expect, test, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { MAX_SIGN_IN_FAILURES } from '../../src/engine/identity/failures.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { createScene, type Person } from '../rights/scene.ts';

// An attacker who has stolen a user's key guesses the password, which grants more rights than the key.

const app = setUpApp();
const scene = createScene(app);
let serial = 0;

const DESCRIPTION = 'res.users.apikeys.description';
const CHECK = 'res.users.identitycheck';
const PAUSED = /Too many login failures/;

const addPerson = (): Promise<Person> => scene.addPerson(`proves${++serial}`);

/** @returns the id of a password check */
async function createKeyWizard(person: Person): Promise<number> {
  const ids = await person.value(`${DESCRIPTION}/create`, { vals_list: [{ name: 'k' }] });
  return (await person.value(`${DESCRIPTION}/make_key`, { ids })).res_id;
}

const guessPassword = async (person: Person, check: number, password: string): Promise<string> =>
  (await person.expectRejection(`${CHECK}/write`, { ids: [check], vals: { password } })).message;

const ageFailures = (ms: number) =>
  app.runtime.db.rows(
    sql`update svc_sign_in_failure set last_at = last_at - make_interval(secs => ${ms / 1000}::float8)
      where workspace_id = ${app.main.ctx.workspace.id}`,
  );

test('delays further guesses in every operation that verifies the password', async () => {
  const person = await addPerson();
  const check = await createKeyWizard(person);
  for (let i = 0; i < MAX_SIGN_IN_FAILURES; i++)
    expect(await guessPassword(person, check, `wrong ${i}`)).toMatch(/^Incorrect password/);
  const { password } = person;
  expect(await guessPassword(person, check, password)).toMatch(PAUSED);
  const change = { old_passwd: password, new_passwd: 'another long password' };
  expect((await person.expectError(403, 'res.users/change_password', change)).message).toMatch(PAUSED);
  await ageFailures(limits.identity.loginPause);
  expect(await guessPassword(person, check, 'wrong again')).toMatch(/^Incorrect password/);
  await ageFailures(limits.identity.loginPause);
  expect(await guessPassword(person, check, password)).toMatch(PAUSED);
  await ageFailures(limits.identity.loginPause);
  await person.value(`${CHECK}/write`, { ids: [check], vals: { password } });
  expect(await guessPassword(person, check, 'wrong once')).toMatch(/^Incorrect password/);
});

test('limits concurrent guesses to the same number as sequential ones', async () => {
  const person = await addPerson();
  const checks = await Promise.all(Array.from({ length: 20 }, () => createKeyWizard(person)));
  const responses = await Promise.all(checks.map((check, i) => guessPassword(person, check, `wrong ${i}`)));
  const rejections = responses.filter((response) => !PAUSED.test(response));
  expect(rejections.length).toBeLessThanOrEqual(MAX_SIGN_IN_FAILURES);
  expect(rejections.length).toBeGreaterThan(0);
});

test('does not delay other users after wrong guesses for one user', async () => {
  const [person, otherPerson] = [await addPerson(), await addPerson()];
  const check = await createKeyWizard(person);
  for (let i = 0; i <= MAX_SIGN_IN_FAILURES; i++) await guessPassword(person, check, `wrong ${i}`);
  const { password } = otherPerson;
  await otherPerson.value(`${CHECK}/write`, {
    ids: [await createKeyWizard(otherPerson)],
    vals: { password },
  });
});

test('records wrong passwords in the audit trail and aggregates repeats', async () => {
  const person = await addPerson();
  const check = await createKeyWizard(person);
  const pause = vi.spyOn(limits.identity, 'maxLoginPause', 'get').mockReturnValue(0 as never);
  for (let i = 0; i < 20; i++) await guessPassword(person, check, `wrong ${i}`);
  pause.mockRestore();
  const lines = await createJsonClient(app).value('svc.audit.event/search_read', {
    domain: [
      ['user_id', '=', person.id],
      ['event', '=', 'password.check'],
    ],
    fields: ['channel', 'success', 'summary'],
    order: 'id',
  });
  const failures = [...Array(5).fill({}), { failures: 10 }, { failures: 20 }];
  expect(lines).toEqual(
    failures.map((summary) => ({
      id: expect.any(Number),
      channel: 'json',
      success: false,
      summary: JSON.stringify(summary),
    })),
  );
});
