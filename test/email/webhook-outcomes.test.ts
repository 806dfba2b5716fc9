import { expect, test } from 'vitest';
import { closeWorkspace, reopenWorkspace } from '../../schema/base/workspace/delete-workspace.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { buildMail } from '../harness/facades/rest.ts';
import { stageWebhooks } from './webhook-stage.ts';

const stage = stageWebhooks();
const { calls, make, sent, work } = stage;

test('repeats a call after its lease expires if its outcome could not be stored', async () => {
  const { pool } = stage.team.runtime.db;
  await pool.query(`
    create sequence refused_outcomes;
    create function refuse_outcome() returns trigger language plpgsql as $$
      begin perform nextval('refused_outcomes'); raise exception 'not now'; end $$;
    create trigger refuse_outcome before update on svc_webhook_call for each row when (new.status = 'DELIVERED')
      execute function refuse_outcome();`);
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  const first = await sent();
  work({ pause: 20, leaseTime: 1_000 });
  const readStates = async () => (await calls(id)).map(({ status }) => status);
  // A sequence keeps its value when its transaction is rolled back.
  const isOutcomeRefused = async () =>
    (await pool.query('select is_called from refused_outcomes')).rows[0].is_called;
  await expect.poll(isOutcomeRefused).toBe(true);
  expect(await readStates()).toEqual(['IN_PROGRESS']);
  await pool.query('drop trigger refuse_outcome on svc_webhook_call');
  const second = await sent();
  await expect.poll(readStates).toEqual(['DELIVERED', 'DELIVERED']);
  const reportedIds = stage.received.map(({ body }) => body.data.id);
  expect(reportedIds).toEqual([...Array(reportedIds.length - 1).fill(first), second]);
  expect(reportedIds.length).toBeGreaterThan(2);
  expect(new Set(stage.received.map(({ body }) => body.attempt))).toEqual(new Set([1]));
});

test.each([
  ['claim', 'with heads as ('],
  ['beginning', 'with held as ('],
])('completes a call whose %s response was lost long before its lease ends', async (_, part) => {
  const { db } = stage.team.runtime;
  let lostCount = 0;
  const readRows = async <R>(statement: Sql): Promise<R[]> => {
    const result = await db.rows<R>(statement);
    if (result.length === 0 || !statement.render().text.includes(part) || ++lostCount > 1) return result;
    throw new Error('Connection terminated unexpectedly');
  };
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  await sent();
  work({ pause: 20, leaseTime: 600_000 }, { ...db, rows: readRows });
  await expect.poll(async () => (await calls(id)).map(({ status }) => status)).toEqual(['DELIVERED']);
  expect(lostCount).toBeGreaterThan(1);
  expect(stage.received.map(({ body }) => body.attempt)).toEqual([1]);
});

test('stops calling the webhooks of a workspace that is closed, and continues once it is restored', async () => {
  const { runtime, main, batch } = stage.team;
  const { id } = main.ctx.workspace;
  const count = 100;
  await make('eventTypes: [EMAIL_QUEUED]');
  for (let i = 0; i < 2; i++) await batch(Array.from({ length: count / 2 }, () => buildMail()));
  const { promise: closed, resolve: answerCalls } = Promise.withResolvers<200>();
  stage.answer = () => closed;
  work();
  await expect.poll(() => stage.received.length).toBeGreaterThan(0);
  await closeWorkspace(runtime, id, new Date(Date.now() + 86_400_000));
  answerCalls(200);
  const countLeases = () =>
    runtime.db.value<number>(
      sql`select count(*)::int from svc_webhook where workspace_id = ${id} and lease_until is not null`,
    );
  await expect.poll(countLeases).toBe(0);
  expect(stage.received.length).toBeLessThan(count);
  await reopenWorkspace(runtime, id);
  await expect.poll(() => stage.received.length).toBe(count);
  expect(new Set(stage.received.map(({ body }) => body.id)).size).toBe(count);
});
