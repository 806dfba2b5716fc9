import type { Db } from '../../src/db/pool.ts';

/** One thing that happened to an email, as the provider or the worker tells it. */
export interface EmailEvent {
  workspaceId: number;
  emailId: number;
  status: EmailStatus;
  data: Record<string, unknown> | null;
}

/** The statuses of an email, in the order in which one replaces another; events come in any order. */
export const STATUSES = [
  'SCHEDULED',
  'QUEUED',
  'SENT',
  'DELIVERY_DELAYED',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
  'REJECTED',
  'RENDERING_FAILURE',
  'CANCELLED',
  'FAILED',
  'SUPPRESSED',
] as const;
export type EmailStatus = (typeof STATUSES)[number];

/** Events that a provider reports only of an email it has taken. */
const TAKEN: EmailStatus[] = [
  'SENT',
  'DELIVERY_DELAYED',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
];

/** Emails whose end the worker did not learn, or took for a failure that the provider's word disproves. */
const UNSETTLED = `(e.state = 'unknown' or e.state = 'failed' and top.taken)`;

/**
 * Writes events and moves each email's status forward, never back. A permanent bounce and a complaint suppress
 * the addresses they name. An email of which nobody knew whether it went out is settled by what is reported of it.
 */
export async function recordEvents(db: Db, events: EmailEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event, place) => ({
    ...event,
    place,
    suppress: suppressedBy(event),
    reason: reasonOf(event),
  }));
  await db.rows(
    `with given as (
       select * from json_to_recordset($1::json) g(place int, "workspaceId" int, "emailId" int, status text, data jsonb, suppress text[], reason text)
     ), told as (
       insert into svc_email_event (workspace_id, email_id, status, data)
       select g."workspaceId", g."emailId", g.status, g.data from given g
       where exists (select 1 from svc_email e where e.workspace_id = g."workspaceId" and e.id = g."emailId")
       order by g.place
     ), kept as (
       insert into svc_suppression (workspace_id, email, reason, source)
       select distinct on (g."workspaceId", s) g."workspaceId", s, g.reason, e.public_id
       from given g cross join unnest(g.suppress) s
       join svc_email e on e.workspace_id = g."workspaceId" and e.id = g."emailId"
       on conflict (workspace_id, email) do nothing
     )
     update svc_email e set latest_status = top.status, write_date = now(),
       state = case when not ${UNSETTLED} then e.state when top.taken then 'sent' else 'failed' end,
       reason = case when ${UNSETTLED} and top.taken then null else e.reason end,
       sent_at = case when ${UNSETTLED} and top.taken then coalesce(e.sent_at, now()) else e.sent_at end,
       lease_by = case when ${UNSETTLED} then null else e.lease_by end
     from (
       select distinct on ("workspaceId", "emailId") "workspaceId", "emailId", status, status = any($3::text[]) as taken from given
       order by "workspaceId", "emailId", array_position($2::text[], status) desc
     ) top
     where e.workspace_id = top."workspaceId" and e.id = top."emailId"
       and (${UNSETTLED} or array_position($2::text[], e.latest_status) < array_position($2::text[], top.status))`,
    [JSON.stringify(rows), STATUSES, TAKEN],
  );
}

interface BounceData {
  bounceType?: string;
  bouncedRecipients?: { emailAddress: string }[];
  complainedRecipients?: { emailAddress: string }[];
}

/** Addresses that must not be written to again because of this event. Pure. */
function suppressedBy(event: Pick<EmailEvent, 'status' | 'data'>): string[] {
  const data = (event.data ?? {}) as BounceData;
  const list =
    event.status === 'BOUNCED' && data.bounceType === 'Permanent'
      ? data.bouncedRecipients
      : event.status === 'COMPLAINED'
        ? data.complainedRecipients
        : [];
  return (list ?? []).map((recipient) => recipient.emailAddress.toLowerCase());
}

const reasonOf = (event: EmailEvent): string => (event.status === 'COMPLAINED' ? 'COMPLAINT' : 'HARD_BOUNCE');
