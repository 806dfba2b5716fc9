import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import {
  buildClaimedRowsSql,
  claimDueRows,
  type DueWorkspace,
  type FailureGuard,
  findDueWorkspaces,
} from '../../../src/engine/work/due.ts';
import { CONTENT_COLUMNS, type EmailContent, LARGE_CONTENT_COLUMNS } from '../accept/email-draft.ts';
import { editEmails, moveEmails } from '../state/move-emails.ts';
import { BULK_QUEUE, MAIL_QUEUE, type Queue } from '../state/queues.ts';
import { isLocked, isSameEmail } from '../state/state-sql.ts';

export const MAX_CLAIMED_PER_WORKSPACE = 50;
const MAX_DUE_WORKSPACES = 64;
/** Emails with more content than this are claimed without it. */
export const MIN_LARGE_EMAIL_BYTES = 64 * 1024;

/** Everything needed to compose and send an email, except large content (large-content.ts). */
export interface ClaimedEmail extends EmailContent {
  workspace_id: number;
  id: number;
  /** Bytes of the content still to be loaded; 0 if it is included. */
  large: number;
  /** Message-ID of the email being replied to, as it was sent. */
  in_reply_to: string | null;
  /** Null if the domain was deleted. */
  domain_status: string | null;
  /** Null if the email has no campaign. */
  campaign: 'open' | 'paused' | 'gone' | null;
  /** Null if the email was not created for a contact. `left` means unsubscribed. */
  contact: 'open' | 'left' | 'gone' | null;
  tracking: 'click' | 'open' | 'full' | null;
  attempts: number;
  /** Reason for the last requeue; null at the first attempt. */
  reason: string | null;
  /** Bare addresses of the remaining recipients. Empty means all recipients. */
  pending: string[];
  /** True if the provider has already accepted the email for other recipients. */
  partly: boolean;
  /** Unix time in milliseconds. */
  created: number;
}

interface ClaimArgs {
  workspace: number;
  /** Claims emails due at or before this database time. */
  at: string;
  limit: number;
  /** Maximum bytes of large content to claim. */
  room: number;
  worker: string;
  seconds: number;
}

/** Builds the Message-ID as sent. SES replaces ours with one in its regional domain; other transports keep ours. */
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

const TRACKING_SQL = sql`case when click_tracking and open_tracking then 'full'
    when click_tracking then 'click' when open_tracking then 'open' end`;

const CONTENT_SQL = sql.join([
  ...CONTENT_COLUMNS.map((name) => sql.id('m', name)),
  ...LARGE_CONTENT_COLUMNS.map(
    (name) => sql`case when fit.large = 0 then ${sql.id('m', name)} end as ${sql.id(name)}`,
  ),
]);

const buildClaimedColumns = (workspace: unknown): Sql => sql`m.workspace_id, m.id, fit.large, ${CONTENT_SQL},
    m.attempts, m.reason, m.pending, m.sent_at is not null as partly,
    (extract(epoch from m.create_date) * 1000)::float8 as created, ${buildProviderMessageId(workspace)} as in_reply_to,
    ${selectFromDomain(workspace, sql`status`)} as domain_status, ${selectCampaignState(workspace)} as campaign,
    ${selectContactState(workspace)} as contact, ${selectFromDomain(workspace, TRACKING_SQL)} as tracking`;

/** Content bytes of email `e`. Computed for emails from older versions, which did not store them. */
const CONTENT_BYTES = sql`coalesce(e.content_bytes, octet_length(e.html), 0)
    + case when e.content_bytes is null then coalesce(octet_length(e.text), 0)
      + coalesce(octet_length(e.headers::text), 0) + coalesce(octet_length(e.attachments::text), 0) else 0 end`;

/**
 * Claims a workspace's due emails under a lease. Emails whose content exceeds `room` stay in the queue and can be
 * overtaken. SKIP LOCKED keeps workers from waiting for each other.
 */
