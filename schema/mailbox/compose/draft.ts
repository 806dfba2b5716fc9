import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { MAILBOX_GRAPH_NAMES, PERSONAL_ACCESS } from '../accounts/mailbox-access.ts';

/** Drafts and messages share a counter, so that no id identifies both. */
export const allocateDraftId = (ctx: Ctx): Promise<number> => allocateId(ctx, 'svc_mail_entry');

defineModel('svc.mail.draft', {
  group: 'mail',
  ...PERSONAL_ACCESS,
  display: 'subject',
  order: 'write_date desc, id desc',
  graph: {
    type: 'MailDraft',
    one: 'mailDraft',
    many: 'mailDrafts',
    ...MAILBOX_GRAPH_NAMES,
    writes: false,
  },
});

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

defineModel('svc.mail.staged', {
  group: 'mail',
  ...PERSONAL_ACCESS,
  graph: {
    type: 'StagedAttachment',
    one: 'stagedAttachment',
    many: 'stagedAttachments',
    ...MAILBOX_GRAPH_NAMES,
    writes: false,
  },
});
