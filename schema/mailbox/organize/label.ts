import { defineModel } from '../../../src/engine/model/registry.ts';
import { MAILBOX_GRAPH_NAMES, mailboxAccess } from '../accounts/mailbox-access.ts';

defineModel('svc.mail.label', {
  group: 'mail',
  ...mailboxAccess('account_id.'),
  order: 'name, id',
  graph: {
    type: 'MailLabel',
    one: 'mailLabel',
    many: 'mailLabels',
    ...MAILBOX_GRAPH_NAMES,
    writes: false,
  },
});
