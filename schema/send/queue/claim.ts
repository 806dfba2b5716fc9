import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { buildRescheduleSql, type DueWorkspace, findDue } from '../../../src/engine/work/due.ts';
import { limits } from '../../../src/limits.ts';
import type { EmailContent } from '../accept/email-draft.ts';
import { editEmails, moveEmails } from '../state/move-emails.ts';
import { BULK_QUEUE, MAIL_QUEUE, type Queue } from '../state/queues.ts';
import { isLocked, isSameEmail } from '../state/state-sql.ts';

/**
 * A claimed email: all that composing and sending it takes. One with much content comes without it, and is given it
 * when its turn comes (large-content.ts).
 */
export interface ClaimedEmail extends EmailContent {
  workspace_id: number;
  id: number;
  /** Bytes of the content it came without; 0 when it has its content. */
  large: number;
  /** Message-ID of the email it answers, as that went out. */
  in_reply_to: string | null;
  /** Of its domain; null when that is gone. */
  domain_status: string | null;
  /** Of its campaign; null of one without. */
  campaign: 'open' | 'paused' | 'gone' | null;
  /** Of the contact it was made for, which may have left the book since; null of one that was made for none. */
  contact: 'open' | 'left' | 'gone' | null;
  /** What the provider is to track, as the domain wants it. */
  tracking: 'click' | 'open' | 'full' | null;
  attempts: number;
  /** Why it has waited since the attempt before; null at the first one. */
  reason: string | null;
  /** Recipients it is still to be sent to, bare; empty: all of them. */
  pending: string[];
  /** The provider has taken it for other recipients already. */
  partly: boolean;
  /** Milliseconds since 1970. */
  created: number;
}

/** What a claim of one workspace is asked with. */
interface ClaimArgs {
  workspace: number;
  kind: Queue;
  version: number;
  /** Time of the database up to which mail is due. */
  at: string;
  /** How many emails. */
  each: number;
  /** Bytes of large content. */
  room: number;
  worker: string;
  /** Of the lease. */
  seconds: number;
}

/** SES gives a message an id of its own, under its region's name; other transports keep ours. */
const buildProviderMessageId = (
  workspace: unknown,
): Sql => sql`(select case when d.region <> 'local' and r.provider_id is not null
      then r.provider_id || '@' || case when d.region = 'us-east-1' then 'email' else d.region end || '.amazonses.com'
      else r.public_id || '@' || coalesce(d.name, 'localhost') end
    from svc_email r left join svc_domain d on d.workspace_id = ${workspace} and d.id = r.domain_id
    where r.workspace_id = ${workspace} and r.public_id = m.in_reply_to_id and r.mailbox_id is null)`;

const selectFromDomain = (workspace: unknown, value: Sql): Sql =>
  sql`(select ${value} from svc_domain d where d.workspace_id = ${workspace} and d.id = m.domain_id)`;

const selectCampaignState = (workspace: unknown): Sql => sql`(case when m.campaign_id is not null then
    coalesce((select case when c.status = 'PAUSED' then 'paused' else 'open' end from svc_campaign c
      where c.workspace_id = ${workspace} and c.id = m.campaign_id), 'gone') end)`;

const selectContactState = (workspace: unknown): Sql => sql`(case when m.contact_id is not null then
    coalesce((select case when c.subscribed then 'open' else 'left' end from svc_contact c
      where c.workspace_id = ${workspace} and c.id = m.contact_id), 'gone') end)`;

const TRACKING = sql`case when click_tracking and open_tracking then 'full'
    when click_tracking then 'click' when open_tracking then 'open' end`;

const selectInline = (column: Sql): Sql => sql`case when fit.large = 0 then m.${column} end as ${column}`;

/** The columns of `ClaimedEmail`. */
const buildClaimedColumns = (
  workspace: unknown,
): Sql => sql`m.workspace_id, m.id, fit.large, m.public_id, m."from", m."to", m.cc,
    m.bcc, m.reply_to, m.subject, ${sql.join([sql`html`, sql`text`, sql`headers`, sql`attachments`].map(selectInline))},
    m.attempts, m.reason, m.pending, m.sent_at is not null as partly,
    (extract(epoch from m.create_date) * 1000)::float8 as created, ${buildProviderMessageId(workspace)} as in_reply_to,
    ${selectFromDomain(workspace, sql`status`)} as domain_status, ${selectCampaignState(workspace)} as campaign,
    ${selectContactState(workspace)} as contact, ${selectFromDomain(workspace, TRACKING)} as tracking`;

/** Bytes of the content of an email `e`; older versions did not write them down. */
const CONTENT_BYTES = sql`coalesce(e.content_bytes, octet_length(e.html), 0)
    + case when e.content_bytes is null then coalesce(octet_length(e.text), 0)
      + coalesce(octet_length(e.headers::text), 0) + coalesce(octet_length(e.attachments::text), 0) else 0 end`;

/**
 * Claims due emails of one workspace under a lease, and says when the workspace is due again. SKIP LOCKED keeps workers
 * apart. Emails with much content are left in the queue where there is no room for them; others overtake them.
 */
