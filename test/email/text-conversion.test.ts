import { expect, it, vi } from 'vitest';
import type { ClaimedEmail } from '../../schema/email/queue/claim.ts';
import { deliverOne, type SendContext } from '../../schema/email/queue/deliver-one.ts';
import type { TransportMessage } from '../../src/email/transport.ts';
import { errors } from '../../src/errors.ts';

vi.mock('../../src/thread.ts', () => ({
  runInThread: () => Promise.reject(errors.busy('The work took too long and was stopped.')),
}));

it('sends an email without a plain-text part if the conversion of its HTML takes too long', async () => {
  const messages: TransportMessage[] = [];
  const context = {
    transport: {
      send: async (message: TransportMessage) => {
        messages.push(message);
        return { kind: 'sent', providerId: '1' };
      },
    },
    pace: { getCapacity: () => 1, reserve: () => ({ waitMs: 0 }), waitForSlot: async () => () => undefined },
    outages: { findBlocker: () => null, recordOutcome: () => undefined },
    signing: null,
    returnPaths: null,
  } as unknown as SendContext;
  const email = {
    workspace_id: 1,
    public_id: 'a',
    from: 'a@b.test',
    to: ['c@d.test'],
    cc: [],
    bcc: [],
    reply_to: [],
    pending: [],
    subject: 'Long',
    text: null,
    html: `<p>${'long '.repeat(10_000)}</p>`,
    headers: {},
    attachments: [],
    in_reply_to: null,
    domain_status: 'SUCCESS',
    campaign: null,
    contact: null,
    tracking: null,
    large: 0,
    created: 0,
  } as unknown as ClaimedEmail;
  expect(await deliverOne(undefined as never, email, context)).toMatchObject({ kind: 'sent' });
  const raw = String(messages[0]!.raw);
  expect(raw).toContain('text/html');
  expect(raw).not.toContain('text/plain');
});
