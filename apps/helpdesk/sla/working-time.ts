import { type Ctx, errors, fromWallClock, sql, toWallClock } from '../../kit/surface.ts';

export interface WorkingTime {
  tz: string;
  /** Working days, starting with Monday. */
  days: boolean[];
  /** Hours of the day. */
  from: number;
  to: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/**
 * Computes the time at which `hours` working hours have passed since `start` (ms). Counts elapsed hours, even across
 * clock changes. At least one day must be a working day.
 */
export function computeDeadline(start: number, hours: number, { tz, days, from, to }: WorkingTime): number {
  const week = days.filter(Boolean).length * (to - from) * HOUR_MS;
  let remainingMs = hours * HOUR_MS;
  let day = Math.floor(toWallClock(start, tz) / DAY_MS) * DAY_MS;
  for (;;) {
    const midnight = fromWallClock(day, tz);
    // Skips whole weeks without a clock change instead of iterating over their days.
    if (remainingMs > week && midnight >= start && fromWallClock(day + WEEK_MS, tz) - midnight === WEEK_MS) {
      remainingMs -= week;
      day += WEEK_MS;
      continue;
    }
    const begin = Math.max(start, fromWallClock(day + from * HOUR_MS, tz));
    const works = days[(new Date(day).getUTCDay() + 6) % 7];
    const time = works ? Math.max(0, fromWallClock(day + to * HOUR_MS, tz) - begin) : 0;
    if (time > 0 && remainingMs <= time) return begin + remainingMs;
    remainingMs -= time;
    day += DAY_MS;
  }
}

const MIN_DAY_HOURS = 0.5;

export async function checkWorkingHours(ctx: Ctx, ids: number[]): Promise<void> {
  const [violation] = await ctx.db.rows(
    sql`select 1 from helpdesk_team t where t.workspace_id = ${ctx.workspace.id} and t.id = any(${ids})
     and (not (t.mon or t.tue or t.wed or t.thu or t.fri or t.sat or t.sun)
       or t.hour_from < 0 or t.hour_to > 24 or t.hour_to < t.hour_from + ${MIN_DAY_HOURS}) limit 1`,
  );
  if (violation)
    throw errors.validation(
      `Set at least one working day with at least ${MIN_DAY_HOURS} hours. hour_from and hour_to must be from 0 to 24.`,
    );
}
