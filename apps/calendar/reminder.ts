import { scheduleDueWork } from '../../src/engine/work/due.ts';
import { defineDueWork } from '../../src/engine/work/due-work.ts';
import { sweepDueTimes } from '../../src/engine/work/sweep.ts';
import { type Ctx, formatInstant, type Sql, sql, toIsoSql } from '../kit/surface.ts';
import { loadUnits } from './ics/load-events.ts';
import { mailUnit } from './invite/mail-unit.ts';

/** Maximum number of events whose reminders are sent in one transaction. */
const MAX_REMINDED_EVENTS = 50;

const REMINDER_KIND = 'reminder';

/** Lead time of alarm `a` before an event. */
const LEAD_SQL = sql`make_interval(mins => a.duration
  * case when a.interval = 'days' then 1440 when a.interval = 'hours' then 60 else 1 end)`;

interface SentReminders {
  after: string;
  events: number[];
}

const createEmptySentReminders = (): SentReminders => ({ after: formatInstant(Date.now()), events: [] });

/** Computes the next reminder of each event and of the other events in its recurrence. */
export async function scheduleReminders(
  ctx: Ctx,
  events: number[],
  done: SentReminders = createEmptySentReminders(),
): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  await scheduleMatching(
    ctx,
    sql`(m.id = any(${events}) or m.recurrence_id in (
       select s.recurrence_id from calendar_event s where s.workspace_id = ${workspace} and s.id = any(${events})
         and s.recurrence_id is not null))`,
    done,
  );
}

export const rescheduleAlarms = (ctx: Ctx, alarms: number[]): Promise<void> =>
  scheduleMatching(
    ctx,
    sql`m.id in (select l.event_id from calendar_event_alarm_rel l
       where l.workspace_id = ${ctx.workspace.id} and l.alarm_id = any(${alarms}))`,
    createEmptySentReminders(),
  );

export async function dropAlarms(ctx: Ctx, alarms: number[]): Promise<void> {
  const rows = await ctx.db.rows<{ event_id: number }>(
    sql`delete from calendar_event_alarm_rel l
     where l.workspace_id = ${ctx.workspace.id} and l.alarm_id = any(${alarms})
     returning l.event_id`,
  );
  await scheduleMatching(
    ctx,
    sql`m.id = any(${rows.map(({ event_id }) => event_id)}::int[])`,
    createEmptySentReminders(),
  );
}

/**
 * Updates the time of the next reminder. An unsent reminder that is already due remains due.
 * @param condition a condition on events `m`
 */
async function scheduleMatching(ctx: Ctx, condition: Sql, { after, events }: SentReminders): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const rows = await ctx.db.rows<{ at: string | null }>(
    sql`with changed as (
       update calendar_event e set remind_at = x.at from (
         select m.id, (
           select min(case when m.start - ${LEAD_SQL} > ${after}::timestamp then m.start - ${LEAD_SQL}
             when m.remind_at <= ${after}::timestamp and m.id <> all(${events}::int[]) then m.remind_at end)
           from calendar_event_alarm_rel r
           join calendar_alarm a on a.workspace_id = ${workspace} and a.id = r.alarm_id and a.alarm_type = 'email'
           where r.workspace_id = ${workspace} and r.event_id = m.id and m.active) as at
         from calendar_event m where m.workspace_id = ${workspace} and ${condition}) x
       where e.workspace_id = ${workspace} and e.id = x.id and e.remind_at is distinct from x.at
       returning e.remind_at
     )
     select ${toIsoSql(sql`min(c.remind_at)`)} as at from changed c`,
  );
  const time = rows[0]?.at;
  if (time) scheduleDueWork(ctx.db, ctx.workspace.id, REMINDER_KIND, { at: time });
}

/** Mails reminders to all attendees who have not declined, in one transaction, so that no reminder is sent twice. */
defineDueWork({
  kind: REMINDER_KIND,
  app: 'calendar',
  run: (ctx, { at }) =>
    ctx.tx(async (tx) => {
      const workspace = tx.workspace.id;
      const rows = await tx.db.rows<{ id: number }>(
        sql`select e.id from calendar_event e where e.workspace_id = ${workspace} and e.remind_at <= ${at}::timestamp
         order by e.remind_at, e.id limit ${sql.literal(MAX_REMINDED_EVENTS)} for update skip locked`,
      );
      const ids = rows.map(({ id }) => id);
      for (const unit of await loadUnits(tx, sql`e.id = any(${ids}) and e.active`)) {
        const people = unit.attendees.filter(({ state }) => state !== 'declined');
        if (!unit.isPast) await mailUnit(tx, await toOwnTimeUnit(tx, unit), people, 'REMINDER');
      }
      await scheduleReminders(tx, ids, { after: at, events: ids });
      const next = await tx.db.value<string | null>(
        sql`select min(e.remind_at)::text from calendar_event e where e.workspace_id = ${workspace}`,
      );
      return { done: ids.length, next };
    }),
});

/** Replaces the recurrence's times with its base event's times. */
async function toOwnTimeUnit(ctx: Ctx, unit: Awaited<ReturnType<typeof loadUnits>>[number]) {
  if (unit.series_id === null) return unit;
  const [row] = await ctx.db.rows<{ start: string; stop: string }>(
    sql`select start::timestamp(0)::text as start, stop::timestamp(0)::text as stop from calendar_event
     where workspace_id = ${ctx.workspace.id} and id = ${unit.event_id}`,
  );
  return { ...unit, ics: { ...unit.ics, ...row!, rule: null } };
}

/** Schedules reminders that became due while no process was running. */
sweepDueTimes(REMINDER_KIND, 'calendar_event', 'remind_at');
