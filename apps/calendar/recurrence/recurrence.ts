import type { Principal } from '../../../src/engine/model/principal.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';

/** A recurrence is visible if its base event is. */
const buildVisibleDomain = ({ userId, partnerId }: Principal): unknown[] => [
  ...['|', '|'],
  ['base_event_id.privacy', '!=', 'private'],
  ['base_event_id.user_id', '=', userId ?? 0],
  ['base_event_id.partner_ids', 'in', [partnerId ?? 0]],
];

defineModel('calendar.recurrence', {
  group: 'data',
  graph: {
    type: 'CalendarRecurrence',
    one: 'calendarRecurrence',
    many: 'calendarRecurrences',
    names: { allday: 'allDay', byday: 'byDay' },
  },
  display: 'rrule',
  order: 'dtstart desc, id',
  // Recurrences change only through their events.
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
  own: (principal) => principal.kind === 'user' && buildVisibleDomain(principal),
});
