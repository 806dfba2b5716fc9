import { beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../src/db/sql.ts';
import { sql } from '../../src/db/sql.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';

const app = setUpApp();
beforeAll(async () => {
  await queryRows(
    `insert into svc_webhook (id, workspace_id, url, secret) values (nextval('svc_webhook_id_seq'), $1, 'https://example.net', 's')`,
  );
});

const queryRows = <R = Record<string, unknown>>(text: string) =>
  app.runtime.db.rows<R>(sql.given(text, [app.main.ctx.workspace.id]));

/** More old rows than two statements may delete. */
const OLD_ROWS_SQL = `generate_series(1, ${2 * limits.sql.batchRows + 1}) g cross join (values (now() at time zone 'utc' - interval '1 year')) o(at)`;
const NEW = `generate_series(1, 3) g cross join (values (now() at time zone 'utc')) o(at)`;

const CALLS = `insert into svc_webhook_call (workspace_id, id, webhook_id, public_id, type, status, run_at, create_date)
  select $1, nextval('svc_email_id_seq'), (select max(id) from svc_webhook where workspace_id = $1), gen_random_uuid(), 't', 'PENDING', at, at from`;

test.each([
  [
    'idempotency-purge',
    'svc_idempotency where workspace_id = $1',
    `insert into svc_idempotency (workspace_id, key, body_hash, response, created_at) select $1, at || ' ' || g, '', '{}', at from`,
  ],
  [
    'replay-purge',
    'svc_replay where workspace_id = $1',
    `insert into svc_replay (workspace_id, principal, key, request_hash, status, body, created_at) select $1, '', at || ' ' || g, '', 200, '', at from`,
  ],
  [
    'event-purge',
    `svc_event where workspace_id = $1 and topic = 't'`,
    `insert into svc_event (workspace_id, id, topic, payload, dispatched_at)
     select $1, nextval('svc_email_id_seq'), 't', '{}', at from`,
  ],
  [
    'sign-in-purge',
    'res_users_log where workspace_id = $1',
    `insert into res_users_log (id, workspace_id, create_uid, create_date)
     select nextval('res_users_log_id_seq'), $1, (select max(id) from res_users where workspace_id = $1), at from`,
  ],
  [
    'audit-prune',
    `svc_audit_event where workspace_id = $1 and event = 't'`,
    `insert into svc_audit_event (id, workspace_id, channel, event, success, create_date) select nextval('svc_audit_event_id_seq'), $1, 'rest', 't', true, at from`,
  ],
  [
    'session-purge',
    'svc_session where workspace_id = $1',
    `insert into svc_session (workspace_id, hash, user_id, expires_at)
     select $1, at || ' ' || g, (select max(id) from res_users where workspace_id = $1), at + interval '1 hour' from`,
  ],
  [
    'oauth-purge',
    'svc_oauth_payload where workspace_id = $1',
    `insert into svc_oauth_payload (workspace_id, kind, hash, sealed, expires_at)
     select $1, 'Client', at || ' ' || g, '', at + interval '1 hour' from`,
  ],
  [
    'oauth-purge',
    'svc_connected_agent where workspace_id = $1',
    `insert into svc_connected_agent
       (id, workspace_id, user_id, grant_hash, client_id, client_name, redirect_host, scopes, expires_at)
     select nextval('svc_connected_agent_id_seq'), $1, (select max(id) from res_users where workspace_id = $1),
       at || ' ' || g, 'c', 'c', 'c', '{}', at + interval '1 hour' from`,
  ],
  [
    'provider-purge',
    'svc_provider_event where workspace_id = $1',
    `insert into svc_provider_event (workspace_id, message_id, topic, body, create_date) select $1, at || ' ' || g, '', '{}', at from`,
  ],
  [
    'suppression-expiry',
    'svc_suppression where workspace_id = $1',
    `insert into svc_suppression (workspace_id, id, email, expires_at)
     select $1, nextval('svc_suppression_id_seq'), at || ' ' || g, at + interval '1 hour' from`,
  ],
  [
    'soft-bounce-purge',
    'svc_soft_bounce where workspace_id = $1',
    `insert into svc_soft_bounce (workspace_id, email, times, last_at) select $1, at || ' ' || g, array[at], at from`,
  ],
  ['webhook-purge', 'svc_webhook_call where workspace_id = $1', CALLS],
  ['webhook-discard', `svc_webhook_call where workspace_id = $1 and status = 'PENDING'`, CALLS],
])('deletes only old rows, in batches if there are many: %s', async (name, condition, insert) => {
  const count = async () =>
    (await queryRows<{ n: number }>(`select count(*)::int as n from ${condition}`))[0]!.n;
  const before = await count();
  await queryRows(`${insert} ${OLD_ROWS_SQL}`);
  await queryRows(`${insert} ${NEW}`);
  const { db } = app.runtime;
  let remainingCount = await count();
  let peak = 0;
  const countAfterStatement = async (statement: Sql) => {
    const response = await db.rows(statement);
    const now = await count();
    peak = Math.max(peak, remainingCount - now);
    remainingCount = now;
    return response;
  };
  const job = listScheduledJobs().find((scheduledJob) => scheduledJob.name === name)!;
  await job.run({ ...app.runtime, db: { ...db, rows: countAfterStatement as never } }, {});
  expect(remainingCount).toBe(before + 3);
  expect(peak).toBeLessThanOrEqual(limits.sql.batchRows);
});
