import { addRecords, type Ctx } from '../kit/surface.ts';

export async function addCalendarInitialData(ctx: Ctx): Promise<void> {
  await addRecords(ctx, 'calendar', 'calendar.alarm', {
    alarm_notif_1: {
      name: 'Notification - 15 Minutes',
      alarm_type: 'notification',
      duration: 15,
      interval: 'minutes',
    },
    alarm_notif_2: {
      name: 'Notification - 1 Hours',
      alarm_type: 'notification',
      duration: 1,
      interval: 'hours',
    },
    alarm_mail_1: { name: 'Email - 3 Hours', alarm_type: 'email', duration: 3, interval: 'hours' },
    alarm_mail_2: { name: 'Email - 1 Days', alarm_type: 'email', duration: 1, interval: 'days' },
  });
  await addRecords(ctx, 'calendar', 'calendar.event.type', {
    categ_meet1: { name: 'Customer Meeting', color: 1 },
    categ_meet2: { name: 'Internal Meeting', color: 2 },
    categ_meet3: { name: 'Off-site Meeting', color: 3 },
    categ_meet4: { name: 'Open Discussion', color: 4 },
    categ_meet5: { name: 'Feedback Meeting', color: 5 },
  });
  await addRecords(ctx, 'calendar', 'ir.actions.act_window', {
    action_calendar_event: { name: 'Meetings', res_model: 'calendar.event', view_mode: 'calendar,list,form' },
  });
}
