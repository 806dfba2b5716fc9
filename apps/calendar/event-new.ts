import type { Ctx, Values } from '../kit/surface.ts';
import { syncAttendees } from './attendee-sync.ts';
import { inviteAttendees } from './invite/invite.ts';
import { checkRecurrenceCount, startRecurrence } from './recurrence/start-recurrence.ts';
import { scheduleReminders } from './reminder.ts';

export async function initializeEvents(ctx: Ctx, ids: number[], list: Values[]): Promise<void> {
  checkRecurrenceCount(list.filter(({ recurrency }) => recurrency === true).length);
  await syncAttendees(ctx, ids);
  for (const [index, id] of ids.entries())
    if (list[index]!.recurrency === true) await startRecurrence(ctx, id, list[index]!);
  await scheduleReminders(ctx, ids);
  await inviteAttendees(ctx, ids);
}
