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

/** Returns the bare addresses of an email's recipients, in lower case. */
export const listMailedAddresses = (recipients: readonly string[]): string[] => [
  ...new Set(recipients.flatMap(getBareAddresses)),
];

/**
 * Extracts the affected addresses.
 * @param mailed all recipients of the email
 * @param bounced addresses whose bounce was reported before
 */
export function getReportedRecipients(
  event: ReportedEvent,
  mailed: readonly string[],
  bounced: ReadonlySet<string>,
): AffectedAddresses {
  const isSoft = event.status === 'BOUNCED' && !isAutoReply(event);
  const softBounced = isSoft ? getSoftBouncedAddresses(event.data, mailed.length === 1) : [];
  return {
    closed: getClosedRecipients(event, mailed),
    softBounced: filterRecipients(softBounced, mailed).filter((address) => !bounced.has(address)),
    delivered: event.status === 'DELIVERED' ? filterRecipients(listNames(event), mailed) : [],
  };
}

/** Returns the recipients that a report concerns. A report about an email to a single recipient need not name it. */
export const findReportRecipients = (event: ReportedEvent, mailed: readonly string[]): string[] =>
  mailed.length === 1 ? [...mailed] : filterRecipients(listNames(event), mailed);

function listNames({ status, data }: ReportedEvent): unknown[] {
  const { recipients, bouncedRecipients, complainedRecipients } = data ?? {};
  if (status === 'DELIVERED') return Array.isArray(recipients) ? recipients : [];
  const list = status === 'COMPLAINED' ? complainedRecipients : bouncedRecipients;
  return Array.isArray(list)
    ? list.map((recipient: { emailAddress?: unknown } | null) => recipient?.emailAddress)
    : [];
}

export const isHardBounce = ({ status, data }: ReportedEvent): boolean =>
  status === 'BOUNCED' && data?.bounceType === 'Permanent';

/**
 * Returns the addresses that an event suppresses. Ignores addresses that are not recipients: a bounce of forwarded mail
 * names the forwarding target, which the workspace has not written to.
 */
function getClosedRecipients(event: ReportedEvent, mailed: readonly string[]): string[] | null {
  const isComplaint = event.status === 'COMPLAINED';
  if (!isComplaint && !isHardBounce(event)) return null;
  const list = isComplaint ? event.data?.complainedRecipients : event.data?.bouncedRecipients;
  return Array.isArray(list) ? filterRecipients(listNames(event), mailed) : null;
}

/** Returns the recipients among `names`. If the email has a single recipient, any address refers to it. */
function filterRecipients(names: unknown[], mailed: readonly string[]): string[] {
  const bareNames = names.flatMap(getBareAddresses);
  return bareNames.length > 0 && mailed.length === 1
    ? [...mailed]
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
