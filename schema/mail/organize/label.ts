import { defineModel } from '../../../src/engine/model/registry.ts';
import { inMailbox, OF_MAILBOX } from '../accounts/reach.ts';

defineModel('svc.mail.label', {
  group: 'mail',
  ...inMailbox('account_id.'),
  order: 'name, id',
  graph: {
    type: 'MailLabel',
    one: 'mailLabel',
    many: 'mailLabels',
    ...OF_MAILBOX,
    writes: false,
  },
});
