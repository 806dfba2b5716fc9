import { defineModel } from '../../../src/engine/model/registry.ts';
import { buildMailboxAccess, MAILBOX_GRAPH_NAMES } from '../accounts/mailbox-access.ts';

defineModel('svc.mail.label', {
  group: 'mail',
  ...buildMailboxAccess('account_id.'),
  order: 'name, id',
  graph: {
    type: 'MailLabel',
    one: 'mailLabel',
    many: 'mailLabels',
    ...MAILBOX_GRAPH_NAMES,
    writes: false,
  },
});
