import { type Sql, sql } from '../../../src/db/sql.ts';
import type { EmailStatus } from './email-status.ts';

/** Counters per day and domain, and per campaign. An email increments each counter at most once. */
export const EMAIL_COUNTERS = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'hard_bounced',
  'complained',
] as const;
export type Counter = (typeof EMAIL_COUNTERS)[number];

export const COUNTER_BY_STATUS: Partial<Record<EmailStatus, Counter>> = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  OPENED: 'opened',
  CLICKED: 'clicked',
  BOUNCED: 'bounced',
  COMPLAINED: 'complained',
};

const joinCounters = (part: (counter: Sql, name: string) => Sql): Sql =>
  sql.join(EMAIL_COUNTERS.map((name) => part(sql.id(name), name)));

const counts = joinCounters(
  (counter, name) =>
    sql`coalesce(sum(coalesce(r.change, 1)) filter (where r.counter = ${sql.literal(name)}), 0) as ${counter}`,
);

/** An event, and the counter that it increments. */
interface CountedEvent {
  email_id: number;
  counter: Counter | null;
  /** Defaults to 1. */
  change?: number;
}

/** Spreads a domain's counts over several rows by connection, so that transactions do not wait for each other. */
const SLOT = sql`pg_backend_pid() % 16`;

/** Joins the emails, because Citus routes an insert to the workspace's node if it reads the workspace from a row. */
const readCountedEvents = (workspace: number, events: readonly CountedEvent[]): Sql => sql`
  json_to_recordset(${JSON.stringify(events)}::json) r(email_id bigint, domain_id bigint, counter text, change int)
  join svc_email e on e.workspace_id = ${workspace} and e.id = r.email_id`;

/** Builds a statement that increments the counters per day and domain. */
export const countByDay = (
  workspace: number,
  events: readonly (CountedEvent & { domain_id: number | null })[],
): Sql => sql`
  insert into svc_daily_usage as u (workspace_id, day, domain_id, slot, ${joinCounters((counter) => counter)})
  select e.workspace_id, current_date, coalesce(r.domain_id, 0), ${SLOT}, ${counts}
  from ${readCountedEvents(workspace, events)} group by e.workspace_id, 3 order by 3
  on conflict (workspace_id, day, domain_id, slot)
    do update set ${joinCounters((counter) => sql`${counter} = u.${counter} + excluded.${counter}`)}`;

/** Builds a statement that increments the counters per campaign. */
export const countByCampaign = (workspace: number, events: readonly CountedEvent[]): Sql => sql`
  update svc_campaign c set ${joinCounters((counter) => sql`${counter} = c.${counter} + n.${counter}`)}
  from (
    select e.campaign_id, ${counts} from ${readCountedEvents(workspace, events)}
    where e.campaign_id is not null group by 1
  ) n where c.workspace_id = ${workspace} and c.id = n.campaign_id`;
