import { defineModel } from '../../../src/engine/model/registry.ts';
import { buildMailboxAccess, MAILBOX_GRAPH_NAMES } from './mailbox-access.ts';

defineModel('svc.mail.account', {
  group: 'mail',
  ...buildMailboxAccess(''),
  searchNames: ['name', 'address'],
  order: 'kind, name, id',
  graph: {
    type: 'Mailbox',
    one: 'mailbox',
    many: 'mailboxes',
    writes: false,
  },
});

defineModel('svc.mail.member', {
  group: 'mail',
  ...buildMailboxAccess('account_id.'),
  display: 'user_id',
  graph: {
    type: 'MailboxMember',
    one: 'mailboxMember',
    many: 'mailboxMembers',
    ...MAILBOX_GRAPH_NAMES,
    writes: false,
  },
});

defineModel('svc.mail.address', {
  group: 'mail',
  ...buildMailboxAccess('account_id.'),
  display: 'address',
  order: 'address',
  graph: {
    type: 'MailboxAddress',
    one: 'mailboxAddress',
    many: 'mailboxAddresses',
    ...MAILBOX_GRAPH_NAMES,
    writes: false,
  },
});
