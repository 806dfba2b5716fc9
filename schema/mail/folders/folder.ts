import { defineModel } from '../../../src/engine/model/registry.ts';
import { inMailbox, OF_MAILBOX } from '../accounts/reach.ts';

defineModel('svc.mail.folder', {
  group: 'mail',
  ...inMailbox('account_id.'),
  order: 'sequence, name, id',
  graph: {
    type: 'MailFolder',
    one: 'mailFolder',
    many: 'mailFolders',
    names: OF_MAILBOX.names,
    relations: { ...OF_MAILBOX.relations, entry_ids: 'messages' },
    writes: false,
  },
});
