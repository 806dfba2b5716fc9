import { defineModel } from '../../../src/engine/model/registry.ts';
import { buildMailboxAccess, defineMailboxModel } from './mailbox-access.ts';

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

defineMailboxModel(
  'svc.mail.member',
  { type: 'MailboxMember', one: 'mailboxMember', many: 'mailboxMembers' },
  { display: 'user_id' },
);

defineMailboxModel(
  'svc.mail.address',
  { type: 'MailboxAddress', one: 'mailboxAddress', many: 'mailboxAddresses' },
  { display: 'address', order: 'address' },
);
