import { randomUUID } from 'node:crypto';
import type { EventType, ProviderEvent } from './provider-event.ts';

/** The fate of a recipient at a mailbox simulator; null for an ordinary address. */
export type Simulation = 'delivered' | 'bounced' | 'complained' | 'out-of-office' | 'suppressed';

const fates: Record<string, Simulation> = {
  success: 'delivered',
  bounce: 'bounced',
  complaint: 'complained',
  ooto: 'out-of-office',
  suppressionlist: 'suppressed',
};

/** Why a message for this installation comes back: the mailbox has no room, or there is none. */
export type NotTaken = 'full' | 'unknown';

/**
 * Reads `success|bounce|complaint|ooto|suppressionlist[+label]@simulator.<anything>`, in any case, as SES does for its
 * own simulator.
 */
export function simulate(address: string): Simulation | null {
  const match = /^([a-z]+)(?:\+[^@]*)?@simulator\.[^@]+$/i.exec(address);
  const name = match?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(fates, name) ? (fates[name] ?? null) : null;
}

/**
 * The events one message produces, in the order SES publishes them. Ordinary addresses are delivered; several
 * simulated bounces of one message come combined in one event.
 */
export function simulatedEvents(
  recipients: readonly string[],
  at: Date,
  returned: ReadonlyMap<string, NotTaken> = new Map(),
): ProviderEvent[] {
  const fate = new Map<string, Simulation | NotTaken | null>(
    recipients.map((address) => [address, returned.get(address) ?? simulate(address)]),
  );
  const having = (...wanted: (Simulation | NotTaken | null)[]) =>
    recipients.filter((address) => wanted.includes(fate.get(address) ?? null));
  const events = [
    event('SENT', [...recipients], at, {}),
    event('DELIVERED', having(null, 'delivered', 'complained', 'out-of-office'), at, delivery),
    event('BOUNCED', having('bounced'), at, bounce('Permanent', 'General')),
    event('BOUNCED', having('suppressed'), at, bounce('Permanent', 'Suppressed')),
    event('BOUNCED', having('out-of-office'), at, bounce('Transient', 'General')),
    event('BOUNCED', having('unknown'), at, bounce('Permanent', 'NoEmail')),
    event('BOUNCED', having('full'), at, bounce('Transient', 'MailboxFull')),
    event('COMPLAINED', having('complained'), at, complaint),
  ];
  return events.filter((each) => each.recipients.length > 0);
}

type Detail = (recipients: string[], timestamp: string) => Record<string, unknown>;

function event(
  type: EventType,
  recipients: string[],
  at: Date,
  detail: Detail | Record<string, never>,
): ProviderEvent {
  const data = typeof detail === 'function' ? detail(recipients, at.toISOString()) : {};
  return { type, at, recipients, data };
}

function delivery(recipients: string[], timestamp: string) {
  return {
    timestamp,
    processingTimeMillis: 1,
    recipients,
    smtpResponse: '250 2.6.0 Message received',
    reportingMTA: 'simulator',
  };
}

/** What a server would say of each. */
export const RETURNS: Record<NotTaken, { status: string; words: string }> = {
  full: { status: '5.2.2', words: '552 5.2.2 mailbox full' },
  unknown: { status: '5.1.1', words: '550 5.1.1 unknown mailbox' },
};

const codes = {
  General: { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
  NoEmail: { status: RETURNS.unknown.status, diagnosticCode: `smtp; ${RETURNS.unknown.words}` },
  Suppressed: { status: '5.1.1', diagnosticCode: 'The address is on the suppression list' },
  MailboxFull: { status: RETURNS.full.status, diagnosticCode: `smtp; ${RETURNS.full.words}` },
};

function bounce(bounceType: 'Permanent' | 'Transient', bounceSubType: keyof typeof codes): Detail {
  const isSaid = bounceType === 'Permanent' || bounceSubType === 'MailboxFull';
  const more = isSaid ? { action: 'failed', ...codes[bounceSubType] } : {};
  return (recipients, timestamp) => ({
    bounceType,
    bounceSubType,
    bouncedRecipients: recipients.map((emailAddress) => ({ emailAddress, ...more })),
    timestamp,
    feedbackId: randomUUID(),
    reportingMTA: 'dns; simulator',
  });
}

function complaint(recipients: string[], timestamp: string) {
  return {
    complainedRecipients: recipients.map((emailAddress) => ({ emailAddress })),
    timestamp,
    feedbackId: randomUUID(),
    complaintSubType: null,
    complaintFeedbackType: 'abuse',
    arrivalDate: timestamp,
  };
}
