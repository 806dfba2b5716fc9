import { NOW } from '../../../src/db/now.ts';
import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { limits } from '../../../src/limits.ts';
import type { EmailContent } from '../accept/email-draft.ts';
import { lastServed } from '../kit/sleeper.ts';
import { editEmails, moveEmails } from '../state/move-emails.ts';
import { sameEmail } from '../state/state-sql.ts';

/** A claimed email: all that composing and sending it takes. */
export interface ClaimedEmail extends EmailContent {
  workspace_id: number;
  id: number;
  /** Message-ID of the email it answers, as that went out. */
  in_reply_to: string | null;
  /** Of its domain; null when that is gone. */
  domain_status: string | null;
  /** Its campaign is gone. */
  orphaned: boolean;
  /** Of the contact it was made for, which may have left the book since; null of one that was made for none. */
  contact: 'open' | 'left' | 'gone' | null;
  /** What the provider is to track, as the domain wants it. */
  tracking: 'click' | 'open' | 'full' | null;
  attempts: number;
  /** Recipients it is still to be sent to, bare; empty: all of them. */
  pending: string[];
  /** The provider has taken it for other recipients already. */
  partly: boolean;
  /** Milliseconds since 1970. */
  created: number;
}

/** SES gives a message an id of its own, under its region's name; other transports keep ours. */
const ANSWERED = sql`(select case when d.region <> 'local' and r.provider_id is not null
      then r.provider_id || '@' || case d.region when 'us-east-1' then 'email' else d.region end || '.amazonses.com'
      else r.public_id || '@' || coalesce(d.name, 'localhost') end
    from svc_email r left join svc_domain d on d.workspace_id = r.workspace_id and d.id = r.domain_id
    where r.workspace_id = m.workspace_id and r.public_id = m.in_reply_to_id)`;

const ofDomain = (value: Sql): Sql =>
  sql`(select ${value} from svc_domain d where d.workspace_id = m.workspace_id and d.id = m.domain_id)`;

const ORPHANED = sql`(m.campaign_id is not null and (select c.id from svc_campaign c
    where c.workspace_id = m.workspace_id and c.id = m.campaign_id) is null)`;

const CONTACT = sql`(case when m.contact_id is not null then
    coalesce((select case when c.subscribed then 'open' else 'left' end from svc_contact c
      where c.workspace_id = m.workspace_id and c.id = m.contact_id), 'gone') end)`;

const TRACKING = sql`case when click_tracking and open_tracking then 'full'
    when click_tracking then 'click' when open_tracking then 'open' end`;

/** The columns of `ClaimedEmail`. */
const CLAIMED = sql`m.workspace_id, m.id, m.public_id, m."from", m."to", m.cc, m.bcc, m.reply_to, m.subject, m.html,
    m.text, m.headers, m.attachments, m.attempts, m.pending, m.sent_at is not null as partly,
    (extract(epoch from m.create_date) * 1000)::float8 as created, ${ANSWERED} as in_reply_to,
    ${ofDomain(sql`status`)} as domain_status, ${ORPHANED} as orphaned, ${CONTACT} as contact,
    ${ofDomain(TRACKING)} as tracking`;

/** The earliest email of the next workspace that has one queued. */
const nextOf = (queue: Sql, which: Sql, lap: Sql): Sql => sql`(
  select e.workspace_id, e.run_at <= ${NOW} as due, ${lap} as lap from svc_email e
  where e.state = 'queued' and ${queue} and ${which} order by e.workspace_id, e.run_at limit 1)`;

/** Behind the workspace that is visited, and on the second lap not past the one served last. */
const ahead = (after: unknown): Sql =>
  sql`e.workspace_id > visit.workspace_id and (visit.lap = 0 or e.workspace_id <= ${after})`;

/** What a claim is asked with: how many emails in all and of each workspace, behind which workspace, for whom. */
interface ClaimArgs {
  most: number;
  each: number;
  after: number;
  worker: string;
  /** Of the lease. */
  seconds: number;
}

