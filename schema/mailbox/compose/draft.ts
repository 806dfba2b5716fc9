import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { buildMailboxAccess, MAILBOX_GRAPH_NAMES } from '../accounts/mailbox-access.ts';

/** Drafts and messages share a counter, so that no id identifies both. */
export const allocateDraftId = (ctx: Ctx): Promise<number> => allocateId(ctx, 'svc_mail_entry');

/** Makes records visible only to their author, even in a shared mailbox. */
const buildPersonalAccess = (field: string) => ({
  ...buildMailboxAccess('account_id.'),
  own: (principal: Parameters<ReturnType<typeof buildMailboxAccess>['own']>[0]): unknown[] | false => {
    const reach = buildMailboxAccess('account_id.').own(principal);
    return reach && ['&', [field, '=', principal.userId], ...reach];
  },
});

defineModel('svc.mail.draft', {
  group: 'mail',
  ...buildPersonalAccess('user_id'),
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
  ...buildPersonalAccess('user_id'),
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
  ...buildPersonalAccess('user_id'),
  graph: {
    type: 'StagedAttachment',
    one: 'stagedAttachment',
    many: 'stagedAttachments',
    ...MAILBOX_GRAPH_NAMES,
    writes: false,
  },
});
