import type { Db } from '../../../src/db/pool.ts';
import { parseAddress } from '../../../src/mail/address.ts';
import { type EmailStatus, isTaken, rankOf } from './email-status.ts';
import { callsOf } from './emit.ts';
import { type Counter, counterOf, usageOf } from './usage.ts';

/** One thing that happened to an email, as the provider or the worker tells it. */
export interface EmailEvent {
  workspaceId: number;
  emailId: number;
  status: EmailStatus;
  data: Record<string, unknown> | null;
  /** The provider's id of the message, when it is the provider that tells. */
  providerId?: string | null;
}

/** What is known of an email before the events. */
export interface KnownEmail {
  workspace_id: number;
  id: number;
  public_id: string;
  domain_id: number | null;
  state: string;
  latest_status: EmailStatus;
  /** Statuses and counters its events have told of already. */
  seen: string[];
}

/** An event that is written, with what it is the first to tell of its email. */
export type ToldEvent = EmailEvent & { email: KnownEmail; firsts: Counter[] };

/** What becomes of an email by some events. */
interface Change {
  told: ToldEvent[];
  /** Told by the worker in a moment, if it lives. */
  later: EmailEvent[];
  row: Record<string, unknown> | null;
}

type Subscriber = (db: Db, events: ToldEvent[]) => Promise<void>;

const subscribers: Subscriber[] = [];

/** Subscribes to events as they are recorded; runs in their transaction, once for each batch. */
export function onEmailEvents(subscriber: Subscriber): void {
  subscribers.push(subscriber);
}

/**
 * Writes events and moves each email's status forward, never back. A permanent bounce and a complaint suppress
 * the addresses they name. An email of which nobody knew whether it went out is settled by what is reported of it.
 * Usage is counted and webhooks are called, all in one transaction.
 * @returns events that must be given again later: a SENT of an email whose sending still runs. Those of unknown
 *   emails are left out.
 */
export async function recordEvents(db: Db, events: EmailEvent[]): Promise<EmailEvent[]> {
  if (events.length === 0) return [];
  return db.transaction(async (tx) => {
    const emails = await knownEmails(tx, events);
    const changes = emails.map((email) =>
      change(
        email,
        events.filter((event) => event.workspaceId === email.workspace_id && event.emailId === email.id),
      ),
    );
    const told = changes.flatMap((each) => each.told);
    if (told.length > 0) await write(tx, told, changes);
    if (told.length > 0) for (const subscriber of subscribers) await subscriber(tx, told);
    return changes.flatMap((each) => each.later);
  });
}

const EMAILS = `(select * from unnest($1::int[], $2::int[]))`;

/**
 * Locked, in the order of their ids: what is decided from them stays true until it is written. What their events have told
 * is asked once the locks are there, for a statement does not see what was committed while it waited.
 */
async function knownEmails(db: Db, events: EmailEvent[]): Promise<KnownEmail[]> {
  const ids = [events.map((event) => event.workspaceId), events.map((event) => event.emailId)];
  const emails = await db.rows<Omit<KnownEmail, 'seen'>>(
    `select workspace_id, id, public_id, domain_id, state, latest_status from svc_email
     where (workspace_id, id) in ${EMAILS} order by workspace_id, id for no key update`,
    ids,
  );
  const seen = await db.rows<{ email_id: number; seen: string[] }>(
    `select email_id, array_agg(distinct case when status = 'BOUNCED' and data->>'bounceType' = 'Permanent' then 'hard_bounced' else status end) as seen
     from svc_email_event where (workspace_id, email_id) in ${EMAILS} group by workspace_id, email_id`,
    ids,
  );
  // Ids of emails are of the whole installation.
  const seenBy = new Map(seen.map((row) => [row.email_id, row.seen]));
  return emails.map((email) => ({ ...email, seen: seenBy.get(email.id) ?? [] }));
}

/** What the events make of an email, whatever their order. Pure. */
export function change(email: KnownEmail, events: EmailEvent[]): Change {
  const seen = new Set(email.seen);
  if (seen.has('hard_bounced')) seen.add('BOUNCED');
  const told: ToldEvent[] = [];
  const later: EmailEvent[] = [];
  for (const event of events) {
    if (event.status === 'SENT' && email.state === 'sending') later.push(event);
    // The worker's word and the provider's are the same news.
    else if (event.status !== 'SENT' || !seen.has('SENT')) {
      told.push({ ...event, email, firsts: firstsOf(event, seen) });
      seen.add(event.status);
    }
  }
  return { told, later, row: told.length > 0 ? rowOf(email, told) : null };
}

