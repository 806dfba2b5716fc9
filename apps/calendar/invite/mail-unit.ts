import { assertMaySend } from '../../../src/engine/ctx/assert-may-send.ts';
import { createWorkspacePrincipal } from '../../../src/engine/model/principal.ts';
import { call } from '../../../src/engine/operation/call.ts';
import { limits } from '../../../src/limits.ts';
import { AppError, type Ctx } from '../../kit/surface.ts';
import { renderCalendar } from '../ics/event-lines.ts';
import type { Attendee, EventUnit } from '../ics/load-events.ts';
import { belongsToOtherUser, canActFor } from '../organizer.ts';
import { buildInvitationMail, type Occasion } from './invitation-mail.ts';

/**
 * Mails a unit to attendees as ordinary outgoing mail, in the transaction of the change.
 * @returns false if it was not sent because the organizer's domain may not send, the caller may not act for the
 * organizer, or the organizer's address belongs to another user
 * @throws FORBIDDEN if the caller is an agent that may not send
 */
export async function mailUnit(
  ctx: Ctx,
  unit: EventUnit,
  attendees: readonly Attendee[],
  occasion: Occasion,
): Promise<boolean> {
  const { organizer } = unit.ics;
  if (!organizer || attendees.length === 0 || !canActFor(ctx, unit.organizer_id!)) return false;
  if (await belongsToOtherUser(ctx, organizer.email, unit.organizer_id!)) return false;
  assertMaySend(ctx);
  const method = occasion === 'CANCEL' ? 'CANCEL' : 'REQUEST';
  const ics = occasion === 'REMINDER' ? null : renderCalendar([unit.ics], method, method === 'CANCEL');
  const inputs = attendees.map((attendee) => ({
    from: formatAddress(organizer),
    to: [formatAddress(attendee)],
    ...buildInvitationMail(ctx, unit, attendee, occasion),
    ...(ics && { attachments: buildFiles(ics, method) }),
  }));
  // Invitations use the workspace's permission to send, because users may not have that permission for their own mail.
  const sender = ctx.with({ principal: createWorkspacePrincipal(ctx.workspace.slug, ctx.workspace.name) });
  try {
    for (let from = 0; from < inputs.length; from += limits.email.batch)
      await call(sender, 'emailsSend', { inputs: inputs.slice(from, from + limits.email.batch) });
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    ctx.log.info({ event: unit.event_id, reason: error.message }, 'could not send an invitation');
    return false;
  }
}

/** Omits a name that is not safe in an address header. */
const formatAddress = ({ name, email }: { name: string; email: string }): string =>
  /^[^\x00-\x1f\x7f"\\<>]{1,200}$/.test(name) ? `"${name}" <${email}>` : email;

/** Mail programs look for the invitation in the multipart/alternative body (RFC 6047) or among the attachments. */
function buildFiles(ics: string, method: string) {
  const content = Buffer.from(ics).toString('base64');
  return [
    {
      filename: 'invite.ics',
      content,
      contentType: `text/calendar; charset=utf-8; method=${method}`,
      alternative: true,
    },
    { filename: 'invite.ics', content, contentType: 'application/ics' },
  ];
}
