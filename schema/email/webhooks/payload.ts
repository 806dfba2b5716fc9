/** Payload format that the client libraries support. */
export const PAYLOAD_VERSION = '2026-01-18';

type PayloadData = Record<string, unknown>;

export interface EmailEventInput {
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
  at: string;
  data: PayloadData | null;
  /** Set for a message sent from a mailbox. */
  mailbox: MailboxCopy | null;
  suppressions: { email: string; reason: string; source: string | null }[];
}

/** Data that webhooks may receive about a message sent from a mailbox. */
interface MailboxCopy {
  accountId: string;
  detail: 'none' | 'ids' | 'subject';
  address: string;
  /** The Sent copy; null if it was deleted. */
  entryId: string | null;
  threadId: string | null;
  folderId: string | null;
  /** Folder role; null for a custom folder. */
  folder: string | null;
}

/** Builds the `data` of a call about a message sent from a mailbox. Excludes recipients and text. */
export function buildMailboxData({ mailbox, status, subject, at, data }: EmailEventInput): PayloadData {
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

export function buildEmailData(facts: EmailEventInput): PayloadData {
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
    ...EXTRA_MEMBERS[status]?.(data, facts),
  };
}

const EXTRA_MEMBERS: Record<string, (data: PayloadData, facts: EmailEventInput) => PayloadData> = {
  BOUNCED: (data) => ({ bounce: buildBounce(data) }),
  FAILED: (data) => ({
    failed: { reason: toText(data.error) ?? toText(data.reason) ?? 'It could not be sent.' },
  }),
  SUPPRESSED: (data, facts) => ({ suppression: buildSuppression(data, facts) }),
  OPENED: (data, { at }) => ({ open: buildEngagement(data, at) }),
  CLICKED: ({ link, ...data }, { at }) => ({
    click: { ...buildEngagement(data, at), url: toText(link) ?? '' },
  }),
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

const SUPPRESSION_TYPES: Record<string, string> = {
  HARD_BOUNCE: 'Bounce',
  SOFT_BOUNCE: 'Bounce',
  COMPLAINT: 'Complaint',
  MANUAL: 'Manual',
};

function buildSuppression(data: PayloadData, { suppressions }: EmailEventInput): PayloadData {
  const [first] = suppressions;
  return {
    type: SUPPRESSION_TYPES[first?.reason ?? ''] ?? 'Manual',
    reason: toText(data.error) ?? '',
    ...(first?.source && { source: first.source }),
  };
}

function buildEngagement(data: PayloadData, at: string): PayloadData {
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
