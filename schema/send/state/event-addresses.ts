import { parseAddress } from '../../../src/mail/address.ts';
import { ABOUT_MESSAGE, refusesMessage } from '../../../src/mail/report/report.ts';
import type { EmailStatus } from './email-status.ts';

type Data = Record<string, unknown> | null;

interface Reported {
  status: EmailStatus;
  data: Data;
}

/** The mailed addresses that an event is about, bare and in lower case. */
export interface AboutAddresses {
  /** Must not be written to again; null if the event closes none. */
  closed: string[] | null;
  softBounced: string[];
  delivered: string[];
}

/**
 * Reads them. A second report of one bounce does not count. Pure.
 * @param seen what the email's events have reported before
 */
export function addressedBy(
  event: Reported,
  recipients: string[],
  seen: ReadonlySet<string>,
): AboutAddresses {
  const isOnly = recipients.length === 1;
  const isSoft = event.status === 'BOUNCED' && !(isOnly && seen.has('BOUNCED'));
  const softly = isSoft ? softlyBounced(event.data, isOnly) : [];
  const takers = event.status === 'DELIVERED' ? event.data?.recipients : null;
  return {
    closed: closedBy(event, recipients),
    softBounced: mailedOf(softly, recipients),
    delivered: mailedOf(Array.isArray(takers) ? takers : [], recipients),
  };
}

interface BounceData {
  bouncedRecipients?: unknown;
  complainedRecipients?: unknown;
}

/** Whether an event says that the mailed address does not exist, or not any more. */
export const isHardBounce = ({ status, data }: Reported): boolean =>
  status === 'BOUNCED' && data?.bounceType === 'Permanent';

/**
 * Those of the mailed addresses that an event closes: mail that is forwarded comes back with the address that it was
 * forwarded to, which the workspace has not written to. Pure.
 */
function closedBy(event: Reported, recipients: string[]): string[] | null {
  const { bouncedRecipients, complainedRecipients } = (event.data ?? {}) as BounceData;
  if (event.status !== 'COMPLAINED' && !isHardBounce(event)) return null;
  const list = event.status === 'COMPLAINED' ? complainedRecipients : bouncedRecipients;
  if (!Array.isArray(list)) return null;
  return mailedOf(
    list.map((recipient: { emailAddress?: unknown } | null) => recipient?.emailAddress),
    recipients,
  );
}

/** The mailed addresses that are named; a name of another one stands for the only recipient. */
function mailedOf(names: unknown[], recipients: string[]): string[] {
  if (names.length === 0) return [];
  const mailed = [...new Set(recipients.flatMap(bare))];
  const named = names.flatMap(bare);
  return named.length > 0 && mailed.length === 1
    ? mailed
    : [...new Set(named.filter((each) => mailed.includes(each)))];
}

function bare(text: unknown): string[] {
  const address = typeof text === 'string' ? parseAddress(text)?.address : undefined;
  return address ? [address.toLowerCase()] : [];
}

/**
 * Addresses, as an event names them, that bounced for now: the mailbox is full or cannot be reached. A refusal of the
 * content, the size or the sender says nothing about the address. Pure.
 */
function softlyBounced(data: Data, isOnlyRecipient: boolean): unknown[] {
  const { bounceType, bounceSubType, bouncedRecipients } = data ?? {};
  if (bounceType === 'Permanent' || !Array.isArray(bouncedRecipients)) return [];
  // Nothing proves such a report: one of several recipients could have written it about another.
  if (bounceType !== 'Transient' && !isOnlyRecipient) return [];
  if (saysNothing(String(bounceSubType))) return [];
  return bouncedRecipients.filter((each) => !isAboutMessage(each)).map((each) => each?.emailAddress);
}

const saysNothing = (subType: string): boolean =>
  ABOUT_MESSAGE.has(subType) || subType === 'UnsubscribedRecipient';

function isAboutMessage(recipient: { status?: unknown; diagnosticCode?: unknown } | null): boolean {
  const { status, diagnosticCode } = recipient ?? {};
  return refusesMessage(textOf(status), textOf(diagnosticCode).slice(0, 1_000));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
