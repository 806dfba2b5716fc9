import { defineModel } from '../../../src/engine/model/registry.ts';
import { limits } from '../../../src/limits.ts';
import { buildMailboxAccess, defineMailboxModel } from '../accounts/mailbox-access.ts';

defineModel('svc.mail.message', {
  group: 'mail',
  ...buildMailboxAccess('entry_ids.account_id.'),
  display: 'subject',
  graph: {
    type: 'MailContent',
    one: 'mailContent',
    many: 'mailContents',
    costs: { text: limits.mail.textCost },
    writes: false,
  },
});

defineMailboxModel(
  'svc.mail.entry',
  {
    type: 'MailMessage',
    one: 'mailMessage',
    many: 'mailMessages',
    names: { internet_id: 'messageId', snippet: 'preview' },
    ids: ['thread_id'],
    costs: { text: limits.mail.textCost },
  },
  {
    display: 'subject',
    searchNames: ['subject', 'email_from'],
    order: 'date desc, id desc',
    related: {
      subject: { path: 'content_id.subject', label: 'Subject' },
      from_name: { path: 'content_id.from_name', label: 'Name of the sender' },
      email_from: { path: 'content_id.email_from', label: 'Address of the sender' },
      snippet: { path: 'content_id.snippet', label: 'Snippet' },
      text: { path: 'content_id.text', label: 'Text' },
      size: { path: 'content_id.size', label: 'Size' },
      date_header: { path: 'content_id.date_header', label: 'Date header' },
      internet_id: { path: 'content_id.message_id', label: 'Message-ID of the header' },
      in_reply_to: { path: 'content_id.in_reply_to', label: 'In-Reply-To' },
      list_id: { path: 'content_id.list_id', label: 'Mailing list' },
      attachment_count: { path: 'content_id.attachment_count', label: 'Attachments' },
      is_automatic: { path: 'content_id.is_automatic', label: 'Automatic' },
      state: { path: 'content_id.state', label: 'State' },
    },
  },
);
