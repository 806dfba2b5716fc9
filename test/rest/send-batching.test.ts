import pg from 'pg';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sql, sql } from '../../src/db/sql.ts';
import type { StoppableWork } from '../../src/db/stoppable.ts';
import { errors } from '../../src/errors.ts';
import { post } from '../harness/app.ts';
import { captureStatements } from '../harness/capture-statements.ts';
import type { GraphqlProblem } from '../harness/facades/graphql.ts';
import { buildMail, setUpTeam } from '../harness/facades/rest.ts';
import { createSeededRandom } from '../rpc/seeded.ts';

const team = setUpTeam();
let workspace: number;
beforeAll(async () => {
  workspace = team.main.ctx.workspace.id;
  await team.runtime.db.rows(
    sql`insert into svc_suppression (workspace_id, id, email) values (${workspace}, 800, 'blocked@example.net')`,
  );
});

const withKeyHeader = (key: string) => ({ 'idempotency-key': key });
// Opens connections in advance, because requests on new connections do not arrive together.
beforeEach(async () => {
  await Promise.all(Array.from({ length: 40 }, () => team.send(buildMail({ subject: 'before' }))));
});

const loadEmails = (subject: string) =>
  team.runtime.db.rows<{ public_id: string; state: string; to: string[] }>(
    sql`select public_id, state, "to" from svc_email where workspace_id = ${workspace} and subject = ${subject}`,
  );

const GROUP = 'recipients text[]';

function buildDatabaseAway(): Error {
  const message = errors.databaseAway();
  message.cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  return message;
}

const countGroups = async (fn: () => Promise<void>, instead?: () => Promise<never[]>): Promise<number> =>
  (await captureStatements(team.runtime, GROUP, fn, instead)).length;

const KINDS: { change: object; status: number; state?: string; to?: string[] }[] = [
  { change: {}, status: 200, state: 'queued', to: ['ann@example.net'] },
  { change: { to: 'Other <other@example.net>' }, status: 200, state: 'queued' },
  { change: { to: 'Blocked <BLOCKED@example.net>' }, status: 200, state: 'suppressed' },
  {
    change: { to: ['blocked@example.net', 'free@example.net'] },
    status: 200,
    state: 'queued',
    to: ['free@example.net'],
  },
  { change: { from: 'x@unknown.example' }, status: 400 },
  { change: { text: 'a\u0000b' }, status: 400 },
  { change: { inReplyToId: 'nothing' }, status: 400 },
  { change: { templateId: 'nothing' }, status: 404 },
  { change: { to: [] }, status: 400 },
  {
    change: { metadata: { a: 1, b: 'x' }, tags: { c: 'd' }, headers: { 'X-A': 'b' } },
    status: 200,
    state: 'queued',
  },
  { change: { scheduledAt: '2099-01-01T00:00:00Z' }, status: 200, state: 'queued' },
  { change: { text: 'x'.repeat(100_000) }, status: 200, state: 'queued' },
];

test('returns the same results for random batched sends as for separate sends', async () => {
  const seed = Date.now() % 1_000_000;
  const random = createSeededRandom(seed);
  const randomBelow = (n: number) => Math.floor(random() * n);
  const sends = Array.from({ length: 300 }, (_, i) => ({
    kind: KINDS[randomBelow(KINDS.length)]!,
    subject: `mix ${i}`,
    key: randomBelow(3) === 0 ? null : `mix-${i}`,
  }));
  const groups = await countGroups(async () => {
    const responses = await Promise.all(
      sends.map(({ kind, subject, key }) =>
        team.send(buildMail({ ...kind.change, subject }), key ? withKeyHeader(key) : {}),
      ),
    );
    for (const [i, response] of responses.entries()) {
      const { kind, subject } = sends[i]!;
      expect([response.status, kind.change], `seed ${seed} ${response.text}`).toEqual([
        kind.status,
        kind.change,
      ]);
      const stored = await loadEmails(subject);
      expect(stored.map(({ state }) => state)).toEqual(kind.state ? [kind.state] : []);
      if (!kind.state) continue;
      expect(response.json.emailId).toBe(stored[0]!.public_id);
      if (kind.to) expect(stored[0]!.to).toEqual(kind.to);
    }
  });
  expect(groups).toBeGreaterThan(0);
  expect(groups).toBeLessThan(300);
});

test('creates one email per Idempotency-Key, and rejects a different body with the same key', async () => {
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      team.send(
        buildMail({ subject: i % 3 === 2 ? 'other body' : 'repeated' }),
        withKeyHeader(`repeated-${i % 2}`),
      ),
    ),
  );
  const stored = [...(await loadEmails('repeated')), ...(await loadEmails('other body'))];
  expect(stored).toHaveLength(2);
  for (const response of responses) {
    expect([200, 409]).toContain(response.status);
    if (response.status === 200) expect(stored.map((row) => row.public_id)).toContain(response.json.emailId);
  }
  // Only requests with the first of the two bodies succeed, because they share the idempotency key.
  expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20);
});

