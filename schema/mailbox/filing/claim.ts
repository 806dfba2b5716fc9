import { toIsoSql } from '../../../src/db/iso-sql.ts';
import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import {
  buildClaimedRowsSql,
  claimDueRows,
  computeDueLag,
  type DueWorkspace,
  scheduleDueWork,
} from '../../../src/engine/work/due.ts';
import { defineGauge } from '../../../src/engine/work/metrics.ts';
import { INTAKE_KIND } from '../intake/accept.ts';
import type { SmtpClient } from '../intake/smtp-client.ts';
import type { Verdicts } from '../intake/verdicts.ts';
import { registerLeasedTable } from '../kit/lease.ts';

const MAX_CONCURRENT_FILINGS_PER_MAILBOX = 16;
export const MAX_CLAIMED_MESSAGES = 96;
/** After this time, filing is no longer retried, and the message waits for an administrator. */
const FILING_TIMEOUT_MS = 5 * 86_400_000;

export interface ClaimedDelivery {
  id: number;
  intake_id: number;
  account_id: number;
  recipients: string[];
  /** Number of previous attempts. */
  attempts: number;
  /** True if a process died while filing this message. */
  was_left: boolean;
  /** Number of times a process died while parsing the message. */
  suspected: number;
  raw_hash: string;
  size: number;
  source: 'smtp' | 'local';
  sender: string;
  client: SmtpClient | null;
  verdicts: Verdicts | null;
  /** Time of receipt in ISO 8601. */
  received_at: string;
}

export interface Claimer {
  worker: string;
  /** In milliseconds. */
  leaseTime: number;
}

const MAX_MAILBOXES_PER_CLAIM = 32;

/**
 * Finds mailboxes with messages to file, by ascending id after `after`. Taking turns keeps a flood of mail to one
 * mailbox from delaying the others.
 * @returns the ids, and where to continue (0 to start over)
 */
export async function findWaitingMailboxes(
  db: Database,
  workspaceId: number,
  after: number,
): Promise<{ ids: number[]; next: number }> {
  const rows = await db.rows<{ account_id: number }>(
    sql`with recursive waiting as (
       (select d.account_id, 1 as n from svc_mail_delivery d
        where d.workspace_id = ${workspaceId} and d.account_id > ${after} and d.next_at is not null
        order by d.account_id limit 1)
       union all
       select (
         select d.account_id from svc_mail_delivery d
         where d.workspace_id = ${workspaceId} and d.account_id > w.account_id and d.next_at is not null
         order by d.account_id limit 1
       ), w.n + 1 from waiting w where w.account_id is not null and w.n < ${sql.literal(MAX_MAILBOXES_PER_CLAIM)}
     )
     select account_id from waiting where account_id is not null order by account_id`,
  );
  const ids = rows.map(({ account_id }) => account_id);
  return { ids, next: ids.length < MAX_MAILBOXES_PER_CLAIM ? 0 : ids.at(-1)! };
}

/**
 * Leases the oldest messages of mailboxes without filing in progress. A dead worker's messages are due when their lease
 * ends. The commit does not wait for the disk, because a claim lost in a crash is repeated.
 */
