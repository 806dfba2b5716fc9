import { defineMailboxModel } from '../accounts/mailbox-access.ts';

defineMailboxModel(
  'svc.mail.block',
  { type: 'BlockedSender', one: 'blockedSender', many: 'blockedSenders' },
  { display: 'email', order: 'email' },
);
