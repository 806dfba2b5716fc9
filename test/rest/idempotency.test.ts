import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { envelope, mail, startTeam, type Team } from '../harness/doors/rest.ts';

let team: Team;
beforeAll(async () => {
  team = await startTeam();
});
afterAll(() => team.close());

const under = (key: string) => ({ 'idempotency-key': key });

async function emails(subject: string): Promise<number> {
  const [row] = await team.runtime.db.rows<{ n: number }>(
    sql`select count(*)::int as n from svc_email where workspace_id > 0 and subject = ${subject}`,
  );
  return row!.n;
}

test('a retried send with the same Idempotency-Key gets the original result and makes no second email', async () => {
  const first = await team.send(mail({ subject: 'once' }), under('a-1'));
  const again = await team.send(mail({ subject: 'once' }), under('a-1'));
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.json).toEqual(first.json);
  expect(await emails('once')).toBe(1);
});

test('a retried batch with the same Idempotency-Key gets the original result and makes no second email', async () => {
  const body = [mail({ subject: 'batch once' }), mail({ subject: 'batch once' })];
  const first = await team.batch(body, under('b-1'));
  const again = await team.batch(body, under('b-1'));
  expect(first.json.data).toHaveLength(2);
  expect(again.json).toEqual(first.json);
  expect(await emails('batch once')).toBe(2);
});

test('the same Idempotency-Key with another body is 409 NOT_UNIQUE and sends nothing', async () => {
  await team.send(mail(), under('c-1'));
  const before = await team.written();
  const { status, json } = await team.send(mail({ subject: 'other' }), under('c-1'));
  expect(status).toBe(409);
  expect(json).toEqual(envelope('NOT_UNIQUE'));
  expect(await team.written()).toBe(before);
});

test('the order of fields and fields that are not known do not make another body', async () => {
  const { to, from, subject, html } = mail();
  const first = await team.send({ to, from, subject, html }, under('c-2'));
  const again = await team.send({ html, subject, from, to, unknown: 1 }, under('c-2'));
  expect(again.json).toEqual(first.json);
});

test('100 sends at once under one Idempotency-Key make one email and all get the same answer', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => team.send(mail({ subject: 'all at once' }), under('d-1'))),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(100).fill(200));
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(await emails('all at once')).toBe(1);
});

test('an Idempotency-Key is shared between the two endpoints of a team', async () => {
  await team.send(mail(), under('e-1'));
  expect((await team.batch([mail()], under('e-1'))).json).toEqual(envelope('NOT_UNIQUE'));
});

test('an Idempotency-Key is not shared between teams', async () => {
  const other = await team.tenant('second');
  const ours = await team.send(mail(), under('f-1'));
  const theirs = await team.ask('POST', '/api/v1/emails', {
    key: other.teamKey,
    body: mail({ from: 'a@second.test' }),
    headers: under('f-1'),
  });
  expect(theirs.status).toBe(200);
  expect(theirs.json.emailId).not.toBe(ours.json.emailId);
});

test('a request that failed is not remembered: the retry runs again', async () => {
  expect((await team.send(mail({ from: 'x@later.test' }), under('g-1'))).status).toBe(400);
  const ok = await team.send(mail({ subject: 'after a failure' }), under('g-1'));
  expect(ok.status).toBe(200);
  expect(await emails('after a failure')).toBe(1);
});

test('a retry gets the original result even when the request would be refused by now', async () => {
  const other = await team.tenant('third');
  const send = () =>
    team.ask('POST', '/api/v1/emails', {
      key: other.teamKey,
      body: mail({ from: 'a@third.test' }),
      headers: under('h-1'),
    });
  const first = await send();
  await other.ctx.db.rows(
    sql`update svc_domain set status = 'FAILED' where workspace_id = ${other.ctx.workspace.id}`,
  );
  expect((await send()).json).toEqual(first.json);
});

test('a key is forgotten after its hours: the request then runs again', async () => {
  const first = await team.send(mail(), under('i-1'));
  await team.main.ctx.db.rows(
    sql`update svc_idempotency set created_at = now() - interval '25 hours' where workspace_id = ${team.main.ctx.workspace.id} and key = 'i-1'`,
  );
  const later = await team.send(mail({ subject: 'next day' }), under('i-1'));
  expect(later.status).toBe(200);
  expect(later.json.emailId).not.toBe(first.json.emailId);
});

test('an Idempotency-Key of 256 characters is accepted, one of 257 or none at all is BAD_REQUEST', async () => {
  expect((await team.send(mail(), under('k'.repeat(256)))).status).toBe(200);
  const before = await team.written();
  expect((await team.send(mail(), under('k'.repeat(257)))).json).toEqual(envelope('BAD_REQUEST'));
  expect((await team.send(mail(), under(''))).json).toEqual(envelope('BAD_REQUEST'));
  expect(await team.written()).toBe(before);
});

test('durable idempotency in SQL: the answer is known to every process, and written with the email or not at all', async () => {
  const first = await team.send(mail({ subject: 'durable' }), under('l-1'));
  const rows = await team.main.ctx.db.rows<{ response: string[]; emails: number }>(
    sql`select i.response, (select count(*)::int from svc_email e where e.workspace_id = i.workspace_id and e.xmin = i.xmin) as emails
     from svc_idempotency i where i.workspace_id = ${team.main.ctx.workspace.id} and i.key = 'l-1'`,
  );
  expect(rows).toEqual([{ response: [first.json.emailId], emails: 1 }]);
});
