import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { fromWallClock, toWallClock } from '../../../src/engine/value/instant.ts';
import { errors } from '../../../src/errors.ts';

/** When a team works. */
export interface WorkingTime {
  tz: string;
  /** From Monday on. */
  days: boolean[];
  /** Hours of the day. */
  from: number;
  to: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/**
 * The moment at which so many working hours have passed since `start` (ms): hours that pass, also where the clock is
 * changed. Some day has to be one of work. Pure.
 */
export function deadlineAfter(start: number, hours: number, { tz, days, from, to }: WorkingTime): number {
  const week = days.filter(Boolean).length * (to - from) * HOUR;
  let left = hours * HOUR;
  let day = Math.floor(toWallClock(start, tz) / DAY) * DAY;
  for (;;) {
    const midnight = fromWallClock(day, tz);
    // Of a week that passes as a whole, without a change of the clock, no day has to be looked at.
    if (left > week && midnight >= start && fromWallClock(day + WEEK, tz) - midnight === WEEK) {
      left -= week;
      day += WEEK;
      continue;
    }
    const begin = Math.max(start, fromWallClock(day + from * HOUR, tz));
    const works = days[(new Date(day).getUTCDay() + 6) % 7];
    const time = works ? Math.max(0, fromWallClock(day + to * HOUR, tz) - begin) : 0;
    if (time > 0 && left <= time) return begin + left;
    left -= time;
    day += DAY;
  }
}

/** Hours that a working day has at least. */
const LEAST = 0.5;

/** @throws VALIDATION for teams whose days or hours are none */
export async function checkHours(ctx: Ctx, ids: number[]): Promise<void> {
  const [wrong] = await ctx.db.rows(
    sql`select 1 from helpdesk_team t where t.workspace_id = ${ctx.workspace.id} and t.id = any(${ids})
     and (not (t.mon or t.tue or t.wed or t.thu or t.fri or t.sat or t.sun)
       or t.hour_from < 0 or t.hour_to > 24 or t.hour_to < t.hour_from + ${LEAST}) limit 1`,
  );
  if (wrong)
    throw errors.validation(
      `A team works on at least one day of the week, from 0 to 24 and at least ${LEAST} hours (hour_from, hour_to).`,
    );
}
