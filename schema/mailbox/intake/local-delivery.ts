import type { OutboxMessage } from '../../../src/email/local.ts';
import {
  buildSimulatedEvents,
  parseSimulation,
  RETURN_REPLIES,
  type ReturnReason,
} from '../../../src/email/simulator.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { buildReport } from '../../../src/message/report/write-report.ts';
import { storeOutboxMessage } from '../../email/emails/outbox.ts';
import { type Acceptance, acceptMessage } from './accept.ts';
import { findOwnAddresses } from './delivery-targets.ts';

/**
 * Delivers a message from the local transport to this installation's mailboxes as external mail, and stores it in the
 * outbox. Recipients without a mailbox cause a bounce. Idempotent.
 */
export const createLocalDelivery =
  (runtime: Runtime) =>
  async (message: OutboxMessage): Promise<void> => {
    const acceptance = await acceptMessage(runtime, {
      sender: message.from,
      recipients: message.recipients,
      raw: message.raw,
      source: 'local',
      origin: `local ${message.emailId}`,
    });
    const returnReasons = await findReturnedRecipients(runtime, acceptance);
    if (returnReasons.size === 0) return storeOutboxMessage(runtime, message);
    await sendBounceReport(runtime, message, returnReasons);
    const events = buildSimulatedEvents(message.recipients, message.at, returnReasons);
    const reasons = [...returnReasons].map(
      ([address, reason]) => `${address}: ${RETURN_REPLIES[reason].words}`,
    );
    await storeOutboxMessage(runtime, { ...message, events, reason: `Not delivered: ${reasons.join('; ')}` });
  };

async function findReturnedRecipients(
  runtime: Runtime,
  acceptance: Acceptance,
): Promise<Map<string, ReturnReason>> {
  const unknownAddresses = [...acceptance].flatMap(([address, fate]) =>
    fate === 'unknown' && parseSimulation(address) === null ? [address] : [],
  );
  const ownAddresses =
    unknownAddresses.length > 0 ? await findOwnAddresses(runtime, unknownAddresses) : new Set();
  return new Map(
    [...acceptance].flatMap(([address, fate]): [string, ReturnReason][] => {
      if (fate === 'full' || fate === 'over') return [[address, 'full']];
      return ownAddresses.has(address) ? [[address, 'unknown']] : [];
    }),
  );
}

/** Sends a bounce, as a remote server would, unless the message is itself a bounce or an automatic message. */
async function sendBounceReport(
  runtime: Runtime,
  { from, raw, at, emailId }: OutboxMessage,
  returnReasons: ReadonlyMap<string, ReturnReason>,
): Promise<void> {
  const recipients = [...returnReasons].map(([address, reason]) => ({ address, ...RETURN_REPLIES[reason] }));
  const report = buildReport({ to: from, at, raw, recipients });
  if (!report) return;
  await acceptMessage(runtime, {
    sender: '',
    recipients: [from],
    raw: report,
    source: 'local',
    origin: `returned ${emailId}`,
  });
}
