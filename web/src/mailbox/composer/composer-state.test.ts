import { expect, it } from 'vitest';
import { createComposerValues, reduceComposer } from './composer-state.ts';

const MESSAGE = {
  draft: null,
  mailbox: '7',
  to: ['ann@example.com'],
  cc: [],
  bcc: [],
  subject: 'Hello',
  content: '',
  quote: '<p>Quote</p>',
  mode: 'reply',
  inReplyTo: '1',
  files: [],
  filesToFetch: [],
};

const values = createComposerValues(MESSAGE);
const wrongRecipient = { field: 'to', message: 'No such recipient.' } as const;
const wrongCopy = { field: 'cc', message: 'Not an address.' } as const;
const wrong = { ...values, error: wrongRecipient };

it('shows the Cc and Bcc fields if the message has Cc or Bcc recipients', () => {
  expect(values.hasCopies).toBe(false);
  expect(createComposerValues({ ...MESSAGE, bcc: ['bob@example.com'] }).hasCopies).toBe(true);
});

it.each([
  [
    'an edit of the head removes the error',
    wrong,
    { kind: 'edit-head', changes: { subject: 'Hi' } },
    {
      head: { ...values.head, subject: 'Hi' },
      error: null,
    },
  ],
  ['an edit of the quote moves it into the text', values, { kind: 'edit-quote' }, { quote: '' }],
  ['copies stay visible', values, { kind: 'show-copies' }, { hasCopies: true }],
  ['the signature can be omitted', values, { kind: 'sign', isOn: false }, { isSigned: false }],
  ['a save retains the error', wrong, { kind: 'save', state: 'saved' }, { saving: 'saved' }],
  [
    'a rejected save reports its reason',
    values,
    { kind: 'save', state: 'refused', message: 'Too large.' },
    {
      saving: 'refused',
      error: { field: 'form', message: 'Too large.' },
    },
  ],
  ['sending retains the error until its end', wrong, { kind: 'send' }, { isSending: true }],
  [
    'a successful end retains the error of the draft',
    { ...wrong, isSending: true },
    { kind: 'end-send' },
    {
      isSending: false,
    },
  ],
  [
    'a rejected message reports its field',
    { ...values, isSending: true },
    { kind: 'end-send', error: wrongRecipient },
    {
      isSending: false,
      error: wrongRecipient,
    },
  ],
  [
    'a rejected copy shows its field',
    { ...values, isSending: true },
    { kind: 'end-send', error: wrongCopy },
    {
      isSending: false,
      error: wrongCopy,
      hasCopies: true,
    },
  ],
] as const)('%s', (_, before, event, changes) => {
  expect(reduceComposer(before, event)).toEqual({ ...before, ...changes });
});

it('requires a recipient before sending', () => {
  const next = reduceComposer({ ...values, head: { ...values.head, to: [] } }, { kind: 'send' });
  expect(next).toMatchObject({ isSending: false, error: { field: 'to' } });
});

it.each(['to', 'cc', 'bcc'] as const)('rejects an address without a domain in %s before sending', (field) => {
  const head = { ...values.head, [field]: ['ann@example.com', 'bob'] };
  expect(reduceComposer({ ...values, head }, { kind: 'send' })).toMatchObject({
    isSending: false,
    error: { field, message: expect.stringContaining('bob') },
    hasCopies: field !== 'to',
  });
});
