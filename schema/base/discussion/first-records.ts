import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { addRecords } from '../../../src/engine/write/first-records.ts';

export async function addDiscussionTypes(ctx: Ctx): Promise<void> {
  await addRecords(ctx, 'mail', 'mail.message.subtype', {
    mt_comment: { name: 'Discussions', sequence: 0 },
    mt_note: { name: 'Note', default: false, internal: true, sequence: 100 },
    mt_activities: { name: 'Activities', default: false, internal: true, sequence: 90 },
  });
  await addRecords(ctx, 'mail', 'mail.activity.type', {
    mail_activity_data_email: { name: 'Email', icon: 'fa-envelope', sequence: 3 },
    mail_activity_data_call: {
      name: 'Call',
      icon: 'fa-phone',
      delay_count: 2,
      category: 'phonecall',
      sequence: 6,
    },
    mail_activity_data_meeting: { name: 'Meeting', icon: 'fa-users', sequence: 9 },
    mail_activity_data_todo: { name: 'To-Do', icon: 'fa-check', delay_count: 5, sequence: 12 },
    mail_activity_data_upload_document: {
      name: 'Document',
      icon: 'fa-upload',
      delay_count: 5,
      category: 'upload_file',
      sequence: 25,
    },
  });
}