const prepareClaim = (queue: Sql) =>
  sql.prepare<ClaimArgs>(
    (p) => sql`
  with picked as (
    select e.id, e.run_at, ${CONTENT_BYTES} as bytes from svc_email e
    where e.workspace_id = ${p.workspace} and e.state = 'queued' and ${queue} and e.run_at <= ${p.at}::timestamp
    order by e.run_at, e.id limit ${p.each} for update skip locked
  ), sized as (
    select id, run_at, case when bytes > ${LARGE_EMAIL_BYTES} then bytes else 0 end as large from picked
  ), fit as (
    select id, large from (
      select id, large, sum(large) over (order by run_at, id) as total from sized
    ) s where large = 0 or total <= ${p.room}
  ), claimed as (${moveEmails('claim', {
    to: 'sending',
    set: sql`attempts = m.attempts + 1, lease_by = ${p.worker},
      lease_until = now() + make_interval(secs => ${p.seconds})`,
    source: sql`fit`,
    which: isSameEmail(p.workspace, 'fit'),
    returning: buildClaimedColumns(p.workspace),
  })}), again as (${buildRescheduleSql(p, selectNextDue(queue, p.workspace))})
  select * from claimed`,
  );

const LARGE_EMAIL_BYTES = sql.literal(limits.delivery.largeEmail);

/** When the first email that is not claimed is due. */
const selectNextDue = (queue: Sql, workspace: unknown): Sql => sql`(select e.run_at from svc_email e
    where e.workspace_id = ${workspace} and e.state = 'queued' and ${queue} and e.id not in (select id from fit)
    order by e.run_at limit 1)`;

const CLAIMS: Record<Queue, ReturnType<typeof prepareClaim>> = {
  [MAIL_QUEUE]: prepareClaim(sql`e.campaign_id is null`),
  [BULK_QUEUE]: prepareClaim(sql`e.campaign_id is not null`),
};

/** Who claims, how many at most, and for how long. */
export interface ClaimRequest {
  worker: string;
  most: number;
  leaseTime: number;
  /** Bytes of large content that may be claimed of a workspace. */
  room(workspaceId: number): number;
  /**
   * The answer of a claim was lost; the database may have made it.
   * @param at the time of the database before it
   */
  lost(workspaceId: number, at: string): void;
}

/** Workspaces that are claimed from at the same time. */
const MAX_CONCURRENT_CLAIMS = 8;

/**
 * Claims a few emails of each workspace that has mail due: one with a million waiting does not hold up another with
 * one. Mail of campaigns gets the room that other mail leaves, where that is worth a look.
 * @throws when nothing could be claimed; what was claimed before an error is returned, and must be sent
 */
export async function claim(db: Database, want: ClaimRequest): Promise<ClaimedEmail[]> {
  const emails: ClaimedEmail[] = [];
  try {
    await claimOfKind(db, MAIL_QUEUE, want, emails);
    if ((want.most - emails.length) * 2 > want.most) await claimOfKind(db, BULK_QUEUE, want, emails);
  } catch (error) {
    if (emails.length === 0) throw error;
  }
  return emails;
}

/** @param emails gets what is claimed, also before an error; so many fewer are wanted as are in it already */
async function claimOfKind(
  db: Database,
  kind: Queue,
  want: ClaimRequest,
  emails: ClaimedEmail[],
): Promise<void> {
  const due = await findDue(db, kind, limits.delivery.workspacesAtOnce);
  for (let from = 0; from < due.length && emails.length < want.most; ) {
    const most = want.most - emails.length;
    const turn = due.slice(from, from + Math.min(MAX_CONCURRENT_CLAIMS, most));
    from += turn.length;
    await claimBatch(db, kind, turn, { ...want, most }, emails);
  }
}

async function claimBatch(
  db: Database,
  kind: Queue,
  turn: DueWorkspace[],
  want: ClaimRequest,
  emails: ClaimedEmail[],
): Promise<void> {
  const asked = await Promise.allSettled(
    turn.map(({ workspace_id: workspace, version, at }, place) =>
      db.rows<ClaimedEmail>(
        CLAIMS[kind]({
          workspace,
          kind,
          version,
          at,
          each: Math.min(limits.delivery.claimPerWorkspace, computeShare(want.most, turn.length, place)),
          room: want.room(workspace),
          worker: want.worker,
          seconds: want.leaseTime / 1000,
        }),
      ),
    ),
  );
  for (const [place, answer] of asked.entries()) {
    if (answer.status === 'fulfilled') emails.push(...answer.value);
    else want.lost(turn[place]!.workspace_id, turn[place]!.at);
  }
  const failed = asked.find((answer) => answer.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Whole parts of `all`, of which the first ones are one larger where it cannot be divided. Pure. */
const computeShare = (all: number, parts: number, place: number): number =>
  Math.floor(all / parts) + (place < all % parts ? 1 : 0);

/** Extends the leases of emails of a workspace whose sending is still running. */
export async function renew(
  db: Database,
  workspaceId: number,
  worker: string,
  ids: number[],
  leaseTime: number,
): Promise<void> {
  await db.rows(
    editEmails({
      set: sql`lease_until = now() + make_interval(secs => ${leaseTime / 1000})`,
      which: isLocked(
        workspaceId,
        sql`select id from svc_email where workspace_id = ${workspaceId} and state = 'sending'
          and lease_by = ${worker} and id = any(${ids}) for no key update skip locked`,
      ),
    }),
  );
}
