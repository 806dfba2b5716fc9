import { call } from '../../../../src/engine/operation/call.ts';
import type { CalendarSpan } from '../../../../src/engine/value/calendar.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, READ_ANNOTATIONS, toToolResult } from '../../tool.ts';
import { LIVE_READING_TOOL } from '../kit.ts';

export const currentTimeTool = defineTool({
  name: 'current_time',
  title: 'Current time',
  description: "Returns the time in the user's time zone, and when the day, week and month begin and end.",
  inputSchema: inputSchema({}),
  ...LIVE_READING_TOOL,
  annotations: { ...READ_ANNOTATIONS, idempotentHint: false },
  run: async ({ ctx }) => {
    const { now, local, timezone, utcOffset, weekday, today, week, month } = await call(
      ctx,
      'currentTime',
      {},
    );
    const spans = {
      today: toSpanArguments(today),
      week: toSpanArguments(week),
      month: toSpanArguments(month),
    };
    return toToolResult({ now, local, timezone, utc_offset: utcOffset, weekday, ...spans }, 1);
  },
});

const toSpanArguments = ({ firstDay, lastDay, startsAt, endsAt }: CalendarSpan) => ({
  first_day: firstDay,
  last_day: lastDay,
  starts_at: startsAt,
  ends_at: endsAt,
});
