import { defineModel } from '../../../src/engine/model/registry.ts';
import { inMailbox, OF_MAILBOX } from '../accounts/reach.ts';

/** One person's alone, also in a mailbox that several share. */
const mine = (field: string) => ({
  ...inMailbox('account_id.'),
  own: (principal: Parameters<ReturnType<typeof inMailbox>['own']>[0]): unknown[] | false => {
    const reach = inMailbox('account_id.').own(principal);
    return reach && ['&', [field, '=', principal.userId], ...reach];
  },
});

defineModel('svc.mail.draft', {
  group: 'mail',
  ...mine('user_id'),
  display: 'subject',
  order: 'write_date desc, id desc',
  graph: {
    type: 'MailDraft',
    one: 'mailDraft',
    many: 'mailDrafts',
    ...OF_MAILBOX,
    writes: false,
  },
});

defineModel('svc.mail.outgoing', {
  group: 'mail',
  ...mine('user_id'),
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
  ...mine('user_id'),
  graph: {
    type: 'StagedAttachment',
    one: 'stagedAttachment',
    many: 'stagedAttachments',
    ...OF_MAILBOX,
    writes: false,
  },
});
