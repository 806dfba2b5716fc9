import { defineModel } from '../../../src/engine/model/registry.ts';
import { MAILBOX_GRAPH_NAMES, mailboxAccess } from './mailbox-access.ts';

defineModel('svc.mail.account', {
  group: 'mail',
  ...mailboxAccess(''),
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
  ...mailboxAccess('account_id.'),
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
  ...mailboxAccess('account_id.'),
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
