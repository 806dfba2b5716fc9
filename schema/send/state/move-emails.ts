import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { runInBatches } from '../../../src/engine/work/run-in-batches.ts';
import { type EmailState, type EmailTransitionName, getTransition } from './email-state.ts';
import type { EmailStatus } from './email-status.ts';
import { buildEventParts } from './state-sql.ts';
import { buildCampaignUsage, buildUsageStatement, type Counter } from './usage.ts';
import { CALL_COUNT, scheduleCallsDue } from './webhook-calls.ts';

/** A change of emails, which are `m` in its SQL. */
interface EmailEdit {
  /** Assignments to columns. */
  set: Sql;
  /** Another relation that the change reads, with its alias. */
  source?: Sql;
  which: Sql;
  /** Columns to answer with. */
  returning?: Sql;
}

/** SQL that changes emails and leaves their state. No other module writes an update of svc_email. */
export const editEmails = ({ set, source, which, returning }: EmailEdit): Sql =>
  sql`update svc_email m set ${set}${source ? sql` from ${source}` : sql.empty} where ${which}${
    returning ? sql` returning ${returning}` : sql.empty
  }`;

interface EmailMove extends Omit<EmailEdit, 'set'> {
  /** The new state: one, or SQL of one where the mover may choose. */
  to: EmailState | Sql;
  set?: Sql;
}

/**
 * SQL that moves emails into another state; those that the mover may not move are left out.
 * @throws TypeError for a state into which the mover never moves an email
 */
export const moveEmails = (mover: EmailTransitionName, { to, set, which, ...rest }: EmailMove): Sql =>
  editEmails({
    set: buildMoveAssignments(mover, to, set),
    which: sql`${isInMovableState(mover)} and ${which}`,
    ...rest,
  });

/**
 * SQL that changes emails of any state, and moves some of them.
 * @param when SQL of whether it moves; true only of emails that the mover may move
 */
export const moveSome = (mover: EmailTransitionName, when: Sql, { to, set, ...rest }: EmailMove): Sql =>
  editEmails({
    set: buildMoveAssignments(mover, sql`case when ${when} then ${toStateSql(to)} else m.state end`, set),
    ...rest,
  });

function buildMoveAssignments(mover: EmailTransitionName, to: EmailState | Sql, set?: Sql): Sql {
  const targets: EmailState[] = Object.values(getTransition(mover).moves).flat();
  if (typeof to === 'string' && !targets.includes(to))
    throw new TypeError(`${mover} never makes an email ${to}`);
  return sql`state = ${toStateSql(to)}, ${set ? sql`${set}, ` : sql.empty}write_date = now()`;
}

const toStateSql = (state: EmailState | Sql): Sql => (typeof state === 'string' ? sql.literal(state) : state);

/** SQL of whether the mover may move an email `m` at all. */
function isInMovableState(mover: EmailTransitionName): Sql {
  const states = Object.keys(getTransition(mover).moves).map(sql.literal);
  return states.length === 1 ? sql`m.state = ${states[0]}` : sql`m.state in (${sql.join(states)})`;
}

interface RecordedMove extends Omit<EmailMove, 'returning'> {
  workspace: unknown;
  /** Parts of the statement that come first, each with a comma behind it. */
  before?: Sql;
  event: {
    /** What the event says, or SQL of it; null is no event. */
    status: EmailStatus | Sql;
    /** SQL of what else it says: JSON, or a text under the name that `as` gives. */
    data: Sql;
    as?: 'error' | 'reason';
  };
  /** The counter that goes up, in usage and campaigns, for emails of which `when` is true. */
  count?: { counter: Counter; when: Sql };
}

/** What a recorded move answers with: the numbers of emails and of webhook calls. */
export interface MoveResult {
  n: number;
  calls: number;
}

/**
 * A whole statement that moves emails of a workspace, records an event of each, makes the webhook calls for it and
 * counts. It answers with one row of `Moved`.
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
  // What people send from mailboxes is counted where they alone see it.
  const which = sql`is_counted and mailbox_id is null`;
  const rows = sql`(select *, ${sql.literal(counter)} as counter from events where ${which}) r`;
  return sql`, counted as (${buildUsageStatement(workspace, rows)}),
    counted_of_campaigns as (${buildCampaignUsage(workspace, rows)})`;
}

/**
 * Repeats a recorded move of at most `limits.sql.batchRows` emails until none are left.
 * @returns how many in all
 */
export async function moveInBatches(db: Db, workspaceId: number, statement: Sql): Promise<number> {
  return runInBatches(db, statement, (moved: MoveResult) => scheduleCallsDue(db, workspaceId, moved.calls));
}