test('a webhook created during sends receives every later email', async () => {
  const sendRounds = async () => {
    const sent: string[] = [];
    for (let round = 0; round < 12; round++) {
      if (round === 3)
        await team.runtime.db.rows(
          sql`insert into svc_webhook (id, workspace_id, url, secret) values (nextval('svc_webhook_id_seq'), ${workspace}, 'https://example.net', 's')`,
        );
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => team.send(buildMail({ subject: 'heard' }))),
      );
      for (const { json } of responses) if (round >= 3) sent.push(json.emailId);
    }
    return sent;
  };
  const sent = await sendRounds();
  const calls = await team.runtime.db.rows<{ id: string }>(
    sql`select distinct e.public_id as id from svc_webhook_call c join svc_email e
      on e.workspace_id = c.workspace_id and e.id = c.email_id where c.workspace_id = ${workspace}`,
  );
  const calledIds = new Set(calls.map(({ id }) => id));
  expect(sent.filter((id) => !calledIds.has(id))).toEqual([]);
  await team.runtime.db.rows(sql`delete from svc_webhook where workspace_id = ${workspace}`);
});

test('does not repeat a batch whose response is lost', async () => {
  const failConnection = () => Promise.reject(new Error('Connection terminated unexpectedly'));
  const groups = await countGroups(async () => {
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => team.send(buildMail({ subject: 'lost' }))),
    );
    const failureCount = responses.filter(({ status }) => status >= 500).length;
    expect(failureCount).toBeGreaterThan(0);
    expect(await loadEmails('lost')).toHaveLength(30 - failureCount);
  }, failConnection);
  expect(groups).toBeGreaterThan(0);
});

test('sends emails one by one if a batch is rejected', async () => {
  const rejectOutcome = () => Promise.reject(Object.assign(new Error('refused'), { code: '22P05' }));
  const groups = await countGroups(async () => {
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => team.send(buildMail({ subject: 'alone' }))),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await loadEmails('alone')).toHaveLength(30);
  }, rejectOutcome);
  expect(groups).toBeGreaterThan(0);
});

test('delays only the send whose Idempotency-Key is locked', async () => {
  const otherClient = new pg.Client({ connectionString: team.databaseUrl });
  await otherClient.connect();
  try {
    await otherClient.query('begin');
    await otherClient.query(
      "insert into svc_idempotency (workspace_id, key, body_hash, response) values ($1, 'held', 'x', '[]')",
      [workspace],
    );
    let isLate = true;
    const lateWrite = team.send(buildMail({ subject: 'held' }), withKeyHeader('held')).finally(() => {
      isLate = false;
    });
    const groups = await countGroups(async () => {
      const responses = await Promise.all(
        Array.from({ length: 30 }, () => team.send(buildMail({ subject: 'not held' }))),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    });
    expect(groups).toBeGreaterThan(0);
    expect(isLate).toBe(true);
    await otherClient.query('rollback');
    expect((await lateWrite).status).toBe(200);
  } finally {
    await otherClient.end();
  }
  expect(await loadEmails('held')).toHaveLength(1);
  expect(await loadEmails('not held')).toHaveLength(30);
});

test('does not report a committed send as retryable if the database fails later', async () => {
  const { db } = team.runtime;
  const { rows } = db;
  const sent = new Set<string>();
  db.rows = async <R>(statement: Sql, running?: StoppableWork) => {
    if (sent.size > 0) throw buildDatabaseAway();
    const response = await rows<R>(statement, running);
    if (statement.render().text.includes(GROUP))
      for (const { public_id } of response as { public_id: string }[]) sent.add(public_id);
    return response;
  };
  const both = `mutation ($first: EmailInput!, $second: EmailInput!) {
    first: emailSend(input: $first) { id } second: emailSend(input: $second) { id }
  }`;
  const buildInput = (subject: string) => ({ ...buildMail({ subject }), to: ['ann@example.net'] });
  const sends = Array.from({ length: 30 }, (_, i) => ({
    query: both,
    variables: { first: buildInput(`first ${i}`), second: buildInput(`second ${i}`) },
  }));
  const answers = await Promise.all(
    sends.map((body) => post(`${team.url}/graphql`, body, team.main.teamKey)),
  ).finally(() => {
    db.rows = rows;
  });
  expect(sent.size).toBeGreaterThan(1);
  for (const [i, answer] of answers.entries()) {
    const stored = [...(await loadEmails(`first ${i}`)), ...(await loadEmails(`second ${i}`))];
    const codes = answer.json().errors.map((error: GraphqlProblem) => error.extensions.code);
    expect([i, codes]).toEqual([i, [stored.length > 0 ? 'INTERNAL' : 'BUSY']]);
  }
});

test('does not mix concurrent sends of two teams', async () => {
  const otherTenant = await team.tenant('second');
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      i % 2
        ? team.ask('POST', '/api/v1/emails', {
            key: otherTenant.teamKey,
            body: buildMail({ from: `x@${otherTenant.domain}`, subject: 'theirs' }),
          })
        : team.send(buildMail({ subject: 'ours' })),
    ),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await loadEmails('ours')).toHaveLength(30);
  expect(await loadEmails('theirs')).toHaveLength(0);
});
