import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { limits } from '../../../src/limits.ts';
import { type EmailState, type EmailTransitionName, getTransition } from './email-state.ts';
import type { EmailStatus } from './email-status.ts';
import { buildEventStatements, type EventRow } from './event-statements.ts';
import { type Counter, countByCampaign, countByDay } from './usage.ts';
import { scheduleCallsDue } from './webhook-calls.ts';

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
export const moveMatchingEmails = (
  mover: EmailTransitionName,
  isMoved: Sql,
  { to, set, ...rest }: EmailMove,
): Sql =>
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
    /** A SQL expression that yields null records no event. */
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

interface MovedEmail extends Omit<EventRow, 'id' | 'status'> {
  status: EmailStatus | null;
  is_counted: boolean;
}

interface RecordedMoveOptions {
  /** Wraps string event data in an object with this key. */
  dataKey?: 'error' | 'reason';
  counter?: Counter;
}

/**
 * Changes the state of a workspace's emails, records an event for each, queues webhook calls and updates counters. Runs
 * separate statements, because Citus would involve all nodes in a statement that inserts rows returned by another part
 * of it.
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
    const rows = movedEmails.flatMap(({ status, ...row }) => (status === null ? [] : [{ ...row, status }]));
    const ids = await tx.idAllocator.allocate(workspace, 'svc_email_event', rows.length);
    const events = rows.map(({ is_counted: _, ...row }, index) => ({
      ...row,
      id: ids[index]!,
      data: dataKey && row.data !== null ? { [dataKey]: row.data } : row.data,
    }));
    if (events.length > 0) {
      // Workspace statistics exclude mail sent from mailboxes.
      const counted = counter
        ? rows.flatMap(({ email_id, domain_id, mailbox_id, is_counted }) =>
            is_counted && mailbox_id === null ? [{ email_id, domain_id, counter }] : [],
          )
        : [];
      const results = [
        ...buildEventStatements(workspace, events),
        ...(counted.length > 0 ? [countByDay(workspace, counted), countByCampaign(workspace, counted)] : []),
      ].map((statement) => tx.rows(statement));
      tx.finish();
      const [calls] = await Promise.all(results);
      scheduleCallsDue(tx, workspace, calls!.length);
    }
    return movedEmails.length;
  });
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
