import { createHash } from 'node:crypto';
import { type Ctx, sql } from '../../kit/surface.ts';
import type { RemovedAttendee } from '../attendee-sync.ts';
import { type EventUnit, loadUnits } from '../ics/load-events.ts';
import { cancelForRemoved } from './cancel.ts';
import { mailUnit } from './mail-unit.ts';

interface InviteOptions {
  series: number[];
  removedAttendees: RemovedAttendee[];
}

/**
 * Sends an invitation to new attendees and an update to all attendees if the unit changed. Sends nothing for past
 * events.
 */
export async function inviteAttendees(
  ctx: Ctx,
  events: number[],
  { series, removedAttendees }: InviteOptions = { series: [], removedAttendees: [] },
): Promise<void> {
  const units = await loadUnits(
    ctx,
    sql`(e.id = any(${events}) or e.id in (
       select r.base_event_id from calendar_recurrence r where r.workspace_id = ${ctx.workspace.id}
         and (r.id = any(${series}) or r.id in (
           select m.recurrence_id from calendar_event m where m.workspace_id = ${ctx.workspace.id}
             and m.id = any(${events})))))
     and (e.recurrence_id is null or not e.follow_recurrence or exists (
       select 1 from calendar_recurrence r where r.workspace_id = ${ctx.workspace.id} and r.base_event_id = e.id))`,
  );
  for (const unit of units) {
    await cancelForRemoved(ctx, unit, removedAttendees);
    await updateAttendees(ctx, unit);
  }
}

/** Computes a digest of the content that attendees see. Updates are mailed only if the digest changes. */
function computeDigest({ ics, active }: EventUnit): string {
  const { revision: _revision, changed: _changed, attendees: _attendees, left_out: _left, ...seen } = ics;
  return createHash('sha256')
    .update(JSON.stringify([seen, active]))
    .digest('base64url');
}

async function updateAttendees(ctx: Ctx, unit: EventUnit): Promise<void> {
  if (unit.isPast || !unit.ics.organizer) return;
  const otherAttendees = unit.attendees.filter(({ isOrganizer }) => !isOrganizer);
  const digest = computeDigest(unit);
  // The first individual change of an occurrence also counts as an update, because attendees received the occurrence as
  // part of the recurrence.
  const isChanged = unit.invited_as !== digest && otherAttendees.some(({ invited }) => invited);
  const isCanceled = !unit.active;
  const invitees =
    isCanceled || isChanged
      ? otherAttendees.filter((other) => other.invited || !isCanceled)
      : otherAttendees.filter((other) => !other.invited);
  if (invitees.length === 0) return;
  if (isCanceled) {
    if (!(await mailUnit(ctx, unit, invitees, 'CANCEL'))) return;
    await recordInvitation(ctx, unit, {
      digest: null,
      revision: unit.ics.revision + 1,
      attendeeIds: invitees.map(({ id }) => id),
      invited: false,
    });
    return;
  }
  const revision = unit.ics.revision + (isChanged ? 1 : 0);
  const isSent = await mailUnit(
    ctx,
    { ...unit, ics: { ...unit.ics, revision } },
    invitees,
    isChanged ? 'UPDATE' : 'REQUEST',
  );
  if (isSent)
    await recordInvitation(ctx, unit, {
      digest,
      revision,
      attendeeIds: invitees.map(({ id }) => id),
      invited: true,
    });
}

interface InvitationRecord {
  digest: string | null;
  revision: number;
  /** Attendees of the event, or of the recurrence's base event. */
  attendeeIds: number[];
  invited: boolean;
}

/**
 * Records the state of an invitation. For a recurrence, also updates the attendees of all events that follow its rule.
 */
async function recordInvitation(
  ctx: Ctx,
  { event_id, series_id }: EventUnit,
  { digest, revision, attendeeIds, invited }: InvitationRecord,
): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const [table, id] = series_id === null ? ['calendar_event', event_id] : ['calendar_recurrence', series_id];
  await ctx.db.rows(
    sql`update ${sql.id(String(table))} set invited_as = ${digest}, revision = ${revision}
     where workspace_id = ${workspace} and id = ${id}`,
  );
  await ctx.db.rows(
    sql`update calendar_attendee a set invited = ${invited}
     where a.workspace_id = ${workspace} and (a.id = any(${attendeeIds}) or (
       a.partner_id in (select b.partner_id from calendar_attendee b
         where b.workspace_id = ${workspace} and b.id = any(${attendeeIds}))
       and a.event_id in (select e.id from calendar_event e
         where e.workspace_id = ${workspace} and e.recurrence_id = ${series_id} and e.follow_recurrence)))`,
  );
}
