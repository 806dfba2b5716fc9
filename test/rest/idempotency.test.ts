import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();

const withKeyHeader = (key: string) => ({ 'idempotency-key': key });

function countEmails(subject: string): Promise<number> {
  return team.runtime.db.value<number>(
    sql`select count(*)::int from svc_email where workspace_id > 0 and subject = ${subject}`,
  );
}

test('returns the first result for a repeated send with the same Idempotency-Key, and sends once', async () => {
  const first = await team.send(buildMail({ subject: 'once' }), withKeyHeader('a-1'));
  const repeatedResponse = await team.send(buildMail({ subject: 'once' }), withKeyHeader('a-1'));
  expect([first.status, repeatedResponse.status]).toEqual([200, 200]);
  expect(repeatedResponse.json).toEqual(first.json);
  expect(await countEmails('once')).toBe(1);
});

test('returns the first result for a repeated batch with the same Idempotency-Key, and sends once', async () => {
  const body = [buildMail({ subject: 'batch once' }), buildMail({ subject: 'batch once' })];
  const first = await team.batch(body, withKeyHeader('b-1'));
  const repeatedResponse = await team.batch(body, withKeyHeader('b-1'));
  expect(first.json.data).toHaveLength(2);
  expect(repeatedResponse.json).toEqual(first.json);
  expect(await countEmails('batch once')).toBe(2);
});

test('returns 409 NOT_UNIQUE and sends nothing if an Idempotency-Key is reused with a different body', async () => {
  await team.send(buildMail(), withKeyHeader('c-1'));
  const before = await team.countWritten();
  const { status, json } = await team.send(buildMail({ subject: 'other' }), withKeyHeader('c-1'));
  expect(status).toBe(409);
  expect(json).toEqual(buildExpectedEnvelope('NOT_UNIQUE'));
  expect(await team.countWritten()).toBe(before);
});

test('ignores field order and unknown fields when comparing bodies', async () => {
  const { to, from, subject, html } = buildMail();
  const first = await team.send({ to, from, subject, html }, withKeyHeader('c-2'));
  const repeatedResponse = await team.send({ html, subject, from, to, unknown: 1 }, withKeyHeader('c-2'));
  expect(repeatedResponse.json).toEqual(first.json);
});

test('creates one email for 100 concurrent sends with the same Idempotency-Key', async () => {
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => team.send(buildMail({ subject: 'all at once' }), withKeyHeader('d-1'))),
  );
  expect(responses.map((response) => response.status)).toEqual(Array(100).fill(200));
  expect(new Set(responses.map((response) => response.text)).size).toBe(1);
  expect(await countEmails('all at once')).toBe(1);
});

test('shares an Idempotency-Key between both send endpoints of a team', async () => {
  await team.send(buildMail(), withKeyHeader('e-1'));
  expect((await team.batch([buildMail()], withKeyHeader('e-1'))).json).toEqual(
    buildExpectedEnvelope('NOT_UNIQUE'),
  );
});

test('applies an Idempotency-Key only within a team', async () => {
  const otherTenant = await team.tenant('second');
  const ownResponse = await team.send(buildMail(), withKeyHeader('f-1'));
  const otherResponse = await team.ask('POST', '/api/v1/emails', {
    key: otherTenant.teamKey,
    body: buildMail({ from: 'a@second.test' }),
    headers: withKeyHeader('f-1'),
  });
  expect(otherResponse.status).toBe(200);
  expect(otherResponse.json.emailId).not.toBe(ownResponse.json.emailId);
});

test('does not store a failed request, so a retry runs it again', async () => {
  expect((await team.send(buildMail({ from: 'x@later.test' }), withKeyHeader('g-1'))).status).toBe(400);
  const ok = await team.send(buildMail({ subject: 'after a failure' }), withKeyHeader('g-1'));
  expect(ok.status).toBe(200);
  expect(await countEmails('after a failure')).toBe(1);
});

test('returns the first result even if the request would now be rejected', async () => {
  const otherTenant = await team.tenant('third');
  const send = () =>
    team.ask('POST', '/api/v1/emails', {
      key: otherTenant.teamKey,
      body: buildMail({ from: 'a@third.test' }),
      headers: withKeyHeader('h-1'),
    });
  const first = await send();
  await otherTenant.ctx.db.rows(
    sql`update svc_domain set status = 'FAILED' where workspace_id = ${otherTenant.ctx.workspace.id}`,
  );
  expect((await send()).json).toEqual(first.json);
});

test('runs a request again after its Idempotency-Key has expired', async () => {
  const first = await team.send(buildMail(), withKeyHeader('i-1'));
  await team.main.ctx.db.rows(
    sql`update svc_idempotency set created_at = now() - interval '25 hours' where workspace_id = ${team.main.ctx.workspace.id} and key = 'i-1'`,
  );
  const later = await team.send(buildMail({ subject: 'next day' }), withKeyHeader('i-1'));
  expect(later.status).toBe(200);
  expect(later.json.emailId).not.toBe(first.json.emailId);
});

test('accepts an Idempotency-Key of 256 characters, and rejects 257 or an empty one with BAD_REQUEST', async () => {
  expect((await team.send(buildMail(), withKeyHeader('k'.repeat(256)))).status).toBe(200);
  const before = await team.countWritten();
  expect((await team.send(buildMail(), withKeyHeader('k'.repeat(257)))).json).toEqual(
    buildExpectedEnvelope('BAD_REQUEST'),
  );
  expect((await team.send(buildMail(), withKeyHeader(''))).json).toEqual(
    buildExpectedEnvelope('BAD_REQUEST'),
  );
  expect(await team.countWritten()).toBe(before);
});

test('stores the response in the same transaction as the email', async () => {
  const first = await team.send(buildMail({ subject: 'durable' }), withKeyHeader('l-1'));
  const rows = await team.main.ctx.db.rows<{ response: string[]; emails: number }>(
    sql`select i.response, (select count(*)::int from svc_email e where e.workspace_id = i.workspace_id and e.xmin = i.xmin) as emails
     from svc_idempotency i where i.workspace_id = ${team.main.ctx.workspace.id} and i.key = 'l-1'`,
  );
  expect(rows).toEqual([{ response: [first.json.emailId], emails: 1 }]);
});
