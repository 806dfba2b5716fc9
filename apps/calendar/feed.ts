import { createHash, randomBytes } from 'node:crypto';
import { sql } from '../../src/db/sql.ts';
import { assertModelAccess } from '../../src/engine/access/access.ts';
import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { getLinkSubject, signLink } from '../../src/engine/identity/signed-link.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../src/engine/operation/shape.ts';
import { errors } from '../../src/errors.ts';
import {
  collectZoneNames,
  type IcsEvent,
  renderCalendarHead,
  renderEvent,
  renderWholeZone,
} from './ics/event-lines.ts';
import { type EventUnit, loadUnits } from './ics/load-events.ts';

const EVENTS_PER_READ = 200;
/** Days that past events stay in a feed. */
const PAST_EVENT_DAYS = 365;

/** Part of the link's signature. Changing it would invalidate existing subscriptions. */
const FEED_LINK_KIND = 'calendar-feed';

const FeedAddressShape = defineTypedShape(
  'CalendarFeedAddress',
  'The secret URL that programs use to subscribe to a calendar.',
  {
    address: {
      type: 'String',
      nullable: true,
      description:
        "Secret URL. Anyone with it can read your calendar, including private events. Null if you don't have one.",
    },
  },
);

export const calendarFeedAddress = defineOperation('calendarFeedAddress', {
  effects: ['reads', 'secret'],
  address: 'calendar.event/feed_address',
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Returns the secret URL that programs use to subscribe to your calendar.',
  args: () => ({}),
  type: FeedAddressShape.ref as object,
  run: async (ctx) => {
    assertModelAccess(ctx, getModel(ctx, 'calendar.event'), 'read');
    const nonce = await findNonce(ctx, ctx.principal!.userId!);
    return { address: nonce && buildFeedAddress(ctx, nonce) };
  },
});

export const calendarFeedRotate = defineOperation('calendarFeedRotate', {
  effects: ['writes', 'secret'],
  address: 'calendar.event/feed_rotate',
  policy: { auth: ['USER'], scope: 'write', audit: 'calendar.feed.rotate' },
  description: "Replaces your calendar's secret URL. The previous URL stops working.",
  args: () => ({}),
  type: FeedAddressShape.ref as object,
  run: async (ctx) => {
    assertModelAccess(ctx, getModel(ctx, 'calendar.event'), 'read');
    const nonce = randomBytes(12).toString('hex');
    await ctx.db.rows(
      sql`insert into calendar_feed (workspace_id, user_id, nonce)
       values (${ctx.workspace.id}, ${ctx.principal!.userId}, ${nonce})
       on conflict (workspace_id, user_id) do update set nonce = excluded.nonce`,
    );
    return { address: buildFeedAddress(ctx, nonce) };
  },
});

export const calendarFeedClose = defineOperation('calendarFeedClose', {
  effects: ['writes', 'deletes'],
  address: 'calendar.event/feed_close',
  policy: { auth: ['USER'], scope: 'write', audit: 'calendar.feed.close' },
  description: "Removes your calendar's secret URL.",
  args: () => ({}),
  type: FeedAddressShape.ref as object,
  run: async (ctx) => {
    await ctx.db.rows(
      sql`delete from calendar_feed where workspace_id = ${ctx.workspace.id} and user_id = ${ctx.principal!.userId}`,
    );
    return { address: null };
  },
});

async function findNonce(ctx: Ctx, userId: number): Promise<string | null> {
  const [row] = await ctx.db.rows<{ nonce: string }>(
    sql`select f.nonce from calendar_feed f
     join res_users u on u.workspace_id = ${ctx.workspace.id} and u.id = f.user_id and u.active
     where f.workspace_id = ${ctx.workspace.id} and f.user_id = ${userId}`,
  );
  return row?.nonce ?? null;
}

/** Builds a feed's URL. The URL contains a signature that is not stored, so the stored nonce does not reveal it. */
function buildFeedAddress({ runtime, workspace, principal }: Ctx, nonce: string): string {
  const { secretKey, publicUrl } = runtime.config;
  const { id, hash } = signLink(secretKey, FEED_LINK_KIND, workspace.id, `${principal!.userId}.${nonce}`);
  return `${publicUrl}/calendar/feed/${id}/${hash}/calendar.ics`;
}

const FeedShape = defineTypedShape('CalendarFeed', "A user's calendar, for programs that subscribe to it.", {
  etag: { type: 'String', description: 'Entity tag. Changes whenever the calendar changes.' },
});

export const calendarFeed = defineOperation('calendarFeed', {
  effects: ['reads'],
  about: 'calendar.event',
  policy: { auth: ['LINK'], link: FEED_LINK_KIND, scope: 'read' },
  description:
    'Returns the entity tag of the calendar that a secret URL refers to. The URL itself returns the ' +
    'calendar as an iCalendar file.',
  args: () => ({}),
  type: FeedShape.ref as object,
  run: async (ctx) => {
    const [userId, nonce] = getLinkSubject(ctx).split('.') as [string, string];
    if ((await findNonce(ctx, Number(userId))) !== nonce) throw errors.notFound('Calendar');
    return { etag: await computeEtag(ctx, Number(userId)), file: generateFeed(ctx, Number(userId)) };
  },
});

