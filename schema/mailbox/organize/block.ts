import { defineModel } from '../../../src/engine/model/registry.ts';
import { buildMailboxAccess, MAILBOX_GRAPH_NAMES } from '../accounts/mailbox-access.ts';

defineModel('svc.mail.block', {
  group: 'mail',
  ...buildMailboxAccess('account_id.'),
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
