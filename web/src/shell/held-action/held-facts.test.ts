import { expect, it } from 'vitest';
import { readHeldFacts } from './held-facts.ts';
import type { PreviewPart } from './preview-tree.ts';

/** Flattens a preview as the server does. */
const toParts = (preview: object, level = 0): PreviewPart[] =>
  Object.entries(preview).flatMap(([key, value]) => {
    const part = { level, name: Array.isArray(preview) ? '' : key, label: null, change: null, value: null };
    if (value === null || typeof value !== 'object')
      return [{ ...part, value: value === null ? '' : String(value), values: [] }];
    if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
      return [{ ...part, values: value.map(String) }];
    return [{ ...part, values: [] }, ...toParts(value, level + 1)];
  });

const leaf = (name: string, value: string) => ({
  name,
  label: null,
  change: null,
  value,
  values: [],
  children: [],
});

const buildMail = (start: string, isTruncated: boolean, args: object) =>
  toParts({
    preview: {
      from: 'Boss <boss@example.com>',
      to: ['ann@example.org'],
      cc: [],
      bcc: ['eve@example.org'],
      recipient_count: 2,
      subject: 'Offer',
      in_reply_to: null,
      attachments: [],
      format: 'text',
      text_starts: start,
      text_chars: 900,
      text_truncated: isTruncated,
      new_recipients: ['eve@example.org'],
    },
    arguments: { account_id: 3, to: 'ann@example.org', bcc: 'eve@example.org', subject: 'Offer', ...args },
  });

it('reads a message with its signature, and leaves out its arguments', () => {
  const text = 'Hi\nAnn\n-- \nBoss';
  const { message, others } = readHeldFacts(
    'mail_send',
    buildMail(text, false, { body: 'Hi\nAnn', draft_id: 9 }),
  );
  expect(message).toEqual({
    from: 'Boss <boss@example.com>',
    to: ['ann@example.org'],
    cc: [],
    bcc: ['eve@example.org'],
    subject: 'Offer',
    text,
    html: '',
    attachments: [],
    newRecipients: ['eve@example.org'],
    problem: '',
  });
  expect(others).toEqual([leaf('draft_id', '9')]);
});

it('reads a long text in full, and the source of an HTML message', () => {
  expect(readHeldFacts('mail_send', buildMail('Long', true, { body: 'Long text' })).message?.text).toBe(
    'Long text',
  );
  const { message } = readHeldFacts('mail_send', buildMail('Long', true, { body_html: '<p>Long text</p>' }));
  expect(message).toMatchObject({ text: 'Long…', html: '<p>Long text</p>' });
});

it('shows every argument of a message without a preview', () => {
  const facts = readHeldFacts('mail_send', toParts({ arguments: { to: 'ann@example.org', body: 'Hi' } }));
  expect(facts.message).toBeNull();
  expect(facts.others.map(({ name }) => name)).toEqual(['to', 'body']);
});

it('reads the names of records to delete, and ids beyond the named records', () => {
  const readDeletion = (ids: number[]) =>
    readHeldFacts(
      'delete',
      toParts({
        would_delete: [
          { id: 7, name: 'Ann' },
          { id: 9, name: '' },
        ],
        arguments: { model: 'res.partner', ids },
      }),
    );
  expect(readDeletion([7, 9])).toMatchObject({ model: 'res.partner', records: ['Ann', '9'], others: [] });
  expect(readDeletion([7, 9, 11]).others).toMatchObject([{ name: 'ids', values: ['7', '9', '11'] }]);
});

it('reads the changed fields of an update', () => {
  const parts = toParts({
    would_update: [{ id: 7, name: 'Ann' }],
    arguments: { model: 'res.partner', ids: [7], values: { comment: 'New' } },
  });
  expect(readHeldFacts('update', parts)).toMatchObject({
    records: ['Ann'],
    values: [leaf('comment', 'New')],
    others: [],
  });
});

it('shows a value of the preview and the same argument once', () => {
  const { others } = readHeldFacts(
    'mail_autoreply_set',
    toParts({ preview: { subject: 'Away' }, arguments: { subject: 'Away', days: 3 } }),
  );
  expect(others.map(({ name }) => name)).toEqual(['subject', 'days']);
});

it('shows the arguments of a method call once', () => {
  const call = { model: 'res.partner', method: 'message_post', ids: [7] };
  const { others } = readHeldFacts('call', toParts({ call, arguments: call }));
  expect(others.map(({ name }) => name)).toEqual(['model', 'method', 'ids']);
});
