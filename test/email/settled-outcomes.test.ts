import { expect, test } from 'vitest';
import type { ClaimedEmail } from '../../schema/email/queue/claim.ts';
import { removeSuppressedRecipients } from '../../schema/email/queue/drop-suppressed.ts';
import { type NotSentOutcome, toEmailOutcome } from '../../schema/email/queue/record-outcome.ts';
import type { SendOutcome, SendPart, SendResult } from '../../src/email/transport.ts';

const email = { workspace_id: 1, id: 2, attempts: 1, reason: null, pending: [] as string[], partly: false };
const rest = { ...email, pending: ['late@b.test'], partly: true };
const sentResult: SendResult = { kind: 'sent', providerId: 'p1' };
const no: SendResult = { kind: 'refused', code: 'SMTP_550', reason: 'gone' };
const later: SendResult = { kind: 'throttled', scope: 'rate', retryAfterMs: 60_000, reason: 'grey' };
const lostResult: SendResult = { kind: 'unknown', reason: 'reset' };
const nobody: NotSentOutcome = { kind: 'suppressed' };
const unwantedOutcome: NotSentOutcome = { kind: 'cancelled', reason: 'left' };
const buildPartialOutcome = (...outcomes: SendResult[]): SendOutcome => ({
  kind: 'partial',
  parts: outcomes.map((outcome, i): SendPart => ({ recipients: [`r${i}@b.test`], outcome })),
});

test.each([
  ['sent', email, sentResult, { state: 'sent', status: 'SENT', provider_id: 'p1', pending: [] }],
  ['refused', email, no, { state: 'failed', status: 'FAILED', reason: 'gone', provider_id: null }],
  ['deferred', email, later, { state: 'queued', status: null, reason: 'grey', wait: 60 }],
  ['lost', email, lostResult, { state: 'unknown', status: 'DELIVERY_DELAYED', data: { reason: 'reset' } }],
  [
    'sent for the remaining recipients',
    rest,
    sentResult,
    { state: 'sent', pending: [], data: { recipients: ['late@b.test'] } },
  ],
  [
    'rejected for the remaining recipients',
    rest,
    no,
    { state: 'sent', status: 'FAILED', reason: 'Not sent to late@b.test: gone' },
  ],
  ['deferred for the remaining recipients', rest, later, { state: 'queued', pending: ['late@b.test'] }],
  ['lost for the remaining recipients', rest, lostResult, { state: 'sent', status: 'DELIVERY_DELAYED' }],
  [
    'sent and deferred',
    email,
    buildPartialOutcome(sentResult, later),
    { state: 'queued', pending: ['r1@b.test'], status: 'SENT', provider_id: 'p1', wait: 60 },
  ],
  [
    'rejected and deferred',
    email,
    buildPartialOutcome(no, later),
    { state: 'queued', pending: ['r1@b.test'], status: 'DELIVERY_DELAYED' },
  ],
  [
    'sent, rejected and deferred',
    email,
    buildPartialOutcome(sentResult, no, later),
    { state: 'queued', pending: ['r2@b.test'], reason: 'Not sent yet: r1@b.test: gone; r2@b.test: grey' },
  ],
  [
    'sent and rejected',
    email,
    buildPartialOutcome(sentResult, no),
    // Recipients to whom the email can be resent on demand.
    { state: 'sent', pending: ['r1@b.test'], reason: 'Not sent: r1@b.test: gone' },
  ],
  [
    'suppressed',
    email,
    nobody,
    {
      state: 'suppressed',
      status: 'SUPPRESSED',
      data: { error: expect.stringContaining('suppression list') },
    },
  ],
  [
    'suppressed for the remaining recipients',
    rest,
    nobody,
    { state: 'sent', status: 'SUPPRESSED', reason: expect.stringContaining('Not sent to late@b.test: ') },
  ],
  ['canceled', email, unwantedOutcome, { state: 'cancelled', status: 'CANCELLED', data: { error: 'left' } }],
  [
    'canceled for the remaining recipients',
    rest,
    unwantedOutcome,
    { state: 'sent', reason: 'Not sent to late@b.test: left' },
  ],
  [
    'rejected and lost',
    email,
    buildPartialOutcome(no, lostResult),
    { state: 'unknown', status: 'DELIVERY_DELAYED' },
  ],
] as const)('determines the outcome of an email that was %s', (_, email, outcome, expected) => {
  expect(toEmailOutcome({ ...email, pending: [...email.pending] }, outcome, 'smtp')).toMatchObject(expected);
});

const lists = { to: ['A <a@b.test>', 'B@b.test'], cc: ['c@b.test'], bcc: [] as string[] };
test.each([
  ['nobody', [], [], lists],
  ['one of the recipients', [], ['b@b.test'], { ...lists, to: ['A <a@b.test>'] }],
  ['the copy recipient', [], ['c@b.test'], { ...lists, cc: [] }],
  ['all recipients', [], ['a@b.test', 'b@b.test'], null],
  ['one that has already received it', ['b@b.test'], ['a@b.test'], { ...lists, pending: ['b@b.test'] }],
  [
    'one of the remaining recipients',
    ['a@b.test', 'b@b.test'],
    ['a@b.test'],
    { ...lists, pending: ['b@b.test'] },
  ],
  ['all remaining recipients', ['a@b.test'], ['a@b.test'], null],
])('omits recipients that have since been suppressed: %s', (_, pending, closed, expected) => {
  const email = { ...lists, pending } as unknown as ClaimedEmail;
  const openRecipients = removeSuppressedRecipients(email, new Set<string>(closed));
  expect(openRecipients).toEqual(expected && { ...email, ...expected });
});

test('leaves event recording to the local transport', () => {
  expect(toEmailOutcome(email, sentResult, 'local').status).toBeNull();
});

test('removes characters that the database cannot store from provider messages', () => {
  const reason = 'bad \0 byte and half \ud83d';
  expect(toEmailOutcome(email, { ...no, reason }, 'smtp').reason).toBe('bad  byte and half \ufffd');
});

test('increases the delay with each attempt up to five minutes, or more if the provider requests it', () => {
  const waits = [1, 5, 30].map(
    (attempts) => toEmailOutcome({ ...email, attempts }, { ...later, retryAfterMs: 3000 }, 'ses').wait,
  );
  expect(waits).toEqual([3, 16, 300]);
});
