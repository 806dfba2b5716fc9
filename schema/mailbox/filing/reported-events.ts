import { createHash } from 'node:crypto';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { parseAddress } from '../../../src/message/address.ts';
import type { ParsedMail } from '../../../src/message/parse/message.ts';
import type { RawMail } from '../../../src/message/parse/raw.ts';
import { readReport } from '../../../src/message/report/read-report.ts';
import {
  classifyBounce,
  type MailReport,
  type ReportedRecipient,
} from '../../../src/message/report/report.ts';
import { parseEnvelopeId, parseReturnPath } from '../../email/provider/return-path.ts';
import { type EmailEvent, lockEmails, recordLockedEvents } from '../../email/state/email-events.ts';
import type { ClaimedDelivery } from './claim.ts';

/**
 * Reads the events that a report (bounce, complaint, delivery) contains about one of the workspace's emails. Returns no
 * events for other messages and for reports without proof.
 */
export async function readReportedEvents(
  ctx: Ctx,
  delivery: ClaimedDelivery,
  raw: RawMail,
  mail: ParsedMail,
): Promise<EmailEvent[]> {
  const report = await readReport(mail, raw, delivery.sender);
  if (!report) return [];
  const { config } = ctx.runtime;
  const workspace = ctx.workspace.id;
  const paths = [...delivery.recipients, report.returnPath];
  const byPath = paths.map((path) => parseReturnPath(config, workspace, path)).find((id) => id !== null);
  const byEnvelope = parseEnvelopeId(config, workspace, report.envelopeId);
  const emailId = byEnvelope ?? byPath;
  const email = emailId ? await findEmail(ctx, emailId) : null;
  if (!email || isAboutOtherEmail(report, email)) return [];
  // Recipients can see the return path, so any of several recipients could forge a report about the others.
  const isProved = byEnvelope !== null || email.recipients.length === 1;
  const statuses = buildStatuses(report, email, isProved);
  const feedbackId = computeFeedbackId(statuses, mail);
  const common = { workspaceId: workspace, emailId: email.id };
  return statuses.map(({ status, data }) => ({
    ...common,
    status,
    data: { ...data, timestamp: delivery.received_at, feedbackId },
  }));
}

/**
 * Computes an id shared by all copies of a report: a hash of its events and date, which ignores trace fields and
 * Message-IDs.
 */
const computeFeedbackId = (statuses: ReportedStatus[], { date }: ParsedMail): string =>
  createHash('sha256')
    .update(JSON.stringify([statuses, date]))
    .digest('hex')
    .slice(0, 32);

interface ReportedEmail {
  id: number;
  publicId: string;
  /** Bare addresses, in lower case. */
  recipients: string[];
}

async function findEmail(ctx: Ctx, id: number): Promise<ReportedEmail | null> {
  const [row] = await ctx.db.rows<{ public_id: string; recipients: string[] }>(
    sql`select public_id, "to" || cc || bcc as recipients from svc_email
     where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  if (!row) return null;
  const recipients = row.recipients.flatMap((text) => parseAddress(text)?.address.toLowerCase() ?? []);
  return { id, publicId: row.public_id, recipients: [...new Set(recipients)] };
}

/**
 * True if the report names a different email sent by this installation. Ignores ids in other formats, because a relay
 * may have assigned them.
 */
const isAboutOtherEmail = ({ messageId }: MailReport, { publicId }: ReportedEmail): boolean =>
  /^[0-9a-z]{25}@/.test(messageId) && !messageId.startsWith(`${publicId}@`);

type ReportedStatus = Pick<EmailEvent, 'status' | 'data'>;

function buildStatuses(
  { kind, recipients }: MailReport,
  email: ReportedEmail,
  isProved: boolean,
): ReportedStatus[] {
  const singleRecipient = email.recipients.length === 1 ? email.recipients[0]! : null;
  const findAddress = ({ addresses }: ReportedRecipient) =>
    addresses.find((address) => email.recipients.includes(address)) ?? singleRecipient;
  if (kind === 'complaint') {
    const addressed = recipients.length > 0 ? recipients.map(findAddress) : [singleRecipient];
    const all = addressed.flatMap((address) => (address ? [{ emailAddress: address }] : []));
    return all.length > 0
      ? [{ status: 'COMPLAINED', data: { complainedRecipients: isProved ? all : [] } }]
      : [];
  }
  const matches = recipients.flatMap((recipient) => {
    const address = findAddress(recipient);
    return address ? [{ recipient, address }] : [];
  });
  const failedMatches = matches.filter(({ recipient }) => recipient.action === 'failed');
  const kinds = Map.groupBy(failedMatches, ({ recipient }) =>
    JSON.stringify(isProved ? classifyBounce(recipient) : UNDETERMINED_BOUNCE),
  );
  const toRecipientData = (item: (typeof matches)[number]) => ({
    emailAddress: item.address,
    action: item.recipient.action,
    status: item.recipient.status,
    diagnosticCode: item.recipient.diagnostic,
  });
  const delayedMatches = matches.filter(({ recipient }) => recipient.action === 'delayed');
  const deliveredMatches = matches.filter(({ recipient }) => recipient.action === 'delivered');
  return [
    ...[...kinds].map(
      ([name, recipients]): ReportedStatus => ({
        status: 'BOUNCED',
        data: { ...JSON.parse(name), bouncedRecipients: recipients.map(toRecipientData) },
      }),
    ),
    ...(isProved && delayedMatches.length > 0
      ? [
          {
            status: 'DELIVERY_DELAYED' as const,
            data: { delayedRecipients: delayedMatches.map(toRecipientData) },
          },
        ]
      : []),
    ...(isProved && deliveredMatches.length > 0
      ? [
          {
            status: 'DELIVERED' as const,
            data: { recipients: deliveredMatches.map(({ address }) => address) },
          },
        ]
      : []),
  ];
}

const UNDETERMINED_BOUNCE = { bounceType: 'Undetermined', bounceSubType: 'Undetermined' };

/** Records each reported event once. Locks emails before mailboxes. */
export async function recordReportedEvents(
  ctx: Ctx,
  all: readonly { reported: EmailEvent[] }[],
): Promise<void> {
  const byEmail = all.flatMap(({ reported }) => (reported[0] ? [reported] : []));
  for (const events of byEmail.sort(([a], [b]) => a!.emailId - b!.emailId))
    await recordEmailEvents(ctx, events);
}

async function recordEmailEvents(ctx: Ctx, events: EmailEvent[]): Promise<void> {
  const [first] = events;
  if (!first) return;
  const emails = await lockEmails(ctx.db, events);
  const recordedRows = await ctx.db.rows(
    sql`select 1 from svc_email_event where workspace_id = ${ctx.workspace.id} and email_id = ${first.emailId}
       and data ->> 'feedbackId' = ${String(first.data?.feedbackId)} limit 1`,
  );
  if (recordedRows.length === 0) await recordLockedEvents(ctx.db, ctx.runtime.config, events, emails);
}
