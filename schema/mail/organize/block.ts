import { defineModel } from '../../../src/engine/model/registry.ts';
import { inMailbox, OF_MAILBOX } from '../accounts/reach.ts';

defineModel('svc.mail.block', {
  group: 'mail',
  ...inMailbox('account_id.'),
  display: 'email',
  order: 'email',
  graph: {
    type: 'BlockedSender',
    one: 'blockedSender',
    many: 'blockedSenders',
    ...OF_MAILBOX,
    writes: false,
  },
});
