import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { computeCalendar } from '../../../src/engine/value/calendar.ts';
import { resolveZoneName } from '../../../src/engine/value/instant.ts';
import { getWeekStart } from '../../../src/engine/value/locale.ts';

const policy: Policy = { auth: ['USER'], scope: 'read' };

const Span = defineTypedShape('DaySpan', 'Days in a row.', {
  firstDay: { type: 'Date', description: 'The first day.' },
  lastDay: { type: 'Date', description: 'The last day.' },
  startsAt: { type: 'DateTime', description: 'When the first day begins.' },
  endsAt: { type: 'DateTime', description: 'When the day after the last one begins.' },
});

const CurrentTime = defineTypedShape('CurrentTime', 'The time where the user is, and what it is part of.', {
  now: { type: 'DateTime', description: 'The time.' },
  local: { type: 'String', description: 'The same in the time zone, such as `2026-03-29T10:00:00+02:00`.' },
  timezone: { type: 'String', description: 'Time zone of the user.' },
  utcOffset: { type: 'String', description: 'How far it is ahead of UTC now, such as `+02:00`.' },
  weekday: { type: 'String', description: 'Day of the week, in English.' },
  today: { type: Span, description: 'The day.' },
  week: {
    type: Span,
    description: 'The week, which begins as it does where the language of the user is spoken.',
  },
  month: { type: Span, description: 'The month.' },
});

export const currentTime = defineOperation('currentTime', {
  kind: 'query',
  effects: ['reads'],
  policy,
  description: 'The time in the time zone of the user, and when its day, week and month begin and end.',
  args: () => ({}),
  type: CurrentTime.ref,
  run: ({ principal }) => {
    const { tz, lang } = principal!;
    const timezone = resolveZoneName(tz) === null ? 'UTC' : tz;
    const now = Date.now();
    return {
      now: new Date(now).toISOString(),
      timezone,
      ...computeCalendar(now, timezone, getWeekStart(lang)),
    };
  },
});
