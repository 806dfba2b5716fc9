import { sql } from '../../src/db/sql.ts';
import { assertModelAccess } from '../../src/engine/access/access.ts';
import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import type { Principal } from '../../src/engine/model/principal.ts';
import { defineModel } from '../../src/engine/model/registry.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { facadeResult, returnRecords } from '../../src/engine/operation/record-result.ts';
import { formatInstant } from '../../src/engine/value/instant.ts';
import { errors } from '../../src/errors.ts';
import type { ResponseState } from './invite/response-link.ts';

/** An attendee is visible if its event is. */
const buildVisibleDomain = ({ userId, partnerId }: Principal): unknown[] => [
  ...['|', '|', '|'],
  ['partner_id', '=', partnerId ?? 0],
  ['event_id.privacy', '!=', 'private'],
  ['event_id.user_id', '=', userId ?? 0],
  ['event_id.partner_ids', 'in', [partnerId ?? 0]],
];

defineModel('calendar.attendee', {
  group: 'data',
  display: 'common_name',
  order: 'event_id, id',
  // Attendees change only through their events.
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
  own: (principal) => principal.kind === 'user' && buildVisibleDomain(principal),
  setBy: { state: ['do_accept', 'do_tentative', 'do_decline'] },
  related: {
    common_name: { path: 'partner_id.name', label: 'Common name' },
    email: { path: 'partner_id.email', label: 'Email' },
    phone: { path: 'partner_id.phone', label: 'Phone' },
    recurrence_id: { path: 'event_id.recurrence_id', label: 'Recurrence Rule' },
  },
});

/** Responds on behalf of the attendees for whom the caller may respond. */
async function respond(ctx: Ctx, ids: number[], state: ResponseState): Promise<true> {
  assertModelAccess(ctx, getModel(ctx, 'calendar.attendee'), 'read');
  const { userId, partnerId } = ctx.principal!;
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select a.id from calendar_attendee a
     join calendar_event e on e.workspace_id = ${ctx.workspace.id} and e.id = a.event_id
     where a.workspace_id = ${ctx.workspace.id} and a.id = any(${ids})
       and (a.partner_id = ${partnerId} or e.user_id = ${userId})`,
  );
  const ownIds = new Set(rows.map(({ id }) => id));
  if (ids.some((id) => !ownIds.has(id)))
    throw errors.notAllowed(
      'You can respond only for yourself and for the attendees of events that you organize.',
    );
  await setAttendeeState(ctx, ids, state);
  return true;
}

export async function setAttendeeState(
  ctx: Ctx,
  ids: readonly number[],
  state: ResponseState,
): Promise<void> {
  await ctx.db.rows(
    sql`update calendar_attendee set state = ${state}, write_date = ${formatInstant(Date.now())}::timestamp
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}::int[]) and state <> ${state}`,
  );
}

const policy: Policy = { auth: ['USER'], scope: 'write' };
const OPERATION_DEFAULTS = { effects: ['writes'], onRecords: true, policy } as const;

export const calendarAttendeeAccept = defineOperation('calendarAttendeeAccept', {
  ...OPERATION_DEFAULTS,
  address: 'calendar.attendee/do_accept',
  description:
    'Accepts invitations on your own behalf, or on behalf of attendees of events that you organize.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecords('calendar.attendee', facadeResult.true),
  run: (ctx, { ids }) => respond(ctx, ids, 'accepted'),
});

export const calendarAttendeeTentative = defineOperation('calendarAttendeeTentative', {
  ...OPERATION_DEFAULTS,
  address: 'calendar.attendee/do_tentative',
  description:
    'Tentatively accepts invitations on your own behalf, or on behalf of attendees of events that you organize.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecords('calendar.attendee', facadeResult.true),
  run: (ctx, { ids }) => respond(ctx, ids, 'tentative'),
});

export const calendarAttendeeDecline = defineOperation('calendarAttendeeDecline', {
  ...OPERATION_DEFAULTS,
  address: 'calendar.attendee/do_decline',
  description:
    'Declines invitations on your own behalf, or on behalf of attendees of events that you organize.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecords('calendar.attendee', facadeResult.true),
  run: (ctx, { ids }) => respond(ctx, ids, 'declined'),
});
