import { type Db, runTogether } from '../../../src/db/db.ts';
import { NOW_ROW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { defineCounter } from '../../../src/engine/work/metrics.ts';
import { buildAutoReplyUpdate, isAutoReply, isAutoReplyEvent } from './auto-reply-event.ts';
import type { EmailState } from './email-state.ts';
import { EMAIL_STATUSES, type EmailStatus, PROVIDER_STATUSES, STATUS_RANKS } from './email-status.ts';
import {
  type AffectedAddresses,
  getReportedRecipients,
  isHardBounce,
  listMailedAddresses,
} from './event-addresses.ts';
import { buildEventStatements } from './event-statements.ts';
import { moveMatchingEmails } from './move-emails.ts';
import {
  type AutoReply,
  addReport,
  classifyReply,
  createReportHistory,
  findBouncedAddresses,
  findDeliveredAddresses,
  hasBounces,
  isReportedElsewhere,
  REPORT_STATUSES,
  removeReplies,
  type StoredReport,
} from './report-history.ts';
import { recordSoftBounces, type SoftBounceSettings, tallyEvents } from './soft-bounces.ts';
import { isSameEmail } from './state-sql.ts';
import { buildSuppressionsSql } from './suppress.ts';
import { COUNTER_BY_STATUS, type Counter, countByDay } from './usage.ts';
import { scheduleCallsDue } from './webhook-calls.ts';

export interface EmailEvent {
  workspaceId: number;
  emailId: number;
  status: EmailStatus;
  data: Record<string, unknown> | null;
  providerId?: string | null;
  /** True if reported by the worker, which sets the email's state itself. */
  isOurs?: boolean;
}

interface EmailSnapshot {
  workspace_id: number;
  id: number;
  public_id: string;
  domain_id: number | null;
  campaign_id: number | null;
  mailbox_id: number | null;
  state: EmailState;
  latest_status: EmailStatus;
  /** All recipients, as given. */
  recipients: string[];
  /** Statuses and counters of earlier events. */
  seen: string[];
  /** Earlier deliveries, bounces and complaints, oldest first. */
  reports: StoredReport[];
}

/**
 * `firsts` are the counters that the event increments as the first of its kind. It decrements the `undone` counters,
 * because it disproves earlier events.
 */
export type RecordedEvent = EmailEvent &
  AffectedAddresses & { email: EmailSnapshot; firsts: Counter[]; undone: Counter[] };

interface EmailChange {
  email: EmailSnapshot;
  recorded: RecordedEvent[];
  /** Events of emails still being sent, to apply once the worker has recorded the outcome. */
  later: EmailEvent[];
  /** Earlier bounces that were automatic replies. */
  replies: AutoReply[];
  row: Record<string, unknown> | null;
}

type Subscriber = (db: Db, workspaceId: number, events: RecordedEvent[]) => Promise<void>;

const subscribers: Subscriber[] = [];

/** Subscribes to recorded events of campaign emails. The subscriber runs once per batch, in the same transaction. */
export function onCampaignEvents(subscriber: Subscriber): void {
  subscribers.push(subscriber);
}

/**
 * Records events and advances each email's status, never backward. Permanent bounces and complaints suppress their
 * addresses; repeated soft bounces suppress them for a time. A report resolves an unknown outcome. Updates usage counts
 * and queues webhook calls in the same transaction.
 * @returns SENT events of emails still being sent, to apply again later. Drops events of unknown emails.
 */
export async function recordEvents(
  db: Db,
  settings: SoftBounceSettings,
  events: EmailEvent[],
): Promise<EmailEvent[]> {
  if (events.length === 0) return [];
  return db.transaction(async (tx) =>
    recordLockedEvents(tx, settings, events, await lockEmails(tx, events), true),
  );
}

/**
 * Like `recordEvents`, for emails that `tx` has locked.
 * @param emails may include some without events
 * @param isLast true if the caller issues no further statements in the transaction
 */
export async function recordLockedEvents(
  tx: Db,
  settings: SoftBounceSettings,
  events: EmailEvent[],
  emails: EmailSnapshot[],
  isLast = false,
): Promise<EmailEvent[]> {
  const byEmail = Map.groupBy(events, (event) => `${event.workspaceId} ${event.emailId}`);
  const reportedSnapshots = emails.filter((email) => byEmail.has(`${email.workspace_id} ${email.id}`));
  const changes = reportedSnapshots.map((email) =>
    change(email, byEmail.get(`${email.workspace_id} ${email.id}`)!),
  );
  const postponedEvents = changes.flatMap((change) => change.later);
  const ofWorkspaces = [...Map.groupBy(changes, ({ email }) => email.workspace_id)];
  const canFinish =
    isLast && ofWorkspaces.length === 1 && emails.every(({ campaign_id }) => campaign_id === null);
  const writes = ofWorkspaces.map(([workspaceId, workspaceChanges]) =>
    writeEmailChanges(tx, settings, workspaceId, workspaceChanges, canFinish),
  );
  for (const [workspaceId, events] of await Promise.all(writes)) await publishEvents(tx, workspaceId, events);
  return postponedEvents;
}

const EVENTS_COUNTER = defineCounter(
  'atrium_email_events_total',
  'Email events reported by workers and the provider, by status, such as BOUNCED and COMPLAINED.',
  ['status'],
);

async function publishEvents(tx: Db, workspaceId: number, events: RecordedEvent[]): Promise<void> {
  tx.afterCommit(() => {
    for (const { status } of events) EVENTS_COUNTER.inc({ status });
  });
  const ofCampaigns = events.filter(({ email }) => email.campaign_id !== null);
  if (ofCampaigns.length > 0)
    for (const subscriber of subscribers) await subscriber(tx, workspaceId, ofCampaigns);
}

/**
 * Locks the emails in ascending order of their ids, so that decisions stay valid until they are written. Reads earlier
 * events in a second statement, because the first does not see changes committed while it waited for locks. Both take
 * one round trip.
 */
export async function lockEmails(
  tx: Db,
  events: readonly Pick<EmailEvent, 'workspaceId' | 'emailId'>[],
): Promise<EmailSnapshot[]> {
  const byWorkspace = Map.groupBy(events, (event) => event.workspaceId);
  const inOrder = [...byWorkspace].sort(([a], [b]) => a - b);
  const snapshots = inOrder.map(([workspaceId, workspaceEvents]) =>
    lockWorkspaceEmails(tx, workspaceId, [...new Set(workspaceEvents.map((event) => event.emailId))]),
  );
  return (await Promise.all(snapshots)).flat();
}

/** Maximum number of earlier reports that a new one is compared with. */
const MAX_REPORTS = 200;

async function lockWorkspaceEmails(db: Db, workspaceId: number, ids: number[]): Promise<EmailSnapshot[]> {
  const [emails, seenStatuses] = await Promise.all([
    db.rows<Omit<EmailSnapshot, 'seen' | 'reports'>>(
      sql`select workspace_id, id, public_id, domain_id, campaign_id, mailbox_id, state, latest_status,
         "to" || cc || bcc as recipients
       from svc_email
       where workspace_id = ${workspaceId} and id = any(${ids}) order by id for no key update`,
    ),
    db.rows<{ email_id: number; seen: string[]; reports: StoredReport[] | null }>(
      sql`select email_id, array_agg(distinct case when status <> 'BOUNCED' then status
         when data->>'bounceType' = 'Permanent' then 'hard_bounced'
         when ${isAutoReplyEvent(sql`data`)} then 'auto_reply' else status end) as seen,
         to_json((array_agg(json_build_object('id', id, 'status', status, 'data', data) order by id)
           filter (where status = any(${[...REPORT_STATUSES]})))[1:${sql.literal(MAX_REPORTS)}]) as reports
       from svc_email_event where workspace_id = ${workspaceId} and email_id = any(${ids}) group by email_id`,
    ),
  ]);
  const seenBy = new Map(seenStatuses.map((row) => [row.email_id, row]));
  return emails.map((email) => {
    const { seen = [], reports } = seenBy.get(email.id) ?? {};
    return { ...email, seen, reports: reports ?? [] };
  });
}

/** Computes how events change an email, regardless of their order. */
function change(email: EmailSnapshot, events: EmailEvent[]): EmailChange {
  const seenStatuses = new Set(email.seen);
  if (seenStatuses.has('hard_bounced')) seenStatuses.add('BOUNCED');
  const mailed = listMailedAddresses(email.recipients);
  const history = createReportHistory(mailed, email.reports);
  const delivered = findDeliveredAddresses(createReportHistory(mailed, [...email.reports, ...events]));
  const recordedEvents: RecordedEvent[] = [];
  const later: EmailEvent[] = [];
  const replies: EmailChange['replies'] = [];
  for (const reportedEvent of events) {
    const event = classifyReply(reportedEvent, history, delivered);
    if (event.status === 'SENT' && email.state === 'sending') later.push(event);
    // Both the worker and the provider report SENT.
    else if (event.status === 'SENT' ? !seenStatuses.has('SENT') : !isReportedElsewhere(history, event)) {
      const disproved = event.status === 'DELIVERED' ? removeReplies(history, delivered) : [];
      const isUndone = disproved.length > 0 && !hasBounces(history) && seenStatuses.delete('BOUNCED');
      replies.push(...disproved);
      recordedEvents.push({
        ...event,
        email,
        firsts: findFirstCounters(event, seenStatuses, email.state),
        undone: isUndone ? ['bounced'] : [],
        ...getReportedRecipients(event, mailed, findBouncedAddresses(history)),
      });
      addReport(history, event);
      if (!isAutoReply(event)) seenStatuses.add(event.status);
    }
  }
  const base =
    replies.length > 0 && email.latest_status === 'BOUNCED' && !hasBounces(history)
      ? findTopStatus([...EMAIL_STATUSES].filter((status) => seenStatuses.has(status)))
      : email.latest_status;
  return {
    email,
    recorded: recordedEvents,
    later,
    replies,
    row: recordedEvents.length > 0 ? buildChangeRow(email, recordedEvents, base) : null,
  };
}

/** An email counts once per kind of event. */
function findFirstCounters(event: EmailEvent, seenStatuses: Set<string>, state: EmailState): Counter[] {
  if (isAutoReply(event)) return [];
  const counter = COUNTER_BY_STATUS[event.status];
  const firsts: Counter[] = counter && !seenStatuses.has(event.status) ? [counter] : [];
  if (isRejectedOnArrival(event, seenStatuses, state)) firsts.push('sent');
  if (isHardBounce(event) && !seenStatuses.has('hard_bounced')) {
    firsts.push('hard_bounced');
    seenStatuses.add('hard_bounced');
  }
  return firsts;
}

/**
 * True if a relay rejected all recipients immediately. It reports no SENT event then, but rates count the email as
 * sent.
 */
const isRejectedOnArrival = (
  { status, isOurs }: EmailEvent,
  seenStatuses: Set<string>,
  state: EmailState,
): boolean => status === 'BOUNCED' && Boolean(isOurs) && state === 'sent' && !seenStatuses.has('SENT');

/**
 * Builds the changed row. `resolved` is true if the outcome was unknown, or if the report disproves a failure or a
 * requeue that followed an unknown outcome.
 * @param base status before the events
 */
function buildChangeRow(
  email: EmailSnapshot,
  events: RecordedEvent[],
  base: EmailStatus,
): Record<string, unknown> {
  const top = findTopStatus(events.map((event) => (isAutoReply(event) ? 'DELIVERED' : event.status)));
  const isStatusChange = PROVIDER_STATUSES.has(top);
  // The provider had accepted the email, so the queued resend is unnecessary.
  const isRequeued = email.state === 'queued' && email.seen.includes('QUEUED');
  const isReported = events.some((event) => !event.isOurs);
  const isResolved =
    isReported && (email.state === 'unknown' || (isStatusChange && (isRequeued || email.state === 'failed')));
  const isMoved = isResolved || STATUS_RANKS[top] > STATUS_RANKS[base];
  return {
    id: email.id,
    latest_status: isMoved ? top : base,
    resolved: isResolved,
    taken: isStatusChange,
    provider_id: events.find((event) => event.providerId)?.providerId ?? null,
  };
}

const findTopStatus = (statuses: readonly EmailStatus[]): EmailStatus =>
  statuses.reduce((a, b) => (STATUS_RANKS[b] > STATUS_RANKS[a] ? b : a));

const APPLY_REPORTS = sql.prepare<{ workspace: number; emails: string }>((p) =>
  moveMatchingEmails('applyReport', sql`t.resolved`, {
    to: sql`case when t.taken then 'sent' else 'failed' end`,
    set: sql`latest_status = t.latest_status, provider_id = coalesce(m.provider_id, t.provider_id),
      reason = case when t.resolved and t.taken then null else m.reason end,
      sent_at = case when t.resolved and t.taken then coalesce(m.sent_at, n.now) else m.sent_at end,
      lease_by = case when t.resolved then null else m.lease_by end`,
    source: sql`json_to_recordset(${p.emails}::json)
      t(id bigint, latest_status text, resolved boolean, taken boolean, provider_id text), ${NOW_ROW}`,
    condition: isSameEmail(p.workspace, 't'),
  }),
);

async function writeEmailChanges(
  db: Db,
  settings: SoftBounceSettings,
  workspace: number,
  changes: EmailChange[],
  canFinish: boolean,
): Promise<[number, RecordedEvent[]]> {
  const events = changes.flatMap((change) => change.recorded);
  if (events.length === 0) return [workspace, events];
  const { soft, delivered } = await tallyEvents(db, workspace, events);
  const temporary = await recordSoftBounces(db, settings, workspace, soft);
  const ids = await db.idAllocator.allocate(workspace, 'svc_email_event', events.length);
  const eventRows = events.map(({ email, status, data }, index) => ({
    id: ids[index]!,
    email_id: email.id,
    domain_id: email.domain_id,
    mailbox_id: email.mailbox_id,
    status,
    data,
  }));
  const permanent = events.flatMap(({ email, status, closed }) =>
    (closed ?? []).map((address) => ({
      email: address,
      reason: status === 'COMPLAINED' ? 'COMPLAINT' : 'HARD_BOUNCE',
      source: email.public_id,
      days: null,
    })),
  );
  const suppressions = [...permanent, ...temporary];
  // Workspace statistics exclude mail sent from mailboxes.
  const counted = events.flatMap(({ email, firsts, undone }) =>
    email.mailbox_id === null
      ? [
          ...firsts.map((counter) => ({ email_id: email.id, domain_id: email.domain_id, counter })),
          ...undone.map((counter) => ({
            email_id: email.id,
            domain_id: email.domain_id,
            counter,
            change: -1,
          })),
        ]
      : [],
  );
  const replies = changes.flatMap(({ email, replies }) => replies.map((reply) => ({ ...reply, email })));
  const rows = changes.flatMap((change) => change.row ?? []);
  const statements = [
    ...buildEventStatements(workspace, eventRows),
    ...(delivered.length > 0
      ? [
          sql`delete from svc_soft_bounce where workspace_id = ${workspace} and email = any(${delivered}::text[])`,
        ]
      : []),
    ...(suppressions.length > 0 ? [await buildSuppressionsSql(db, workspace, suppressions)] : []),
    // Removes suppressions that automatic replies caused.
    ...(replies.length > 0
      ? [
          buildAutoReplyUpdate(
            workspace,
            replies.map(({ id }) => id),
          ),
          sql`delete from svc_suppression where workspace_id = ${workspace}
           and email = any(${replies.flatMap(({ addresses }) => addresses)}::text[])
           and reason = 'SOFT_BOUNCE' and source = any(${replies.map(({ email }) => email.public_id)}::text[])`,
        ]
      : []),
    ...(counted.length > 0 ? [countByDay(workspace, counted)] : []),
    APPLY_REPORTS({ workspace, emails: JSON.stringify(rows) }),
  ];
  const results = runTogether(db, statements);
  if (canFinish) db.finish();
  scheduleCallsDue(db, workspace, (await results)[0]!.length);
  return [workspace, events];
}
