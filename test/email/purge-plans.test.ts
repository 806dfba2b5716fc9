import { beforeAll, expect, test } from 'vitest';
import { type Sql, sql } from '../../src/db/sql.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { setUpApp } from '../harness/app.ts';
import { prefixStatement, renderText } from '../harness/sql.ts';

/** Purge and recovery jobs read only the rows they process, however large the table is. */

const ROWS = 40_000;

const app = setUpApp();
let workspace: number;
beforeAll(async () => {
  workspace = app.main.ctx.workspace.id;
  await app.runtime.db.rows(
    sql`insert into svc_webhook (id, workspace_id, url, secret) values (nextval('svc_webhook_id_seq'), ${workspace}, 'https://example.net', 's')`,
  );
});

/** Ten old rows among many new ones, in two workspaces. */
const CASES: [job: string, table: string, insert: string][] = [
  [
    'idempotency-purge',
    'svc_idempotency',
    `(workspace_id, key, body_hash, response, created_at) select w, g::text, '', '{}', at`,
  ],
  [
    'replay-purge',
    'svc_replay',
    `(workspace_id, principal, key, request_hash, status, body, created_at) select w, '', g::text, '', 200, '', at`,
  ],
  [
    'event-purge',
    'svc_event',
    `(id, workspace_id, topic, payload, dispatched_at) select nextval('svc_email_id_seq'), w, 't', '{}', at`,
  ],
  [
    'sign-in-purge',
    'res_users_log',
    `(id, workspace_id, create_uid, create_date) select nextval('res_users_log_id_seq'), $1, u, at`,
  ],
  [
    'audit-prune',
    'svc_audit_event',
    `(id, workspace_id, channel, event, success, create_date) select nextval('svc_audit_event_id_seq'), w, 'rest', 't', true, at`,
  ],
  [
    'audit-prune',
    'svc_mcp_log',
    `(id, workspace_id, tool, success, create_date) select nextval('svc_mcp_log_id_seq'), w, 't', true, at`,
  ],
  [
    'session-purge',
    'svc_session',
    `(workspace_id, hash, user_id, expires_at) select $1, g::text, u, at + interval '1 day'`,
  ],
  [
    'oauth-purge',
    'svc_oauth_payload',
    `(workspace_id, kind, hash, sealed, expires_at) select w, 'Client', g::text, '', at + interval '1 day'`,
  ],
  [
    'oauth-purge',
    'svc_connected_agent',
    `(id, workspace_id, user_id, grant_hash, client_id, client_name, redirect_host, scopes, expires_at)
     select nextval('svc_connected_agent_id_seq'), $1, u, g::text, 'c', 'c', 'c', '{}', at`,
  ],
  [
    'provider-reconcile',
    'svc_provider_event',
    `(workspace_id, message_id, topic, body, applied_at) select w, 'w' || g, '', '{}',
       case when at > now() - interval '1 day' then at end`,
  ],
  [
    'provider-purge',
    'svc_provider_event',
    `(workspace_id, message_id, topic, body, create_date) select w, g::text, '', '{}', at`,
  ],
  [
    'suppression-expiry',
    'svc_suppression',
    `(workspace_id, id, email, expires_at)
     select w, nextval('svc_suppression_id_seq'), g::text, at + interval '1 day'`,
  ],
  [
    'soft-bounce-purge',
    'svc_soft_bounce',
    `(workspace_id, email, times, last_at) select w, g::text, array[at], at`,
  ],
  [
    'webhook-purge',
    'svc_webhook_call',
    `(id, workspace_id, webhook_id, public_id, type, status, run_at, create_date)
     select nextval('svc_email_id_seq'), $1, h, g::text, 't', 'DELIVERED', at, at`,
  ],
  [
    'webhook-discard',
    'svc_webhook_call',
    `(id, workspace_id, webhook_id, public_id, type, status, run_at)
     select nextval('svc_email_id_seq'), $1, h, g::text, 't', 'PENDING', at`,
  ],
  [
    'email-bodies',
    'svc_email',
    `(id, workspace_id, public_id, "from", "to", subject, html, state, create_date) select
     nextval('svc_email_id_seq'), $1, g::text, 'a@b.test', '{}', 's', 'h', 'suppressed', at`,
  ],
  ['change-purge', 'svc_change', `(workspace_id, xid, topic, kind, created_at) select w, g, 't', 'U', at`],
];

test.each(CASES)('%s finds the old rows of %s by an index', async (name, table, insert) => {
  const { db } = app.runtime;
  await db.rows(
    sql.given(
      `insert into ${table} ${insert} from (
         select g, $1::int + g % 2 * 1000000 as w,
           case when g <= 10 then now() - interval '1 year' else now() end as at,
           (select max(id) from res_users where workspace_id = $1) as u,
           (select max(id) from svc_webhook where workspace_id = $1) as h
         from generate_series(1, ${ROWS}) g) r /* workspace_id */`,
      [workspace],
    ),
  );
  await db.rows(sql.given(`analyze ${table} /* workspace_id */`, []));
  const statements: Sql[] = [];
  const recordStatement = (statement: Sql) => {
    statements.push(statement);
    return db.rows(statement);
  };
  const plans: string[] = [];
  const config = { ...app.runtime.config, emailBodyDays: 30 };
  const explainStatement = async (statement: Sql) => {
    if (new RegExp(`\\b${table}\\b`).test(renderText(statement))) {
      const plan = await db.rows<{ 'QUERY PLAN': string }>(prefixStatement('explain', statement));
      plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'));
    }
    return recordStatement(statement);
  };
  await listScheduledJobs()
    .find((scheduledJob) => scheduledJob.name === name)!
    .run({ ...app.runtime, config, db: { ...db, rows: explainStatement as never } }, {});
  expect(plans).not.toEqual([]);
  for (const plan of plans) expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table}\\b`));
  // Only the old rows were read and deleted.
  expect(statements.length).toBeLessThan(10);
});
