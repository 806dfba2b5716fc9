import { randomUUID } from 'node:crypto';
import type { EventType, ProviderEvent } from './provider-event.ts';

type Simulation = 'delivered' | 'bounced' | 'complained' | 'out-of-office' | 'suppressed';

const SIMULATIONS: Record<string, Simulation> = {
  success: 'delivered',
  bounce: 'bounced',
  complaint: 'complained',
  ooto: 'out-of-office',
  suppressionlist: 'suppressed',
};

/** Reason why a local mailbox rejects a message: it is full, or it does not exist. */
export type ReturnReason = 'full' | 'unknown';

/** Parses `success|bounce|complaint|ooto|suppressionlist[+label]@simulator.<anything>`, as in the SES simulator. */
export function parseSimulation(address: string): Simulation | null {
  const match = /^([a-z]+)(?:\+[^@]*)?@simulator\.[^@]+$/i.exec(address);
  const name = match?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(SIMULATIONS, name) ? (SIMULATIONS[name] ?? null) : null;
}

/**
 * Builds the events of a message in the order that SES uses. Messages to ordinary addresses are delivered. Bounces of
 * the same kind become one event.
 */
export function buildSimulatedEvents(
  recipients: readonly string[],
  time: Date,
  returnReasons: ReadonlyMap<string, ReturnReason> = new Map(),
): ProviderEvent[] {
  const fate = new Map<string, Simulation | ReturnReason | null>(
    recipients.map((address) => [address, returnReasons.get(address) ?? parseSimulation(address)]),
  );
  const findRecipientsByFate = (...fates: (Simulation | ReturnReason | null)[]) =>
    recipients.filter((address) => fates.includes(fate.get(address) ?? null));
  const events = [
    buildEvent('SENT', [...recipients], time, {}),
    buildEvent(
      'DELIVERED',
      findRecipientsByFate(null, 'delivered', 'complained', 'out-of-office'),
      time,
      buildDelivery,
    ),
    buildEvent('BOUNCED', findRecipientsByFate('bounced'), time, buildBounce('Permanent', 'General')),
    buildEvent('BOUNCED', findRecipientsByFate('suppressed'), time, buildBounce('Permanent', 'Suppressed')),
    buildEvent('BOUNCED', findRecipientsByFate('out-of-office'), time, buildBounce('Transient', 'General')),
    buildEvent('BOUNCED', findRecipientsByFate('unknown'), time, buildBounce('Permanent', 'NoEmail')),
    buildEvent('BOUNCED', findRecipientsByFate('full'), time, buildBounce('Transient', 'MailboxFull')),
    buildEvent('COMPLAINED', findRecipientsByFate('complained'), time, buildComplaint),
  ];
  return events.filter((event) => event.recipients.length > 0);
}

type DetailBuilder = (recipients: string[], timestamp: string) => Record<string, unknown>;

function buildEvent(
  type: EventType,
  recipients: string[],
  time: Date,
  detail: DetailBuilder | Record<string, never>,
): ProviderEvent {
  const data = typeof detail === 'function' ? detail(recipients, time.toISOString()) : {};
  return { type, at: time, recipients, data };
}

function buildDelivery(recipients: string[], timestamp: string) {
  return {
    timestamp,
    processingTimeMillis: 1,
    recipients,
    smtpResponse: '250 2.6.0 Message received',
    reportingMTA: 'simulator',
  };
}

export const RETURN_REPLIES: Record<ReturnReason, { status: string; words: string }> = {
  full: { status: '5.2.2', words: '552 5.2.2 mailbox full' },
  unknown: { status: '5.1.1', words: '550 5.1.1 unknown mailbox' },
};

const BOUNCE_CODES = {
  General: { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
  NoEmail: { status: RETURN_REPLIES.unknown.status, diagnosticCode: `smtp; ${RETURN_REPLIES.unknown.words}` },
  Suppressed: { status: '5.1.1', diagnosticCode: 'The address is on the suppression list' },
  MailboxFull: { status: RETURN_REPLIES.full.status, diagnosticCode: `smtp; ${RETURN_REPLIES.full.words}` },
};

function buildBounce(
  bounceType: 'Permanent' | 'Transient',
  bounceSubType: keyof typeof BOUNCE_CODES,
): DetailBuilder {
  const isSaid = bounceType === 'Permanent' || bounceSubType === 'MailboxFull';
  const extra = isSaid ? { action: 'failed', ...BOUNCE_CODES[bounceSubType] } : {};
  return (recipients, timestamp) => ({
    bounceType,
    bounceSubType,
    bouncedRecipients: recipients.map((emailAddress) => ({ emailAddress, ...extra })),
    timestamp,
    feedbackId: randomUUID(),
    reportingMTA: 'dns; simulator',
  });
}

function buildComplaint(recipients: string[], timestamp: string) {
  return {
    complainedRecipients: recipients.map((emailAddress) => ({ emailAddress })),
    timestamp,
    feedbackId: randomUUID(),
    complaintSubType: null,
    complaintFeedbackType: 'abuse',
    arrivalDate: timestamp,
  };
}
