import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { runInBatches } from '../../../src/engine/work/run-in-batches.ts';
import { type EmailState, type EmailTransitionName, getTransition } from './email-state.ts';
import type { EmailStatus } from './email-status.ts';
import { buildEventParts } from './state-sql.ts';
import { buildCampaignUsage, buildUsageStatement, type Counter } from './usage.ts';
import { CALL_COUNT, scheduleCallsDue } from './webhook-calls.ts';

/** A change of emails, which have the alias `m` in its SQL. */
interface EmailEdit {
  set: Sql;
  source?: Sql;
  which: Sql;
  returning?: Sql;
}

/** SQL that changes emails without changing their state. No other module updates svc_email. */
export const editEmails = ({ set, source, which, returning }: EmailEdit): Sql =>
  sql`update svc_email m set ${set}${source ? sql` from ${source}` : sql.empty} where ${which}${
    returning ? sql` returning ${returning}` : sql.empty
  }`;

interface EmailMove extends Omit<EmailEdit, 'set'> {
  to: EmailState | Sql;
  set?: Sql;
}

/**
 * SQL that moves emails to another state. Emails that the operation cannot move are left out.
 * @throws TypeError if the operation never moves an email to that state
 */
export const moveEmails = (mover: EmailTransitionName, { to, set, which, ...rest }: EmailMove): Sql =>
  editEmails({
    set: buildMoveAssignments(mover, to, set),
    which: sql`${isInMovableState(mover)} and ${which}`,
    ...rest,
  });

/**
 * SQL that changes emails of any state and moves some of them.
 * @param when SQL condition for moving; must be true only for emails that the operation can move
 */
export const moveSome = (mover: EmailTransitionName, when: Sql, { to, set, ...rest }: EmailMove): Sql =>
  editEmails({
    set: buildMoveAssignments(mover, sql`case when ${when} then ${toStateSql(to)} else m.state end`, set),
    ...rest,
  });

function buildMoveAssignments(mover: EmailTransitionName, to: EmailState | Sql, set?: Sql): Sql {
  const targets: EmailState[] = Object.values(getTransition(mover).moves).flat();
  if (typeof to === 'string' && !targets.includes(to))
    throw new TypeError(`${mover} cannot set an email to ${to}`);
  return sql`state = ${toStateSql(to)}, ${set ? sql`${set}, ` : sql.empty}write_date = now()`;
}

const toStateSql = (state: EmailState | Sql): Sql => (typeof state === 'string' ? sql.literal(state) : state);

function isInMovableState(mover: EmailTransitionName): Sql {
  const states = Object.keys(getTransition(mover).moves).map(sql.literal);
  return states.length === 1 ? sql`m.state = ${states[0]}` : sql`m.state in (${sql.join(states)})`;
}

interface RecordedMove extends Omit<EmailMove, 'returning'> {
  workspace: unknown;
  /** Leading parts of the `with` clause, each followed by a comma. */
  before?: Sql;
  event: {
    /** Status of the event, or SQL for it; null for no event. */
    status: EmailStatus | Sql;
    /** SQL for the event data: JSON, or a string stored under the key `as`. */
    data: Sql;
    as?: 'error' | 'reason';
  };
  /** Counter to increment in usage and campaigns, for emails that match `when`. */
  count?: { counter: Counter; when: Sql };
}

export interface MoveResult {
  n: number;
  calls: number;
}

/**
 * Builds a statement that moves emails of a workspace, records an event for each, queues the webhook calls and updates
 * the counters. Returns one row of `Moved`.
 */
export function recordMove(
  mover: EmailTransitionName,
  { workspace, before, event, count, ...move }: RecordedMove,
): Sql {
  const status = typeof event.status === 'string' ? sql.literal(event.status) : event.status;
  const returning = sql`m.id as email_id, m.domain_id, m.mailbox_id, ${status} as status, ${event.data} as said${
    count ? sql`, ${count.when} as is_counted` : sql.empty
  }`;
  return sql`with ${before ?? sql.empty}moved as (${moveEmails(mover, { ...move, returning })}),
    events as (select *, ${buildReasonData(event.as)} as data from moved where status is not null),
    ${buildEventParts(workspace, sql`events`)}${count ? buildCounterPart(workspace, count.counter) : sql.empty}
    select count(*)::int as n, ${CALL_COUNT} from moved`;
}

const buildReasonData = (name: string | undefined): Sql =>
  name ? sql`case when said is not null then jsonb_build_object(${sql.literal(name)}, said) end` : sql`said`;

function buildCounterPart(workspace: unknown, counter: Counter): Sql {
  // Mail sent from mailboxes is not counted in the workspace's statistics.
  const condition = sql`is_counted and mailbox_id is null`;
  const rows = sql`(select *, ${sql.literal(counter)} as counter from events where ${condition}) r`;
  return sql`, counted as (${buildUsageStatement(workspace, rows)}),
    counted_of_campaigns as (${buildCampaignUsage(workspace, rows)})`;
}

/**
 * Repeats a recorded move of up to `limits.sql.batchRows` emails until none are left.
 * @returns the total number of emails
 */
export async function moveInBatches(db: Db, workspaceId: number, statement: Sql): Promise<number> {
  return runInBatches(db, statement, (moved: MoveResult) => scheduleCallsDue(db, workspaceId, moved.calls));
}
