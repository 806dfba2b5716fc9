import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineMailboxModel, PERSONAL_ACCESS } from '../accounts/mailbox-access.ts';

/** Drafts and messages share a counter, so that no id identifies both. */
export const allocateDraftId = (ctx: Ctx): Promise<number> => allocateId(ctx, 'svc_mail_entry');

defineMailboxModel(
  'svc.mail.draft',
  { type: 'MailDraft', one: 'mailDraft', many: 'mailDrafts' },
  { ...PERSONAL_ACCESS, display: 'subject', order: 'write_date desc, id desc' },
);

defineModel('svc.mail.outgoing', {
  group: 'mail',
  ...PERSONAL_ACCESS,
  display: 'subject',
  order: 'send_at, id',
  graph: {
    type: 'OutgoingMessage',
    one: 'outgoingMessage',
    many: 'outgoingMessages',
    names: { account_id: 'mailbox' },
    writes: false,
  },
});

defineMailboxModel(
  'svc.mail.staged',
  { type: 'StagedAttachment', one: 'stagedAttachment', many: 'stagedAttachments' },
  PERSONAL_ACCESS,
);