const prepareClaim = (queue: Sql) =>
  sql.prepare<ClaimArgs>(
    (p) => sql`
  with picked as (
    select e.id, e.run_at, ${CONTENT_BYTES} as bytes from svc_email e
    where e.workspace_id = ${p.workspace} and e.state = 'queued' and ${queue} and e.run_at <= ${p.at}::timestamp
    order by e.run_at, e.id limit ${p.limit} for update skip locked
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
    condition: isSameEmail(p.workspace, 'fit'),
    returning: buildClaimedColumns(p.workspace),
  })})
  ${buildClaimedRowsSql(selectNextDue(queue, p.workspace))}`,
  );

const LARGE_EMAIL_BYTES = sql.literal(MIN_LARGE_EMAIL_BYTES);

const selectNextDue = (queue: Sql, workspace: unknown): Sql => sql`(select e.run_at from svc_email e
    where e.workspace_id = ${workspace} and e.state = 'queued' and ${queue} and e.id not in (select id from fit)
    order by e.run_at limit 1)`;

const CLAIMS: Record<Queue, ReturnType<typeof prepareClaim>> = {
  [MAIL_QUEUE]: prepareClaim(sql`e.campaign_id is null`),
  [BULK_QUEUE]: prepareClaim(sql`e.campaign_id is not null`),
};

interface ClaimRequest {
  worker: string;
  limit: number;
  leaseTime: number;
  room(workspaceId: number): number;
  guard: FailureGuard;
  /**
   * Called if the response to a claim was lost. The database may have committed the claim.
   * @param at database time before the claim
   */
  onLost(workspaceId: number, at: string): void;
}

const MAX_CONCURRENT_CLAIMS = 8;

/**
 * Claims a few emails from each workspace with due mail, so that a large queue does not delay other workspaces. Claims
 * campaign mail only if other mail leaves more than half of the limit.
 * @throws if the search for due mail fails before anything was claimed; later failures are ignored, because claimed
 * emails must be sent
 */
export async function claim(db: Database, request: ClaimRequest): Promise<ClaimedEmail[]> {
  const emails: ClaimedEmail[] = [];
  try {
    await claimFromQueue(db, MAIL_QUEUE, request, emails);
    if ((request.limit - emails.length) * 2 > request.limit)
      await claimFromQueue(db, BULK_QUEUE, request, emails);
  } catch (error) {
    if (emails.length === 0) throw error;
  }
  return emails;
}

/** @param emails output; emails already in it count toward the limit */
async function claimFromQueue(
  db: Database,
  kind: Queue,
  request: ClaimRequest,
  emails: ClaimedEmail[],
): Promise<void> {
  const due = await findDueWorkspaces(db, kind, MAX_DUE_WORKSPACES, request.guard.resting());
  for (let from = 0; from < due.length && emails.length < request.limit; ) {
    const remainingCount = request.limit - emails.length;
    const turn = due.slice(from, from + Math.min(MAX_CONCURRENT_CLAIMS, remainingCount));
    from += turn.length;
    await claimBatch(db, kind, turn, { ...request, limit: remainingCount }, emails);
  }
}

async function claimBatch(
  db: Database,
  kind: Queue,
  turn: DueWorkspace[],
  request: ClaimRequest,
  emails: ClaimedEmail[],
): Promise<void> {
  const results = await Promise.all(
    turn.map((due, index) =>
      request.guard.run(due.workspace_id, () =>
        claimDueRows<ClaimedEmail>(
          db,
          kind,
          due,
          CLAIMS[kind]({
            workspace: due.workspace_id,
            at: due.at,
            limit: Math.min(MAX_CLAIMED_PER_WORKSPACE, computeShare(request.limit, turn.length, index)),
            room: request.room(due.workspace_id),
            worker: request.worker,
            seconds: request.leaseTime / 1000,
          }),
        ),
      ),
    ),
  );
  for (const [index, claimedEmails] of results.entries()) {
    if (claimedEmails) emails.push(...claimedEmails);
    else request.onLost(turn[index]!.workspace_id, turn[index]!.at);
  }
}

/** Splits `all` into `parts` integers that differ by at most one, and returns the one at `index`. */
const computeShare = (all: number, parts: number, index: number): number =>
  Math.floor(all / parts) + (index < all % parts ? 1 : 0);

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
      condition: isLocked(
        workspaceId,
        sql`select id from svc_email where workspace_id = ${workspaceId} and state = 'sending'
          and lease_by = ${worker} and id = any(${ids}) for no key update skip locked`,
      ),
    }),
  );
}
