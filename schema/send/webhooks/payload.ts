/** Of the shape of bodies, as the client libraries know it. */
export const PAYLOAD_VERSION = '2026-01-18';

type PayloadData = Record<string, unknown>;

/** An event of an email, with the fields of the email that the webhook gets. */
export interface EmailEventFacts {
  id: string | null;
  status: string;
  from: string;
  to: string[];
  subject: string;
  domainId: number | null;
  campaignId: string | null;
  contactId: string | null;
  tags: Record<string, string> | null;
  metadata: PayloadData | null;
  /** When it was noted. */
  at: string;
  data: PayloadData | null;
  /** Mailbox that it was sent from, with its copy there; null for any other email. */
  mailbox: MailboxCopy | null;
  /** Of its recipients, those on the suppression list. */
  suppressions: { email: string; reason: string; source: string | null }[];
}

/** A message in a mailbox, as far as webhooks hear of it. */
export interface MailboxCopy {
  accountId: string;
  /** What its owner lets webhooks hear. */
  detail: 'none' | 'ids' | 'subject';
  /** Of the mailbox. */
  address: string;
  /** The copy in Sent; null once it is deleted. */
  entryId: string | null;
  threadId: string | null;
  folderId: string | null;
  /** Role of the folder; null for one of the owner's own. */
  folder: string | null;
}

/** The `data` of a call about a message that was sent from a mailbox: no recipient, and no text. Pure. */
export function buildMailboxData({ mailbox, status, subject, at, data }: EmailEventFacts): PayloadData {
  const { detail, address, ...ids } = mailbox ?? { detail: 'none', address: '', accountId: null };
  const { type, subType } = buildBounce(data ?? {});
  return {
    id: mailbox?.entryId ?? null,
    ...ids,
    sender: address,
    ...(detail === 'subject' && { subject }),
    occurredAt: toInstant(data?.timestamp) ?? at,
    ...(status === 'BOUNCED' && { bounce: { type, subType } }),
  };
}

/** The `data` of a call about an email. Pure. */
export function buildEmailData(facts: EmailEventFacts): PayloadData {
  const { id, status, from, to, subject, domainId, campaignId, contactId, tags, metadata, at } = facts;
  const data = facts.data ?? {};
  return {
    id,
    status,
    from,
    to,
    occurredAt: toInstant(data.timestamp) ?? at,
    ...(campaignId && { campaignId }),
    ...(contactId && { contactId }),
    domainId,
    subject,
    ...(tags && { tags }),
    ...(metadata && { metadata }),
    ...MORE[status]?.(data, facts),
  };
}

const MORE: Record<string, (data: PayloadData, facts: EmailEventFacts) => PayloadData> = {
  BOUNCED: (data) => ({ bounce: buildBounce(data) }),
  FAILED: (data) => ({
    failed: { reason: toText(data.error) ?? toText(data.reason) ?? 'It could not be sent.' },
  }),
  SUPPRESSED: (data, facts) => ({ suppression: buildSuppression(data, facts) }),
  OPENED: (data, { at }) => ({ open: buildVisit(data, at) }),
  CLICKED: ({ link, ...data }, { at }) => ({ click: { ...buildVisit(data, at), url: toText(link) ?? '' } }),
};

function buildBounce(data: PayloadData): PayloadData {
  const [first] = Array.isArray(data.bouncedRecipients) ? data.bouncedRecipients : [];
  const message = toText((first as PayloadData | undefined)?.diagnosticCode);
  return {
    type: toText(data.bounceType) ?? 'Undetermined',
    subType: toText(data.bounceSubType)?.trim() ?? 'General',
    ...(message && { message }),
  };
}

const SORTS: Record<string, string> = {
  HARD_BOUNCE: 'Bounce',
  SOFT_BOUNCE: 'Bounce',
  COMPLAINT: 'Complaint',
  MANUAL: 'Manual',
};

function buildSuppression(data: PayloadData, { suppressions }: EmailEventFacts): PayloadData {
  const [first] = suppressions;
  return {
    type: SORTS[first?.reason ?? ''] ?? 'Manual',
    reason: toText(data.error) ?? '',
    ...(first?.source && { source: first.source }),
  };
}

function buildVisit(data: PayloadData, at: string): PayloadData {
  const userAgent = toText(data.userAgent);
  const ip = toText(data.ipAddress);
  return {
    timestamp: toInstant(data.timestamp) ?? at,
    ...(userAgent && { userAgent }),
    ...(ip && { ip }),
  };
}

const toText = (value: unknown): string | null => (typeof value === 'string' && value ? value : null);

function toInstant(value: unknown): string | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
