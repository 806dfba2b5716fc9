import { parseAddress } from '../../../src/message/address.ts';
import { ABOUT_MESSAGE, refusesMessage } from '../../../src/message/report/report.ts';
import { isAutoReply } from './auto-reply-event.ts';
import type { EmailStatus } from './email-status.ts';

type EventData = Record<string, unknown> | null;

interface ReportedEvent {
  status: EmailStatus;
  data: EventData;
}

/** Recipient addresses affected by an event, bare and in lower case. */
export interface AffectedAddresses {
  closed: string[] | null;
  softBounced: string[];
  delivered: string[];
}

/**
 * Extracts the affected addresses. Ignores a repeated report of the same bounce.
 * @param seenStatuses statuses of earlier events
 */
export function getReportedRecipients(
  event: ReportedEvent,
  recipients: string[],
  seenStatuses: ReadonlySet<string>,
): AffectedAddresses {
  const isOnly = recipients.length === 1;
  const isSoft =
    event.status === 'BOUNCED' && !isAutoReply(event) && !(isOnly && seenStatuses.has('BOUNCED'));
  const softBounced = isSoft ? getSoftBouncedAddresses(event.data, isOnly) : [];
  const deliveredTo = event.status === 'DELIVERED' ? event.data?.recipients : null;
  return {
    closed: getClosedRecipients(event, recipients),
    softBounced: filterRecipients(softBounced, recipients),
    delivered: filterRecipients(Array.isArray(deliveredTo) ? deliveredTo : [], recipients),
  };
}

interface BounceData {
  bouncedRecipients?: unknown;
  complainedRecipients?: unknown;
}

export const isHardBounce = ({ status, data }: ReportedEvent): boolean =>
  status === 'BOUNCED' && data?.bounceType === 'Permanent';

/**
 * Returns the addresses that an event suppresses. Ignores addresses that are not recipients: a bounce of forwarded mail
 * names the forwarding target, which the workspace has not written to.
 */
function getClosedRecipients(event: ReportedEvent, recipients: string[]): string[] | null {
  const { bouncedRecipients, complainedRecipients } = (event.data ?? {}) as BounceData;
  if (event.status !== 'COMPLAINED' && !isHardBounce(event)) return null;
  const list = event.status === 'COMPLAINED' ? complainedRecipients : bouncedRecipients;
  if (!Array.isArray(list)) return null;
  return filterRecipients(
    list.map((recipient: { emailAddress?: unknown } | null) => recipient?.emailAddress),
    recipients,
  );
}

/** Returns the recipients among `names`. If the email has a single recipient, any address refers to it. */
function filterRecipients(names: unknown[], recipients: string[]): string[] {
  if (names.length === 0) return [];
  const mailed = [...new Set(recipients.flatMap(getBareAddresses))];
  const bareNames = names.flatMap(getBareAddresses);
  return bareNames.length > 0 && mailed.length === 1
    ? mailed
    : [...new Set(bareNames.filter((bareName) => mailed.includes(bareName)))];
}

function getBareAddresses(text: unknown): string[] {
  const address = typeof text === 'string' ? parseAddress(text)?.address : undefined;
  return address ? [address.toLowerCase()] : [];
}

/**
 * Returns the addresses that bounced because the mailbox is full or unreachable. A rejection due to content, size or
 * sender says nothing about the address.
 */
function getSoftBouncedAddresses(data: EventData, isOnlyRecipient: boolean): unknown[] {
  const { bounceType, bounceSubType, bouncedRecipients } = data ?? {};
  if (bounceType === 'Permanent' || !Array.isArray(bouncedRecipients)) return [];
  // With several recipients, any of them could have forged this report about another.
  if (bounceType !== 'Transient' && !isOnlyRecipient) return [];
  if (isUnrelatedToAddress(String(bounceSubType))) return [];
  return bouncedRecipients
    .filter((bouncedRecipient) => !isAboutMessage(bouncedRecipient))
    .map((item) => item?.emailAddress);
}

const isUnrelatedToAddress = (subType: string): boolean =>
  ABOUT_MESSAGE.has(subType) || subType === 'UnsubscribedRecipient';

function isAboutMessage(recipient: { status?: unknown; diagnosticCode?: unknown } | null): boolean {
  const { status, diagnosticCode } = recipient ?? {};
  return refusesMessage(getText(status), getText(diagnosticCode).slice(0, 1_000));
}

const getText = (value: unknown): string => (typeof value === 'string' ? value : '');
