import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { limits } from '../../../src/limits.ts';
import { type EmailState, type EmailTransitionName, getTransition } from './email-state.ts';
import type { EmailStatus } from './email-status.ts';
import { buildEventParts } from './state-sql.ts';
import { buildCampaignUsage, buildUsageStatement, type Counter, EMAIL_COUNTERS } from './usage.ts';
import { CALL_COUNT, scheduleCallsDue } from './webhook-calls.ts';

/** Fragments of an update that refers to svc_email as `m`. */
interface EmailEdit {
  set: Sql;
  source?: Sql;
  condition: Sql;
  returning?: Sql;
}

/** Builds an update that leaves the state unchanged. No other module updates svc_email. */
export const editEmails = ({ set, source, condition, returning }: EmailEdit): Sql =>
  sql`update svc_email m set ${set}${source ? sql` from ${source}` : sql.empty} where ${condition}${
    returning ? sql` returning ${returning}` : sql.empty
  }`;

interface EmailMove extends Omit<EmailEdit, 'set'> {
  to: EmailState | Sql;
  set?: Sql;
}

/**
 * Builds a state change. Skips emails whose state the operation cannot change.
 * @throws TypeError if the operation can never set that state
 */
export const moveEmails = (mover: EmailTransitionName, { to, set, condition, ...rest }: EmailMove): Sql =>
  editEmails({
    set: buildMoveAssignments(mover, to, set),
    condition: sql`${isInMovableState(mover)} and ${condition}`,
    ...rest,
  });

/**
 * Builds an update of emails in any state that changes the state of some of them.
 * @param isMoved condition for changing the state; must be true only for emails whose state the operation can change
 */
export const moveSome = (mover: EmailTransitionName, isMoved: Sql, { to, set, ...rest }: EmailMove): Sql =>
  editEmails({
    set: buildMoveAssignments(mover, sql`case when ${isMoved} then ${toStateSql(to)} else m.state end`, set),
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
  /** Leading `with` clause. */
  before?: Sql;
  event: {
    /** Null in SQL for no event. */
    status: EmailStatus | Sql;
    data: Sql;
  };
  isCounted?: Sql;
}

/** Builds a state change that returns the events to record, for `recordMove`. */
export function buildRecordedMove(
  mover: EmailTransitionName,
  { before, event, isCounted, ...move }: RecordedMove,
): Sql {
  const status = typeof event.status === 'string' ? sql.literal(event.status) : event.status;
  const returning = sql`m.id as email_id, m.domain_id, m.mailbox_id, ${status} as status, ${event.data} as data,
    ${isCounted ?? sql`false`} as is_counted`;
  return sql`${before ?? sql.empty}${moveEmails(mover, { ...move, returning })}`;
}

interface MovedEmail {
  status: EmailStatus | null;
  data: unknown;
}

interface RecordedMoveOptions {
  /** Wraps string event data in an object with this key. */
  dataKey?: 'error' | 'reason';
  counter?: Counter;
}

/**
 * Changes the state of a workspace's emails, records an event for each, queues webhook calls and updates counters. Runs
 * separate statements: a single one would have to insert rows that another part of it returns, which involves all nodes
 * of a Citus cluster.
 * @param move a statement built by `buildRecordedMove`
 * @returns the number of emails
 */
export function recordMove(
  db: Db,
  workspace: number,
  move: Sql,
  { dataKey, counter }: RecordedMoveOptions = {},
): Promise<number> {
  return db.transaction(async (tx) => {
    const movedEmails = await tx.rows<MovedEmail>(move);
    const events = movedEmails
      .filter(({ status }) => status !== null)
      .map((row) => (dataKey && row.data !== null ? { ...row, data: { [dataKey]: row.data } } : row));
    if (events.length > 0) {
      const statement = counter ? RECORD_COUNTED[counter] : RECORD_EVENTS;
      const pendingEvents = tx.rows<{ calls: number }>(
        statement({ workspace, events: JSON.stringify(events) }),
      );
      tx.finish();
      scheduleCallsDue(tx, workspace, (await pendingEvents)[0]!.calls);
    }
    return movedEmails.length;
  });
}

type RecordArgs = { workspace: number; events: string };

const readEvents = (events: unknown): Sql => sql`(select * from json_to_recordset(${events}::json)
  e(email_id bigint, domain_id bigint, mailbox_id int, status text, data jsonb, is_counted boolean))`;

const RECORD_EVENTS = sql.prepare<RecordArgs>(
  (p) => sql`with ${buildEventParts(p.workspace, readEvents(p.events))} select ${CALL_COUNT}`,
);

const RECORD_COUNTED = Object.fromEntries(
  EMAIL_COUNTERS.map((counter) => [
    counter,
    sql.prepare<RecordArgs>((p) => {
      const rows = readEvents(p.events);
      return sql`with ${buildEventParts(p.workspace, rows)}, ${buildCounterParts(p.workspace, rows, counter)}
        select ${CALL_COUNT}`;
    }),
  ]),
) as Record<Counter, typeof RECORD_EVENTS>;

function buildCounterParts(workspace: unknown, events: Sql, counter: Counter): Sql {
  // Workspace statistics exclude mail sent from mailboxes.
  const condition = sql`e.is_counted and e.mailbox_id is null`;
  const rows = sql`(select e.*, ${sql.literal(counter)} as counter from ${events} e where ${condition}) r`;
  return sql`counted as (${buildUsageStatement(workspace, rows)}),
    counted_of_campaigns as (${buildCampaignUsage(workspace, rows)})`;
}

/**
 * Repeats a recorded state change, with up to `limits.sql.batchRows` emails each time, until none are left.
 * @returns the total number of emails
 */
export async function moveInBatches(
  db: Db,
  workspace: number,
  move: Sql,
  options: RecordedMoveOptions,
): Promise<number> {
  for (let total = 0; ; ) {
    const count = await recordMove(db, workspace, move, options);
    total += count;
    if (count < limits.sql.batchRows) return total;
  }
}
