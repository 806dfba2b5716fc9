import { getFirstWeekday } from '../../../src/engine/ctx/call-context.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { computeCalendar } from '../../../src/engine/value/calendar.ts';
import { resolveZoneName } from '../../../src/engine/value/instant.ts';

const policy: Policy = { auth: ['USER'], scope: 'read' };

const DaySpanShape = defineTypedShape('DaySpan', 'A range of consecutive days.', {
  firstDay: { type: 'Date', description: 'The first day.' },
  lastDay: { type: 'Date', description: 'The last day.' },
  startsAt: { type: 'DateTime', description: 'When the first day begins.' },
  endsAt: { type: 'DateTime', description: 'When the last day ends, which is when the next day begins.' },
});

const CurrentTime = defineTypedShape(
  'CurrentTime',
  "The current time in the user's time zone, with the day, week and month.",
  {
    now: { type: 'DateTime', description: 'Current time.' },
    local: {
      type: 'String',
      description: "Current time in the user's time zone, such as `2026-03-29T10:00:00+02:00`.",
    },
    timezone: { type: 'String', description: 'Time zone of the user.' },
    utcOffset: { type: 'String', description: 'Current offset from UTC, such as `+02:00`.' },
    weekday: { type: 'String', description: 'Day of the week, in English.' },
    today: { type: DaySpanShape, description: 'The current day.' },
    week: {
      type: DaySpanShape,
      description: "The current week. Its first day depends on the user's language.",
    },
    month: { type: DaySpanShape, description: 'The current month.' },
  },
);

export const currentTime = defineOperation('currentTime', {
  effects: ['reads'],
  policy,
  description:
    "Returns the current time in the user's time zone, and when the day, week and month begin and end.",
  args: () => ({}),
  type: CurrentTime.ref,
  run: (ctx) => {
    const { tz } = ctx.principal!;
    const timezone = resolveZoneName(tz) === null ? 'UTC' : tz;
    const now = Date.now();
    return {
      now: new Date(now).toISOString(),
      timezone,
      ...computeCalendar(now, timezone, getFirstWeekday(ctx)),
    };
  },
});
