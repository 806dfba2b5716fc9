import { expect, it } from 'vitest';
import { readHeldFacts } from './held-facts.ts';

const buildMail = (start: string, isTruncated: boolean, args: string) => `preview:
  from: Boss <boss@example.com>
  to:
    - ann@example.org
  cc:
  bcc:
    - eve@example.org
  recipient_count: 2
  subject: Offer
  in_reply_to:
  attachments:
  format: text
  text_starts: ${start}
  text_chars: 900
  text_truncated: ${isTruncated}
  new_recipients:
    - eve@example.org
arguments:
  account_id: 3
  to: ann@example.org
  bcc: eve@example.org
  subject: Offer
${args}`;

it('reads a message with its signature, and leaves out its arguments', () => {
  const { message, others } = readHeldFacts(
    'mail_send',
    buildMail('Hi\n      Ann\n      -- \n      Boss', false, '  body: Hi\n      Ann\n  draft_id: 9'),
  );
  expect(message).toEqual({
    from: 'Boss <boss@example.com>',
    to: ['ann@example.org'],
    cc: [],
    bcc: ['eve@example.org'],
    subject: 'Offer',
    text: 'Hi\nAnn\n-- \nBoss',
    html: '',
    attachments: [],
    newRecipients: ['eve@example.org'],
    problem: '',
  });
  expect(others).toEqual([{ name: 'draft_id', text: '9', children: [] }]);
});

it('reads a long text in full, and the source of an HTML message', () => {
  expect(readHeldFacts('mail_send', buildMail('Long', true, '  body: Long text')).message?.text).toBe(
    'Long text',
  );
  const { message } = readHeldFacts('mail_send', buildMail('Long', true, '  body_html: <p>Long text</p>'));
  expect(message).toMatchObject({ text: 'Long…', html: '<p>Long text</p>' });
});

it('shows every argument of a message without a preview', () => {
  const facts = readHeldFacts('mail_send', 'arguments:\n  to: ann@example.org\n  body: Hi');
  expect(facts.message).toBeNull();
  expect(facts.others.map(({ name }) => name)).toEqual(['to', 'body']);
});

it('reads the names of records to delete, and ids beyond the named records', () => {
  const list = 'would_delete:\n  -\n    id: 7\n    name: Ann\n  -\n    id: 9\n    name: \n';
  const facts = readHeldFacts('delete', `${list}arguments:\n  model: res.partner\n  ids:\n    7, 9`);
  expect(facts).toMatchObject({ model: 'res.partner', records: ['Ann', '9'], others: [] });
  const more = readHeldFacts('delete', `${list}arguments:\n  model: res.partner\n  ids:\n    7, 9, 11`);
  expect(more.others).toEqual([
    { name: 'ids', text: '', children: [{ name: '', text: '7, 9, 11', children: [] }] },
  ]);
});

it('reads the changed fields of an update', () => {
  const preview =
    'would_update:\n  -\n    id: 7\n    name: Ann\n' +
    'arguments:\n  model: res.partner\n  ids:\n    7\n  values:\n    comment: New';
  expect(readHeldFacts('update', preview)).toMatchObject({
    records: ['Ann'],
    values: [{ name: 'comment', text: 'New', children: [] }],
    others: [],
  });
});

it('shows a value of the preview and the same argument once', () => {
  const { others } = readHeldFacts(
    'mail_autoreply_set',
    'preview:\n  subject: Away\narguments:\n  subject: Away\n  days: 3',
  );
  expect(others.map(({ name }) => name)).toEqual(['subject', 'days']);
});

it('shows the arguments of a method call once', () => {
  const call = '  model: res.partner\n  method: message_post\n  ids:\n    7';
  const { others } = readHeldFacts('call', `call:\n${call}\narguments:\n${call}`);
  expect(others.map(({ name }) => name)).toEqual(['model', 'method', 'ids']);
});