/**
 * Claims due emails under a lease, a few of each workspace: one with a million waiting does not hold up another with
 * one. A loose index scan goes from workspace to workspace, once round, starting behind the one served last, and looks
 * at the earliest email of each only; it ends when as many workspaces with due mail are found as emails are wanted,
 * however many others have nothing but mail for later. SKIP LOCKED keeps workers apart.
 */
const claimOf = (queue: Sql) =>
  sql.prepare<ClaimArgs>(
    ({ most, each, after, worker, seconds }) => sql`
  with recursive visit(workspace_id, due, found, lap) as (
    select ${after}::int, false, 0, 0
    union all
    select next.workspace_id, next.due, visit.found + next.due::int, next.lap from visit cross join lateral (
      select * from (
        ${nextOf(queue, ahead(after), sql`visit.lap`)}
        union all
        ${nextOf(queue, sql`visit.lap = 0 and e.workspace_id <= ${after}`, sql`1`)}
      ) either order by lap limit 1
    ) next where visit.found < ${most}
  ), picked as (
    select p.workspace_id, p.id from visit cross join lateral (
      select e.workspace_id, e.id from svc_email e
      where e.workspace_id = visit.workspace_id and e.state = 'queued' and ${queue} and e.run_at <= ${NOW}
      order by e.run_at, e.id limit ${each} for update skip locked
    ) p where visit.due limit ${most}
  )
  ${moveEmails('claim', {
    to: 'sending',
    set: sql`attempts = m.attempts + 1, lease_by = ${worker}, lease_until = now() + make_interval(secs => ${seconds})`,
    source: sql`picked`,
    which: sameEmail('picked'),
    returning: CLAIMED,
  })}`,
  );

const CLAIMS = { own: claimOf(sql`e.campaign_id is null`), bulk: claimOf(sql`e.campaign_id is not null`) };

/**
 * The workspaces that were served last, 0 to begin with the first; a claim moves them on. Each queue has its own: one
 * that always began where the other is would not get to everybody.
 */
export interface LastServed {
  own: number;
  bulk: number;
}

/** Who claims, how many at most, and for how long. */
export interface Want {
  worker: string;
  most: number;
  after: LastServed;
  leaseTime: number;
}

/** Mail of campaigns gets the room that other mail leaves, where that is worth a look. */
export async function claim(db: Database, want: Want): Promise<ClaimedEmail[]> {
  const rows = await claimSome(db, 'own', want);
  const most = want.most - rows.length;
  return most * 2 > want.most ? [...rows, ...(await claimSome(db, 'bulk', { ...want, most }))] : rows;
}

async function claimSome(db: Database, queue: keyof LastServed, want: Want): Promise<ClaimedEmail[]> {
  const { worker, most, after, leaseTime } = want;
  const each = Math.max(1, Math.min(limits.delivery.claimPerWorkspace, most));
  const statement = CLAIMS[queue]({ most, each, after: after[queue], worker, seconds: leaseTime / 1000 });
  const rows = await db.rows<ClaimedEmail>(statement);
  after[queue] = lastServed(after[queue], rows);
  return rows;
}

/** Extends the leases of emails whose sending is still running; one whose outcome is being written needs it no more. */
export async function renew(db: Database, worker: string, ids: number[], leaseTime: number): Promise<void> {
  if (ids.length === 0) return;
  await db.rows(
    editEmails({
      set: sql`lease_until = now() + make_interval(secs => ${leaseTime / 1000})`,
      source: sql`(select workspace_id, id from svc_email where workspace_id > 0 and state = 'sending'
        and lease_by = ${worker} and id = any(${ids}) for no key update skip locked) held`,
      which: sameEmail('held'),
    }),
  );
}

/** How many processes send at this time, `worker` among them: those that hold mail under a lease. */
export async function sharers(db: Database, worker: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    sql`select count(distinct lease_by)::int as n from svc_email
     where workspace_id > 0 and state = 'sending' and lease_until > now() and lease_by <> ${worker}`,
  );
  return row!.n + 1;
}
