import { defineMailboxModel } from '../accounts/mailbox-access.ts';

defineMailboxModel(
  'svc.mail.folder',
  { type: 'MailFolder', one: 'mailFolder', many: 'mailFolders', relations: { entry_ids: 'messages' } },
  { order: 'sequence, name, id' },
);
