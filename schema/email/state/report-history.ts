import { isAutoReply, markAutoReply, resemblesAutoReply } from './auto-reply-event.ts';
import type { EmailStatus } from './email-status.ts';
import { findReportRecipients } from './event-addresses.ts';

interface Report {
  status: EmailStatus;
  data: Record<string, unknown> | null;
}

export interface StoredReport extends Report {
  id: number;
}

interface HistoryEntry {
  report: Report & { id?: number };
  addresses: string[];
  carrier: ReturnType<typeof getCarrier>;
}

/** Reports about an email. The provider, the relay and returned mail may report the same outcome. */
interface ReportHistory {
  /** All recipients of the email. */
  mailed: readonly string[];
  entries: HistoryEntry[];
}

export function createReportHistory(
  mailed: readonly string[],
  reports: readonly HistoryEntry['report'][],
): ReportHistory {
  const history: ReportHistory = { mailed, entries: [] };
  for (const report of reports) addReport(history, report);
  return history;
}

export function addReport(history: ReportHistory, report: HistoryEntry['report']): void {
  if (!REPORT_STATUSES.has(report.status) || isAutoReply(report)) return;
  const addresses = findReportRecipients(report, history.mailed);
  history.entries.push({ report, addresses, carrier: getCarrier(report) });
}

export const REPORT_STATUSES: ReadonlySet<EmailStatus> = new Set(['DELIVERED', 'BOUNCED', 'COMPLAINED']);

/** A relay's replies have no time. Ids of returned mail are hashes (`computeFeedbackId`). */
function getCarrier({ data }: Report): 'relay' | 'mail' | 'provider' {
  if (!data?.timestamp) return 'relay';
  return /^[0-9a-f]{32}$/.test(String(data.feedbackId)) ? 'mail' : 'provider';
}

const findAddresses = (history: ReportHistory, matches: (entry: HistoryEntry) => boolean): Set<string> =>
  new Set(history.entries.filter(matches).flatMap(({ addresses }) => addresses));

/** With several recipients, any of them could have forged an undetermined bounce of another. */
export const findBouncedAddresses = (history: ReportHistory): Set<string> =>
  findAddresses(
    history,
    ({ report }) => report.status === 'BOUNCED' && (history.mailed.length === 1 || getSeverity(report) > 0),
  );

const SEVERITIES: Record<string, number> = { Permanent: 2, Transient: 1 };

const getSeverity = ({ data }: Report): number => SEVERITIES[String(data?.bounceType)] ?? 0;

/** True if another carrier has reported the same outcome for the same recipients. */
export function isReportedElsewhere(history: ReportHistory, report: Report): boolean {
  if (!REPORT_STATUSES.has(report.status) || isAutoReply(report)) return false;
  const carrier = getCarrier(report);
  const known = findAddresses(
    history,
    (entry) =>
      entry.carrier !== carrier &&
      entry.report.status === report.status &&
      getSeverity(entry.report) >= getSeverity(report),
  );
  return isCovered(findReportRecipients(report, history.mailed), known);
}

/**
 * Marks the report if it is an automatic reply.
 * @param delivered recipients that got the email
 */
export const classifyReply = <Event extends Report>(
  event: Event,
  { mailed }: ReportHistory,
  delivered: ReadonlySet<string>,
): Event =>
  resemblesAutoReply(event) && isCovered(findReportRecipients(event, mailed), delivered)
    ? markAutoReply(event)
    : event;

export const findDeliveredAddresses = (history: ReportHistory): Set<string> =>
  findAddresses(history, ({ report }) => report.status === 'DELIVERED');

export interface AutoReply {
  id: number;
  addresses: string[];
}

/** Removes stored bounces that a later delivery proves to be automatic replies. @returns the removed bounces */
export function removeReplies(history: ReportHistory, delivered: ReadonlySet<string>): AutoReply[] {
  const replies = history.entries.flatMap(({ report, addresses }) =>
    report.id !== undefined && resemblesAutoReply(report) && isCovered(addresses, delivered)
      ? [{ id: report.id, addresses }]
      : [],
  );
  const ids = new Set(replies.map(({ id }) => id));
  history.entries = history.entries.filter(({ report }) => report.id === undefined || !ids.has(report.id));
  return replies;
}

export const hasBounces = (history: ReportHistory): boolean =>
  history.entries.some(({ report }) => report.status === 'BOUNCED');

const isCovered = (addresses: readonly string[], known: ReadonlySet<string>): boolean =>
  addresses.length > 0 && addresses.every((address) => known.has(address));
