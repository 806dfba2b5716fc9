import type { FieldConditions } from '../../src/engine/model/model.ts';
import type { Principal } from '../../src/engine/model/principal.ts';
import { type Ctx, defineModel, setHookValues, type Values } from '../kit/surface.ts';
import { applyChangeEffects, mayDeleteOccurrences, prepareEventChange } from './event-change.ts';
import { eventComputed } from './event-computed.ts';
import { initializeEvents } from './event-new.ts';
import { computeFormTimes, computeTimes } from './event-times.ts';
import { createEventUid } from './event-uid.ts';
import { cancelEvents } from './event-unlink.ts';
import { checkOrganizer } from './organizer.ts';
import { WEEKDAYS } from './recurrence/rule.ts';

/** Recurrence fields that an event exposes. Clients edit the recurrence through them. */
const RECURRENCE_LABELS = {
  rrule: 'Recurrent Rule',
  rrule_type: 'Recurrence',
  end_type: 'Recurrence Termination',
  interval: 'Repeat Every',
  count: 'Repeat',
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
  month_by: 'Option',
  day: 'Date of month',
  weekday: 'Weekday',
  byday: 'By day',
  until: 'Until',
};

const RECURRING: FieldConditions = { recurrency: [true] };
const WEEKLY: FieldConditions = { ...RECURRING, rrule_type: ['weekly'] };
const MONTHLY: FieldConditions = { ...RECURRING, rrule_type: ['monthly'] };

/** Only the organizer and attendees can see a private event, regardless of access rights and record rules. */
const buildVisibleDomain = ({ userId, partnerId }: Principal): unknown[] => [
  '|',
  '|',
  ['privacy', '!=', 'private'],
  ['user_id', '=', userId ?? 0],
  ['partner_ids', 'in', [partnerId ?? 0]],
];

defineModel('calendar.event', {
  group: 'data',
  graph: {
    type: 'CalendarEvent',
    one: 'calendarEvent',
    many: 'calendarEvents',
    names: { allday: 'allDay', byday: 'byDay' },
  },
  order: 'start desc, id',
  searchNames: ['name', 'location'],
  access: { 'base.group_user': 'crwu' },
  own: (principal) => principal.kind === 'user' && buildVisibleDomain(principal),
  sends: true,
  deletesOnWrite: mayDeleteOccurrences,
  rules: [
    {
      name: 'change own events',
      group: 'base.group_user',
      operations: ['write', 'unlink'],
      domain: "['|', '|', ('user_id', '=', user.id), ('user_id', '=', False), ('create_uid', '=', user.id)]",
    },
    {
      name: 'change all events',
      group: 'base.group_system',
      operations: ['write', 'unlink'],
      domain: "[(1, '=', 1)]",
    },
  ],
  mixins: ['mail.thread', 'mail.activity'],
  computed: eventComputed,
  related: {
    partner_id: { path: 'user_id.partner_id', label: 'Scheduled by' },
    ...Object.fromEntries(
      Object.entries(RECURRENCE_LABELS).map(([name, label]) => [
        name,
        { path: `recurrence_id.${name}` as const, label },
      ]),
    ),
  },
  accepts: [
    ...['duration', 'start_date', 'stop_date', 'recurrence_update'],
    ...Object.keys(RECURRENCE_LABELS),
  ],
  completes: ['start', 'stop', 'recurrence_id'],
  shownFor: {
    ...Object.fromEntries(Object.keys(RECURRENCE_LABELS).map((name) => [name, RECURRING])),
    ...Object.fromEntries(WEEKDAYS.map((name) => [name, WEEKLY])),
    recurrence_update: RECURRING,
    count: { ...RECURRING, end_type: ['count'] },
    until: { ...RECURRING, end_type: ['end_date'] },
    month_by: MONTHLY,
    day: { ...MONTHLY, month_by: ['date'] },
    weekday: { ...MONTHLY, month_by: ['day'] },
    byday: { ...MONTHLY, month_by: ['day'] },
  },
  preview: {
    adjust: async (_ctx, values, changed) => computeFormTimes(values, changed),
    follows: {
      start: ['stop', 'start_date', 'stop_date'],
      stop: ['duration', 'stop_date'],
      duration: ['stop', 'stop_date'],
      start_date: ['start', 'duration'],
      stop_date: ['stop', 'duration'],
      allday: ['start_date', 'stop_date', 'duration'],
    },
    ignores: ['recurrency', ...Object.keys(RECURRENCE_LABELS), 'recurrence_update', 'uid'],
  },
  defaults: {
    user_id: (ctx) => ctx.principal?.userId ?? false,
    partner_ids: (ctx) => (ctx.principal?.partnerId ? [[6, 0, [ctx.principal.partnerId]]] : []),
    event_tz: (ctx) => ctx.principal?.tz ?? 'UTC',
  },
  beforeCreate: prepareNewEvents,
  afterCreate: initializeEvents,
  beforeWrite: prepareEventChange,
  afterWrite: applyChangeEffects,
  beforeUnlink: cancelEvents,
});

function prepareNewEvents(ctx: Ctx, list: Values[]): void {
  for (const values of list) {
    checkOrganizer(ctx, values.user_id);
    Object.assign(values, computeTimes(values, null));
    setHookValues(values, { uid: createEventUid(ctx) });
  }
}
