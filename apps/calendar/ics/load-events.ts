import { extractAddress, parseAddress } from '../../../src/message/address.ts';
import { processText } from '../../../src/text/process-text.ts';
import { type Ctx, parseTimestamp, type Sql, sql } from '../../kit/surface.ts';
import type { RecurrenceRule } from '../recurrence/rule.ts';
import { RECURRENCE_FIELDS } from '../recurrence/rule.ts';
import { computeStarts, type Series } from '../recurrence/series.ts';
import type { IcsEvent, Participant } from './event-lines.ts';

/** A unit that attendees are invited to: a single event, a whole recurrence, or an individually changed occurrence. */
export interface EventUnit {
  event_id: number;
  /** Set if the unit is a whole recurrence. */
  series_id: number | null;
  active: boolean;
  /** Digest of the content that attendees last received. */
  invited_as: string | null;
  organizer_id: number | null;
  organizer_tz: string;
  isPast: boolean;
  ics: IcsEvent;
  attendees: Attendee[];
}

export interface Attendee extends Participant {
  id: number;
  partner_id: number;
  state: string;
  invited: boolean;
  isOrganizer: boolean;
}

interface UnitRow {
  id: number;
  series_id: number | null;
  active: boolean;
  invited_as: string | null;
  revision: number;
  uid: string;
  name: string;
  description: string | null;
  location: string | null;
  url: string | null;
  privacy: string;
  show_as: string;
  allday: boolean;
  start: string;
  stop: string;
  tz: string | null;
  occurrence: string | null;
  isDayOccurrence: boolean | null;
  changed: string;
  rule: (RecurrenceRule & Pick<Series, 'dtstart' | 'event_tz' | 'left_out' | 'uid' | 'reach'>) | null;
  last: string | null;
  organizer: { id: number; partner_id: number; name: string; email: string | null; tz: string | null } | null;
  attendees: (Omit<Attendee, 'isOrganizer' | 'email'> & { email: string | null })[];
}

const buildTimestampSql = (column: Sql): Sql => sql`${column}::timestamp(0)::text`;

/** Loads the units of the events `e` that match a condition. A base event represents its recurrence. */
export async function loadUnits(ctx: Ctx, condition: Sql): Promise<EventUnit[]> {
  const workspace = sql.param(ctx.workspace.id);
  const rule = sql.join(RECURRENCE_FIELDS.map((name) => sql`${sql.literal(name)}, ${sql.id('r', name)}`));
  const rows = await ctx.db.rows<UnitRow>(
    sql`select e.id, r.id as series_id, e.active, coalesce(e.uid, e.id::text) as uid, e.name, e.description, e.location,
       e.videocall_location as url, e.privacy, e.show_as, e.allday, ${buildTimestampSql(sql`e.start`)} as start,
       ${buildTimestampSql(sql`e.stop`)} as stop, e.event_tz as tz,
         ${buildTimestampSql(sql`e.occurrence`)} as occurrence,
       ${buildTimestampSql(sql`e.write_date`)} as changed,
       case when r.id is null then e.invited_as else r.invited_as end as invited_as,
       case when r.id is not null then r.revision else greatest(e.revision, s.revision) end as revision,
       s.allday as "isDayOccurrence",
       (select ${buildTimestampSql(sql`max(l.stop)`)} from calendar_event l
         where l.workspace_id = ${workspace} and l.recurrence_id = r.id) as last,
       case when r.id is not null then json_build_object(${rule}, 'dtstart', ${buildTimestampSql(sql`r.dtstart`)},
         'event_tz', r.event_tz, 'left_out', r.left_out, 'uid', r.uid, 'reach', r.reach) end as rule,
       (select json_build_object('id', u.id, 'partner_id', p.id, 'name', p.name, 'email', p.email, 'tz', u.tz)
         from res_users u join res_partner p on p.workspace_id = ${workspace} and p.id = u.partner_id
         where u.workspace_id = ${workspace} and u.id = e.user_id) as organizer,
       (select coalesce(json_agg(json_build_object('id', a.id, 'partner_id', p.id, 'name', p.name, 'email', p.email,
           'state', a.state, 'invited', a.invited) order by a.id), '[]')
         from calendar_attendee a join res_partner p on p.workspace_id = ${workspace} and p.id = a.partner_id
         where a.workspace_id = ${workspace} and a.event_id = e.id) as attendees
     from calendar_event e
     left join calendar_recurrence s on s.workspace_id = ${workspace} and s.id = e.recurrence_id
     left join calendar_recurrence r on r.workspace_id = ${workspace} and r.base_event_id = e.id
       and r.id = e.recurrence_id and e.follow_recurrence
     where e.workspace_id = ${workspace} and ${condition} order by e.id`,
  );
  const units: EventUnit[] = [];
  for (const row of rows) {
    const description = await processText(ctx.workspace.id, 'convertHtmlToText', row.description ?? '');
    units.push(toUnit(row, description.trim()));
  }
  return units;
}

function toUnit(row: UnitRow, description: string): EventUnit {
  const { rule, organizer: lead } = row;
  const organizer = lead && toParticipant(lead);
  const attendees = row.attendees.flatMap((attendee) => {
    const participant = toParticipant(attendee);
    return participant
      ? [{ ...attendee, ...participant, isOrganizer: attendee.partner_id === lead?.partner_id }]
      : [];
  });
  const [start, stop] = rule ? computeFirstTimes(row, rule) : [row.start, row.stop];
  return {
    event_id: row.id,
    series_id: row.series_id,
    active: row.active,
    invited_as: row.invited_as,
    organizer_id: lead?.id ?? null,
    organizer_tz: lead?.tz ?? row.tz ?? 'UTC',
    isPast: parseTimestamp(row.last ?? row.stop) < Date.now(),
    attendees,
    ics: {
      uid: row.uid,
      revision: row.revision,
      name: row.name,
      description,
      location: row.location,
      url: row.url,
      privacy: row.privacy,
      show_as: row.show_as,
      allday: row.allday,
      start,
      stop,
      tz: row.allday ? 'UTC' : (rule?.event_tz ?? row.tz ?? 'UTC'),
      occurrence: rule ? null : row.occurrence,
      isDayOccurrence: row.isDayOccurrence === true,
      rule,
      left_out: rule ? findDeletedStarts(rule) : [],
      changed: row.changed,
      organizer,
      attendees,
    },
  };
}

/** Returns the starts of the deleted occurrences, except occurrences of an earlier rule. */
function findDeletedStarts(rule: NonNullable<UnitRow['rule']>): string[] {
  if (rule.left_out.length === 0) return [];
  const starts = new Set(computeStarts({ ...rule, id: 0, base_event_id: null, allday: false }));
  return rule.left_out.filter((start) => starts.has(start));
}

function computeFirstTimes({ start, stop }: UnitRow, { dtstart }: { dtstart: string }): [string, string] {
  const length = parseTimestamp(stop) - parseTimestamp(start);
  return [dtstart, new Date(parseTimestamp(dtstart) + length).toISOString().slice(0, 19).replace('T', ' ')];
}

/** Returns null if the person has no valid email address. */
function toParticipant({ name, email }: { name: string; email: string | null }): Participant | null {
  if (!email || !parseAddress(email)) return null;
  return { name, email: extractAddress(email) };
}
