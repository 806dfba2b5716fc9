import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { syncAttendees } from './attendee-sync.ts';
import { invite } from './invite/invite.ts';
import { checkBegun, repeat } from './recurrence/repeat.ts';
import { scheduleReminders } from './reminder.ts';

/** What follows from new events: their attendees, the others of their recurrences, reminders and invitations. */
export async function beginEvents(ctx: Ctx, ids: number[], list: Values[]): Promise<void> {
  checkBegun(list.filter(({ recurrency }) => recurrency === true).length);
  await syncAttendees(ctx, ids);
  for (const [at, id] of ids.entries()) if (list[at]!.recurrency === true) await repeat(ctx, id, list[at]!);
  await scheduleReminders(ctx, ids);
  await invite(ctx, ids);
}