/** An email counts once for each thing that happens to it, however often that does. */
function firstsOf(event: EmailEvent, seen: Set<string>): Counter[] {
  const counter = counterOf(event.status);
  const firsts: Counter[] = counter && !seen.has(event.status) ? [counter] : [];
  if (event.status === 'BOUNCED' && event.data?.bounceType === 'Permanent' && !seen.has('hard_bounced')) {
    firsts.push('hard_bounced');
    seen.add('hard_bounced');
  }
  return firsts;
}

/**
 * `settled`: its end was not known, or was taken for a failure that the provider's word disproves, or it was put back into
 * the queue because nobody knew.
 */
function rowOf(email: KnownEmail, told: ToldEvent[]): Record<string, unknown> {
  const statuses = told.map((event) => event.status);
  const top = statuses.reduce((a, b) => (rankOf(b) > rankOf(a) ? b : a));
  const taken = isTaken(top);
  // One that is queued to be sent again need not be: the provider had it.
  const again = email.state === 'queued' && email.seen.includes('QUEUED');
  const settled = email.state === 'unknown' || (taken && (again || email.state === 'failed'));
  const moved = settled || rankOf(top) > rankOf(email.latest_status);
  return {
    workspace_id: email.workspace_id,
    id: email.id,
    latest_status: moved ? top : email.latest_status,
    settled,
    taken,
    provider_id: told.find((event) => event.providerId)?.providerId ?? null,
  };
}

const WRITE = `
  with given as (
    select * from json_to_recordset($1::json)
      g(place int, workspace_id int, email_id int, domain_id int, public_id text, status text, data jsonb, suppress text[], reason text)
  ), told as (
    insert into svc_email_event (workspace_id, email_id, status, data)
    select workspace_id, email_id, status, data from given order by place
  ), kept as (
    insert into svc_suppression (workspace_id, email, reason, source)
    select distinct on (workspace_id, s) workspace_id, s, reason, public_id from given cross join unnest(suppress) s
    order by workspace_id, s, place on conflict (workspace_id, email) do nothing
  ), called as (${callsOf('given', 'order by r.place')}), counted as (
    ${usageOf(`json_to_recordset($3::json) r(workspace_id int, domain_id int, counter text)`)}
  )
  update svc_email e set latest_status = t.latest_status, write_date = now(),
    state = case when not t.settled then e.state when t.taken then 'sent' else 'failed' end,
    reason = case when t.settled and t.taken then null else e.reason end,
    sent_at = case when t.settled and t.taken then coalesce(e.sent_at, now()) else e.sent_at end,
    lease_by = case when t.settled then null else e.lease_by end,
    provider_id = coalesce(e.provider_id, t.provider_id)
  from json_to_recordset($2::json) t(workspace_id int, id int, latest_status text, settled boolean, taken boolean, provider_id text)
  where e.workspace_id = t.workspace_id and e.id = t.id`;

async function write(db: Db, told: ToldEvent[], changes: Change[]): Promise<void> {
  const given = told.map(({ email, status, data }, place) => ({
    place,
    workspace_id: email.workspace_id,
    email_id: email.id,
    domain_id: email.domain_id,
    public_id: email.public_id,
    status,
    data,
    suppress: suppressedBy({ status, data }),
    reason: status === 'COMPLAINED' ? 'COMPLAINT' : 'HARD_BOUNCE',
  }));
  const counted = told.flatMap(({ email, firsts }) =>
    firsts.map((counter) => ({ workspace_id: email.workspace_id, domain_id: email.domain_id, counter })),
  );
  const rows = changes.flatMap((each) => each.row ?? []);
  await db.rows(
    WRITE,
    [given, rows, counted].map((list) => JSON.stringify(list)),
  );
}

interface BounceData {
  bounceType?: string;
  bouncedRecipients?: unknown;
  complainedRecipients?: unknown;
}

/** Addresses, bare and in lower case, that must not be written to again because of this event. Pure. */
function suppressedBy({ status, data }: Pick<EmailEvent, 'status' | 'data'>): string[] {
  const { bounceType, bouncedRecipients, complainedRecipients } = (data ?? {}) as BounceData;
  const list =
    status === 'BOUNCED' && bounceType === 'Permanent'
      ? bouncedRecipients
      : status === 'COMPLAINED'
        ? complainedRecipients
        : [];
  if (!Array.isArray(list)) return [];
  return list.flatMap((recipient: { emailAddress?: unknown } | null) => {
    const text = recipient?.emailAddress;
    return typeof text === 'string' ? (parseAddress(text)?.address.toLowerCase() ?? []) : [];
  });
}
