import { defineModel } from '../../../src/engine/model/registry.ts';
import { buildMailboxAccess, MAILBOX_GRAPH_NAMES } from '../accounts/mailbox-access.ts';

defineModel('svc.mail.folder', {
  group: 'mail',
  ...buildMailboxAccess('account_id.'),
  order: 'sequence, name, id',
  graph: {
    type: 'MailFolder',
    one: 'mailFolder',
    many: 'mailFolders',
    names: MAILBOX_GRAPH_NAMES.names,
    relations: { ...MAILBOX_GRAPH_NAMES.relations, entry_ids: 'messages' },
    writes: false,
  },
});
