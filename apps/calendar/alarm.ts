import { defineModel, errors, sql } from '../kit/surface.ts';
import { dropAlarms, rescheduleAlarms } from './reminder.ts';

defineModel('calendar.alarm', {
  group: 'data',
  order: 'alarm_type, id',
  access: { 'base.group_user': 'cr', 'base.group_system': 'crwu' },
  computed: {
    duration_minutes: {
      type: 'integer',
      label: 'Duration in minutes',
      aggregator: 'none',
      sql: (row) =>
        sql`(${row}.duration * case ${row}.interval when 'days' then 1440 when 'hours' then 60 else 1 end)`,
    },
  },
  prepare: (_ctx, list) => {
    for (const { duration } of list)
      if (typeof duration === 'number' && !(duration >= 0 && duration <= MAX_ALARM_DAYS))
        throw errors.validation(`duration must be from 0 to ${MAX_ALARM_DAYS}.`);
  },
  afterWrite: async (ctx, ids, values) => {
    if (['duration', 'interval', 'alarm_type'].some((name) => name in values))
      await rescheduleAlarms(ctx, ids);
  },
  beforeUnlink: dropAlarms,
});

const MAX_ALARM_DAYS = 4_000;
