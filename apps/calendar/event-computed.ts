import type { SqlContext } from '../../src/engine/model/field.ts';
import { type ModelOptions, type Sql, sql } from '../kit/surface.ts';

function buildAttendeeCountSql(row: Sql, context: SqlContext, state?: string): Sql {
  const attendee = context.alias();
  return sql`(select count(*)::int from ${context.table('calendar.attendee')} ${attendee}
    where ${attendee}.workspace_id = ${context.workspace} and ${attendee}.event_id = ${row}.id
      ${state ? sql`and ${attendee}.state = ${sql.literal(state)}` : sql.empty})`;
}

const buildAttendeeCountField = (label: string, state?: string) => ({
  type: 'integer' as const,
  label,
  sql: (row: Sql, context: SqlContext) => buildAttendeeCountSql(row, context, state),
});

export const eventComputed: ModelOptions['computed'] = {
  duration: {
    type: 'float',
    label: 'Duration',
    help: 'Hours.',
    sql: (row) => sql`(extract(epoch from ${row}.stop - ${row}.start) / 3600)::float8`,
  },
  start_date: {
    type: 'date',
    label: 'Start Date',
    help: 'First day of an all-day event.',
    sql: (row) => sql`(case when ${row}.allday then ${row}.start::date end)`,
  },
  stop_date: {
    type: 'date',
    label: 'End Date',
    help: 'Last day of an all-day event.',
    sql: (row) => sql`(case when ${row}.allday then ${row}.stop::date end)`,
  },
  recurrence_update: {
    type: 'selection',
    label: 'Recurrence Update',
    help: 'Events of the recurrence that a change applies to. Write it together with the change.',
    selection: [
      ['self_only', 'This event'],
      ['future_events', 'This and following events'],
      ['all_events', 'All events'],
    ],
    sql: () => sql`'self_only'::text`,
  },
  attendees_count: buildAttendeeCountField('Attendees Count'),
  accepted_count: buildAttendeeCountField('Accepted Count', 'accepted'),
  declined_count: buildAttendeeCountField('Declined Count', 'declined'),
  tentative_count: buildAttendeeCountField('Tentative Count', 'tentative'),
  awaiting_count: buildAttendeeCountField('Awaiting Count', 'needsAction'),
};
