import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { NOW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import {
  buildClaimedRowsSql,
  claimDueRows,
  type DueWorkspace,
  scheduleDueWork,
  writeDueTime,
} from '../../../src/engine/work/due.ts';
import { onSweep } from '../../../src/engine/work/sweep.ts';
import { WEBHOOK_QUEUE } from '../state/webhook-calls.ts';
import { isInForce } from '../suppressions/is-suppressed.ts';
import type { EmailEventInput } from './payload.ts';

/** A webhook leased by one process, so that only that process makes its calls. */
export interface LeasedWebhook {
  workspace_id: number;
  id: number;
}

export interface DueCall extends LeasedWebhook {
  call_id: number;
  /** Id of the email or record that the call is about. Calls about the same email or record run one after another. */
  about: string;
  public_id: string;
  type: string;
  /** Number of previous attempts. */
  attempt: number;
  created: string;
  url: string;
  /** Encrypted, like `old_secret`. */
  secret: string;
  old_secret: string | null;
  /** Payload of the previous attempt; null for the first attempt. */
  payload: { data: unknown } | null;
  data: Record<string, unknown> | null;
  email: EmailEventInput | null;
}

interface WebhookClaimRequest {
  limit: number;
  worker: string;
  leaseTime: number;
}

/** Leases webhooks that have due calls, or whose worker died. */
export function claimWebhooks(db: Database, due: DueWorkspace, request: WebhookClaimRequest) {
  const { workspace_id: workspace, at } = due;
  const seconds = request.leaseTime / 1000;
  return claimDueRows<LeasedWebhook>(
    db,
    WEBHOOK_QUEUE,
    due,
    sql`with heads as (
       select w.id, w.lease_until,
         greatest(head.run_at, case when head.run_at is not null then w.rests_until end) as run_at
       from svc_webhook w left join lateral (
         select c.run_at from svc_webhook_call c
         where c.workspace_id = ${workspace} and c.webhook_id = w.id and c.status = 'PENDING' order by c.run_at limit 1
       ) head on true
       where w.workspace_id = ${workspace} and w.status = 'ACTIVE'
     ), due as (
       select w.id, w.lease_until is not null as left_over from svc_webhook w join heads h on h.id = w.id
       where w.workspace_id = ${workspace} and w.status = 'ACTIVE'
         and (w.lease_until < ${at}::timestamp or w.lease_until is null and h.run_at <= ${at}::timestamp)
       order by h.run_at limit ${request.limit} for update of w skip locked
     ), again as (
       update svc_webhook_call c set status = 'PENDING' from due
       where due.left_over and c.workspace_id = ${workspace} and c.webhook_id = due.id and c.status = 'IN_PROGRESS'
     ), claimed as (
       update svc_webhook w set lease_by = ${request.worker},
         lease_until = now() + make_interval(secs => ${seconds})
       from due where w.workspace_id = ${workspace} and w.id = due.id returning w.workspace_id, w.id
     )
     ${buildClaimedRowsSql(
       sql`select min(
           case when h.id in (select id from due) then ${at}::timestamp + make_interval(secs => ${seconds})
             when h.lease_until is null then h.run_at else h.lease_until end) from heads h`,
     )}`,
  );
}

/**
 * Starts a leased webhook's due calls, earliest due time first, and renews the lease. Postpones a call if an earlier
 * call about the same email or record is due later. Starts none if the workspace has been closed.
 */
const CLAIM_CALLS = sql.prepare<LeasedWebhook & { worker: string; seconds: number; limit: number }>(
  (p) => sql`
  with held as (
    update svc_webhook set lease_until = now() + make_interval(secs => ${p.seconds})
    where workspace_id = ${p.workspace_id} and id = ${p.id} and lease_by = ${p.worker} and status = 'ACTIVE'
      and exists (select 1 from workspace w where w.id = ${p.workspace_id} and w.purge_at is null)
    returning workspace_id, id, url, secret, old_secret, old_until, misses
  ), due as (
    select c.id, c.email_id, c.data ->> 'id' as record_id from svc_webhook_call c
    where c.workspace_id = ${p.workspace_id} and c.webhook_id = ${p.id} and c.status = 'PENDING'
      and c.run_at <= ${NOW} and exists (select 1 from held)
    order by c.run_at, c.id limit ${p.limit}
  ), behind as (
    select d.id, b.run_at from due d cross join lateral (${buildLastDueBefore(
      p,
      sql`b.email_id = d.email_id`,
    )}) b where d.email_id is not null
    union all
    select d.id, b.run_at from due d cross join lateral (${buildLastDueBefore(
      p,
      sql`b.email_id is null and b.data ->> 'id' = d.record_id`,
    )}) b where d.email_id is null and d.record_id is not null
  ), later as (
    update svc_webhook_call c set run_at = behind.run_at from behind
    where c.workspace_id = ${p.workspace_id} and c.id = behind.id
  ), mine as (
    update svc_webhook_call c set status = 'IN_PROGRESS', write_date = now() from due
    where c.workspace_id = ${p.workspace_id} and c.id = due.id
      and not exists (select 1 from behind where behind.id = due.id) returning c.*
  )
  select h.workspace_id, h.id, h.url, h.secret, case when h.old_until > now() then h.old_secret end as old_secret,
    (select count(*)::int from due) as due, h.misses,
    m.id as call_id, m.public_id, m.type, m.attempt, coalesce(m.email_id::text, m.data ->> 'id', m.public_id) as about,
    m.payload, m.data, ${toIsoSql(sql`m.create_date`)} as created,
    case when m.email_id is not null then json_build_object('id', e.public_id, 'status', m.email_status,
      'from', coalesce(e."from", ''), 'to', coalesce(e."to", '{}'), 'subject', coalesce(e.subject, ''),
      'domainId', e.domain_id, 'tags', e.tags, 'metadata', e.metadata,
      'campaignId', (
        select g.public_id from svc_campaign g where g.workspace_id = ${p.workspace_id} and g.id = e.campaign_id
      ),
      'contactId', (
        select o.public_id from svc_contact o where o.workspace_id = ${p.workspace_id} and o.id = e.contact_id
      ),
      'at', ${toIsoSql(sql`m.create_date`)}, 'data', m.data, 'mailbox', (
        select json_build_object('accountId', a.id::text, 'detail', a.event_detail, 'address', a.address,
          'entryId', n.id::text, 'threadId', n.thread_id::text, 'folderId', n.folder_id::text, 'folder', f.role)
        from svc_mail_account a
        left join svc_mail_entry n on n.workspace_id = ${p.workspace_id} and n.email_id = e.id and n.account_id = a.id
        left join svc_mail_folder f on f.workspace_id = ${p.workspace_id} and f.id = n.folder_id
        where a.workspace_id = ${p.workspace_id} and a.id = e.mailbox_id limit 1
      ), 'suppressions', (
        select coalesce(json_agg(json_build_object('email', s.email, 'reason', s.reason, 'source', s.source)), '[]')
        from svc_suppression s
        where m.email_status = 'SUPPRESSED' and s.workspace_id = ${p.workspace_id}
          and ${isInForce(sql`m.create_date`)}
          and s.email = any(select lower(substring(t from '([^<>\\s]+)>?\\s*$')) from unnest(e."to") t))) end as email
  from held h left join mine m on true
  left join svc_email e on e.workspace_id = ${p.workspace_id} and e.id = m.email_id order by m.id`,
);

/** Selects the latest due time among the calls before `d` that this claim leaves pending. */
function buildLastDueBefore(p: { workspace_id: unknown; id: unknown }, condition: Sql): Sql {
  return sql`
    select b.run_at from svc_webhook_call b
    where b.workspace_id = ${p.workspace_id} and b.webhook_id = ${p.id} and b.status = 'PENDING' and ${condition}
      and b.id < d.id and not exists (select 1 from due x where x.id = b.id)
    order by b.run_at desc limit 1`;
}

interface ClaimedCalls {
  calls: DueCall[];
  more: boolean;
  /** Consecutive failed attempts. */
  misses: number;
}

/** @returns null if the lease was lost, the webhook is not active, or its workspace is closed */
export async function claimCalls(
  db: Database,
  { workspace_id, id }: LeasedWebhook,
  request: WebhookClaimRequest,
): Promise<ClaimedCalls | null> {
  const { worker, limit, leaseTime } = request;
  const rows = await db.rows<DueCall & { due: number; misses: number }>(
    CLAIM_CALLS({ workspace_id, id, worker, limit, seconds: leaseTime / 1000 }),
  );
  const [first] = rows;
  if (!first) return null;
  const calls = rows.filter((row) => row.call_id !== null);
  return { calls, more: first.due === limit, misses: first.misses };
}

/** Releases the lease and stores when the next call is due. */
export async function release(
  db: Database,
  { workspace_id, id }: LeasedWebhook,
  worker: string,
): Promise<void> {
  await db.rows(
    sql`update svc_webhook set lease_by = null, lease_until = null
     where workspace_id = ${workspace_id} and id = ${id} and lease_by = ${worker}`,
  );
  // Must follow the release, because a process that checked the workspace during the lease found no work.
  await updateNextDue(db, workspace_id, id);
}

async function updateNextDue(db: Database, workspaceId: number, id: number): Promise<void> {
  const [head] = await db.rows<{ wait: number }>(
    sql`select greatest(0, extract(epoch from greatest(c.run_at, w.rests_until) - ${NOW}) * 1000)::float8 as wait
     from svc_webhook_call c join svc_webhook w on w.workspace_id = ${workspaceId} and w.id = ${id}
     where c.workspace_id = ${workspaceId} and c.webhook_id = ${id} and c.status = 'PENDING'
     order by c.run_at limit 1`,
  );
  if (head) await writeDueTime(db, workspaceId, WEBHOOK_QUEUE, head.wait);
}

export async function releaseDeadWorkers(db: Database, deadWorkers: string[]): Promise<void> {
  const condition = sql`lease_by = any(${deadWorkers})`;
  const lockedWorkspaces = await db.rows<{ workspace_id: number }>(
    sql`select distinct workspace_id from svc_webhook
     where workspace_id > 0 and lease_until is not null and ${condition}`,
  );
  for (const { workspace_id: workspaceId } of lockedWorkspaces)
    await releaseLeases(db, workspaceId, condition);
}

/** Releases webhooks that are leased to the worker but not in `knownIds`. */
export const releaseUnknownLeases = (db: Database, workspaceId: number, worker: string, knownIds: number[]) =>
  releaseLeases(db, workspaceId, sql`lease_by = ${worker} and id <> all(${knownIds}::bigint[])`);

/** Marks the leases as expired instead of deleting them, so that the next worker knows that a call may have started. */
async function releaseLeases(db: Database, workspaceId: number, condition: Sql): Promise<void> {
  const endedRows = await db.rows(
    sql`update svc_webhook set lease_until = now() - interval '1 second'
     where workspace_id = ${workspaceId} and lease_until is not null and ${condition} returning id`,
  );
  if (endedRows.length > 0) scheduleDueWork(db, workspaceId, WEBHOOK_QUEUE);
}

onSweep(async (db, workspaceId) => {
  const [waitingCall] = await db.rows(
    sql`select 1 from svc_webhook w where w.workspace_id = ${workspaceId} and w.status = 'ACTIVE'
       and (w.lease_until is not null or exists (select 1 from svc_webhook_call c
         where c.workspace_id = ${workspaceId} and c.webhook_id = w.id and c.status = 'PENDING')) limit 1`,
  );
  if (waitingCall) scheduleDueWork(db, workspaceId, WEBHOOK_QUEUE);
});
