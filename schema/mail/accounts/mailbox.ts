import { defineModel } from '../../../src/engine/model/registry.ts';
import { inMailbox, OF_MAILBOX } from './reach.ts';

defineModel('svc.mail.account', {
  group: 'mail',
  ...inMailbox(''),
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
  ...inMailbox('account_id.'),
  display: 'user_id',
  graph: {
    type: 'MailboxMember',
    one: 'mailboxMember',
    many: 'mailboxMembers',
    ...OF_MAILBOX,
    writes: false,
  },
});

defineModel('svc.mail.address', {
  group: 'mail',
  ...inMailbox('account_id.'),
  display: 'address',
  order: 'address',
  graph: {
    type: 'MailboxAddress',
    one: 'mailboxAddress',
    many: 'mailboxAddresses',
    ...OF_MAILBOX,
    writes: false,
  },
});
