import { expect, test } from 'vitest';
import { combineParts } from '../../src/email/combine-parts.ts';
import { createTransport } from '../../src/email/create-transport.ts';
import { createLocalTransport, type OutboxMessage } from '../../src/email/local.ts';
import { buildSimulatedEvents, parseSimulation } from '../../src/email/simulator.ts';
import type { SendResult } from '../../src/email/transport.ts';

test.each([
  ['success@simulator.amazonses.com', 'delivered'],
  ['bounce@simulator.amazonses.com', 'bounced'],
  ['complaint@simulator.amazonses.com', 'complained'],
  ['ooto@simulator.amazonses.com', 'out-of-office'],
  ['suppressionlist@simulator.amazonses.com', 'suppressed'],
  ['Bounce+Label-1@SIMULATOR.amazonses.com', 'bounced'],
  ['bounce@simulator.atrium.localhost', 'bounced'],
  ['bounce@example.com', null],
  ['bounced@simulator.amazonses.com', null],
  ['bounce@notsimulator.example.com', null],
  ['constructor@simulator.example.com', null],
  ['bounce@simulator.', null],
])('parses simulator address %s as %s', (address, fate) => {
  expect(parseSimulation(address)).toBe(fate);
});

const at = new Date('2026-01-02T03:04:05Z');
const toSimulator = (name: string) => `${name}@simulator.example.com`;

test.each([
  [['a@example.com'], ['SENT a@example.com', 'DELIVERED a@example.com']],
  [[toSimulator('success')], [`SENT ${toSimulator('success')}`, `DELIVERED ${toSimulator('success')}`]],
  [
    [toSimulator('bounce')],
    [`SENT ${toSimulator('bounce')}`, `BOUNCED ${toSimulator('bounce')} Permanent/General`],
  ],
  [
    [toSimulator('suppressionlist')],
    [
      `SENT ${toSimulator('suppressionlist')}`,
      `BOUNCED ${toSimulator('suppressionlist')} Permanent/Suppressed`,
    ],
  ],
  [
    [toSimulator('complaint')],
    [
      `SENT ${toSimulator('complaint')}`,
      `DELIVERED ${toSimulator('complaint')}`,
      `COMPLAINED ${toSimulator('complaint')} abuse`,
    ],
  ],
  [
    [toSimulator('ooto')],
    [
      `SENT ${toSimulator('ooto')}`,
      `DELIVERED ${toSimulator('ooto')}`,
      `BOUNCED ${toSimulator('ooto')} Transient/General`,
    ],
  ],
  [
    ['a@example.com', toSimulator('bounce'), toSimulator('bounce+2')],
    [
      `SENT a@example.com,${toSimulator('bounce')},${toSimulator('bounce+2')}`,
      'DELIVERED a@example.com',
      `BOUNCED ${toSimulator('bounce')},${toSimulator('bounce+2')} Permanent/General`,
    ],
  ],
])('creates events for a message to %j in order', (recipients, expected) => {
  const events = buildSimulatedEvents(recipients, at).map(({ type, recipients, data }) => {
    const detail = data.bounceType
      ? ` ${data.bounceType}/${data.bounceSubType}`
      : (data.complaintFeedbackType ?? '');
    return `${type} ${recipients.join()}${detail && ` ${String(detail).trim()}`}`;
  });
  expect(events).toEqual(expected);
});

const message = {
  emailId: 'e1',
  from: 'a@main.localhost',
  recipients: ['b@example.com'],
  raw: Buffer.from('x'),
};

test('stores the message before it responds, and reports a failure to store it', async () => {
  const messages: OutboxMessage[] = [];
  const transport = await createTransport(
    { mailTransport: 'local' },
    { keep: async (item) => void messages.push(item) },
  );
  const outcome = await transport.send(message);
  expect(outcome).toEqual({ kind: 'sent', providerId: messages[0]?.providerId });
  expect(messages[0]?.events.map((event) => event.type)).toEqual(['SENT', 'DELIVERED']);
  const brokenTransport = createLocalTransport(async () => Promise.reject(new Error('disk full')));
  expect(await brokenTransport.send(message)).toMatchObject({
    kind: 'throttled',
    scope: 'unreachable',
    reason: /disk full/,
  });
});

test.each([
  [{ from: 'ü@example.com' }, 'INVALID_ADDRESS'],
  [{ from: 'A <a@example.com>' }, 'INVALID_ADDRESS'],
  [{ recipients: ['a@example.com', 'b@x'] }, 'INVALID_ADDRESS'],
  [{ recipients: ['a@example.com\r\nRCPT TO:<x@y.example>'] }, 'INVALID_ADDRESS'],
  [{ recipients: [] }, 'NO_RECIPIENTS'],
])('rejects an envelope with %j before it reaches a provider', async (change, code) => {
  const transport = createLocalTransport(async () => {
    throw new Error('must not be reached');
  });
  expect(await transport.send({ ...message, ...change })).toMatchObject({ kind: 'refused', code });
});

test('rejects smtp without a URL at startup', async () => {
  await expect(createTransport({ mailTransport: 'smtp' }, { keep: async () => {} })).rejects.toThrow(
    'SMTP_URL',
  );
});

const sentResult: SendResult = { kind: 'sent', providerId: '1' };
const no: SendResult = { kind: 'refused', code: 'C', reason: 'r' };

test('merges equal outcomes of envelope parts and reports different ones as partial', () => {
  const buildPart = (outcome: SendResult, ...recipients: string[]) => ({ recipients, outcome });
  expect(combineParts([buildPart(sentResult, 'a'), buildPart(sentResult, 'b')])).toEqual(sentResult);
  expect(combineParts([buildPart(no, 'a'), buildPart(no, 'b')])).toEqual(no);
  expect(combineParts([buildPart(sentResult, 'a'), buildPart(no, 'b')])).toEqual({
    kind: 'partial',
    parts: [buildPart(sentResult, 'a'), buildPart(no, 'b')],
  });
});