export function claimDeliveries(
  db: Database,
  due: DueWorkspace,
  accounts: number[],
  { worker, leaseTime }: Claimer,
): Promise<ClaimedDelivery[]> {
  const { workspace_id: workspace, at } = due;
  const seconds = leaseTime / 1000;
  return claimDueRows<ClaimedDelivery>(
    db,
    INTAKE_KIND,
    due,
    sql`with picked as (
       select d.id, d.was_left from unnest(${accounts}::int[]) a(id) cross join lateral (
         select d.id, d.state = 'filing' as was_left from svc_mail_delivery d
         where d.workspace_id = ${workspace} and d.account_id = a.id and d.next_at <= ${at}::timestamp
           and not exists (
             select 1 from svc_mail_delivery f
             where f.workspace_id = ${workspace} and f.account_id = a.id and f.next_at > ${at}::timestamp
               and f.state = 'filing')
         order by d.next_at, d.id limit ${sql.literal(MAX_CONCURRENT_FILINGS_PER_MAILBOX)} for update skip locked
       ) d
       limit ${sql.literal(MAX_CLAIMED_MESSAGES)}
     ), filing as (
       update svc_mail_delivery d set state = 'filing', attempts = d.attempts + 1, lease = ${worker},
         next_at = now() + make_interval(secs => ${seconds})
       from picked where d.workspace_id = ${workspace} and d.id = picked.id
       returning d.id, d.intake_id, d.account_id, d.recipients, d.attempts - 1 as attempts, d.suspected,
         picked.was_left
     ), claimed as (
       select f.*, i.raw_hash, i.size, i.source, i.envelope_from as sender, i.client, i.verdicts,
         ${toIsoSql(sql`i.received_at`)} as received_at
       from filing f join svc_mail_intake i on i.workspace_id = ${workspace} and i.id = f.intake_id,
         (select set_config('synchronous_commit', 'off', true)) relaxed
     )
     ${buildClaimedRowsSql(
       sql`least(
         (select min(d.next_at) from svc_mail_delivery d
          where d.workspace_id = ${workspace} and d.next_at is not null and d.id not in (select id from picked)),
         (select ${at}::timestamp + make_interval(secs => ${seconds}) from picked limit 1))`,
     )} order by c.id`,
  );
}

export async function renewLeases(
  db: Database,
  workspaceId: number,
  ids: number[],
  { worker, leaseTime }: Claimer,
): Promise<void> {
  await db.rows(
    sql`update svc_mail_delivery set next_at = now() + make_interval(secs => ${leaseTime / 1000})
     where workspace_id = ${workspaceId} and id = any(${ids}::int8[]) and lease = ${worker} and state = 'filing'`,
  );
}

/** Counts attempts to parse a message that could crash the process. Pass 1 before the attempt and -1 after it. */
export async function adjustSuspectCount(
  db: Database,
  workspaceId: number,
  id: number,
  delta: 1 | -1,
): Promise<void> {
  await db.rows(
    sql`update svc_mail_delivery set suspected = greatest(suspected + ${delta}::int, 0)
     where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Milliseconds before each retry. The last value repeats. */
const RETRY_DELAYS_MS = [1_000, 10_000, 60_000, 600_000, 3_600_000];

/**
 * Requeues a message that could not be filed. After days of failed attempts, marks it as failed, for an administrator
 * to review. Never drops a message.
 */
export async function requeueDelivery(
  db: Database,
  workspaceId: number,
  delivery: ClaimedDelivery,
  worker: string,
  error: string,
): Promise<'queued' | 'failed'> {
  const isOld = Date.now() - Date.parse(delivery.received_at) > FILING_TIMEOUT_MS;
  const pause = RETRY_DELAYS_MS[Math.min(delivery.attempts, RETRY_DELAYS_MS.length - 1)]!;
  const state = isOld ? 'failed' : 'queued';
  await db.rows(
    sql`update svc_mail_delivery set state = ${state}, lease = null, error = ${error.slice(0, 500)},
       next_at = ${isOld ? null : new Date(Date.now() + pause).toISOString()}::timestamp
     where workspace_id = ${workspaceId} and id = ${delivery.id} and lease = ${worker} and state = 'filing'`,
  );
  if (!isOld) scheduleDueWork(db, workspaceId, INTAKE_KIND, { wait: pause });
  return state;
}

registerLeasedTable('svc_mail_delivery', INTAKE_KIND);

defineGauge(
  'atrium_mail_waiting_seconds',
  'Seconds for which the received message that has waited longest has been due for filing.',
  (db) => computeDueLag(db, INTAKE_KIND),
);

defineGauge(
  'atrium_mail_failed',
  'Received messages that could not be filed for days and need attention, up to 1000.',
  (db) =>
    db.value<number>(
      sql`select count(*)::int from (
         select 1 from svc_mail_delivery d where d.workspace_id > 0 and d.state = 'failed' limit 1000) f`,
    ),
);