/** Selects a user's events `e`. A base event represents its recurrence. */
const buildVisibleToSql = (
  ctx: Ctx,
  userId: number,
) => sql`((e.recurrence_id is null or not e.follow_recurrence) and e.stop > ${getFeedStart()}::timestamp
    and ${buildBelongsToUserSql(ctx, userId)}
  or e.follow_recurrence and e.id in (
    select b.base_event_id from calendar_recurrence b where b.workspace_id = ${ctx.workspace.id} and b.id in (
      select e.recurrence_id from calendar_event e where e.workspace_id = ${ctx.workspace.id}
        and e.follow_recurrence and e.stop > ${getFeedStart()}::timestamp
        and ${buildBelongsToUserSql(ctx, userId)})))`;

const buildBelongsToUserSql = (
  ctx: Ctx,
  userId: number,
) => sql`e.active and (e.user_id = ${userId} or e.id in (
    select a.event_id from calendar_attendee a
    join res_users u on u.workspace_id = ${ctx.workspace.id} and u.partner_id = a.partner_id
    where a.workspace_id = ${ctx.workspace.id} and u.id = ${userId} and a.state <> 'declined'))`;

/** Returns the first day of the feed. An exact time would change the feed on every request. */
const getFeedStart = (): string =>
  new Date(Date.now() - PAST_EVENT_DAYS * 86_400_000).toISOString().slice(0, 10);

async function computeEtag(ctx: Ctx, userId: number): Promise<string> {
  const workspace = sql.param(ctx.workspace.id);
  const state = await ctx.db.value<string>(
    sql`select concat_ws(' ', count(*), sum(e.id), max(e.write_date)::text, sum(e.revision),
       (select max(a.write_date)::text || count(*) from calendar_attendee a where a.workspace_id = ${workspace}
         and a.event_id = any(array_agg(e.id))),
       (select max(r.write_date)::text || sum(r.revision) from calendar_recurrence r
         where r.workspace_id = ${workspace} and r.id = any(array_agg(e.recurrence_id))))
     from calendar_event e where e.workspace_id = ${workspace} and e.stop > ${getFeedStart()}::timestamp
       and ${buildBelongsToUserSql(ctx, userId)}`,
  );
  return createHash('sha256').update(`${getFeedStart()} ${state}`).digest('base64url').slice(0, 32);
}

async function* generateFeed(ctx: Ctx, userId: number): AsyncGenerator<string> {
  yield renderCalendarHead(null);
  yield `NAME:${ctx.workspace.slug}\r\nX-WR-CALNAME:${ctx.workspace.slug}\r\n`;
  const zones = new Set<string>();
  for (let after = 0; ; ) {
    const units = await loadUnits(
      ctx,
      sql`e.id in (select e.id from calendar_event e where e.workspace_id = ${ctx.workspace.id} and e.id > ${after}
         and ${buildVisibleToSql(ctx, userId)} order by e.id limit ${sql.literal(EVENTS_PER_READ)})`,
    );
    const events = await leaveOutForeignOccurrences(ctx, userId, units);
    for (const tz of collectZoneNames(events)) {
      if (zones.has(tz)) continue;
      zones.add(tz);
      yield renderWholeZone(tz);
    }
    yield events.map((event) => renderEvent(event, false)).join('');
    if (units.length < EVENTS_PER_READ) break;
    after = units.at(-1)!.event_id;
  }
  yield 'END:VCALENDAR\r\n';
}

/** Leaves out occurrences that are archived, that the user declined or is not invited to, and old exceptions. */
async function leaveOutForeignOccurrences(
  ctx: Ctx,
  userId: number,
  units: readonly EventUnit[],
): Promise<IcsEvent[]> {
  const rows = await ctx.db.rows<{ id: number; starts: string[] }>(
    sql`select e.recurrence_id as id, array_agg(e.occurrence::timestamp(0)::text order by e.occurrence) as starts
     from calendar_event e where e.workspace_id = ${ctx.workspace.id}
       and e.recurrence_id = any(${units.flatMap(({ series_id }) => series_id ?? [])}::int[])
       and not ((e.follow_recurrence or e.stop > ${getFeedStart()}::timestamp)
         and ${buildBelongsToUserSql(ctx, userId)})
     group by e.recurrence_id`,
  );
  const starts = new Map(rows.map((row) => [row.id, row.starts]));
  return units.map(({ series_id, ics }) => ({
    ...ics,
    left_out: [...ics.left_out, ...(starts.get(series_id ?? 0) ?? [])],
  }));
}
