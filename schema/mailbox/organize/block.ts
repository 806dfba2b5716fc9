import { defineModel } from '../../../src/engine/model/registry.ts';
import { MAILBOX_GRAPH_NAMES, mailboxAccess } from '../accounts/mailbox-access.ts';

defineModel('svc.mail.block', {
  group: 'mail',
  ...mailboxAccess('account_id.'),
  display: 'email',
  order: 'email',
  graph: {
    type: 'BlockedSender',
    one: 'blockedSender',
    many: 'blockedSenders',
    ...MAILBOX_GRAPH_NAMES,
    writes: false,
  },
});
