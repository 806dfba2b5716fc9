import { classifyBounce } from '../../../src/message/report/report.ts';

type EventData = Record<string, unknown>;

/**
 * Interprets an SES event. Returns null for a feedback report that is not a complaint. SES calls every lasting
 * rejection permanent. A rejection due to content or sender reputation says nothing about the recipient, so it becomes
 * transient, as with a relay.
 * @param key key of the detail object, such as `bounce`
 */
export function interpretSesEvent(key: string, data: EventData): EventData | null {
  if (key === 'complaint')
    return NON_COMPLAINT_TYPES.has(normalizeText(data.complaintFeedbackType)) ? null : data;
  if (key !== 'bounce' || data.bounceType !== 'Permanent') return data;
  // The recipient has unsubscribed, so the address itself is valid.
  if (data.bounceSubType === 'UnsubscribedRecipient') return { ...data, bounceType: 'Transient' };
  if (data.bounceSubType !== 'General' || !Array.isArray(data.bouncedRecipients)) return data;
  const kinds = data.bouncedRecipients.map(getBounceKind);
  const bouncedRecipients = data.bouncedRecipients.filter(
    (_, index) => kinds[index]!.bounceType !== 'Transient',
  );
  const [first] = kinds;
  if (!first || bouncedRecipients.length === kinds.length) return data;
  return bouncedRecipients.length > 0 ? { ...data, bouncedRecipients } : { ...data, ...first };
}

/**
 * Feedback types (RFC 5965, RFC 6591) that are not complaints: the reader marked the message as not spam, or it failed
 * authentication. All other types are complaints, and so is a missing type.
 */
const NON_COMPLAINT_TYPES: ReadonlySet<string> = new Set(['not-spam', 'auth-failure']);

function getBounceKind(recipient: unknown) {
  const { status, diagnosticCode } = (recipient ?? {}) as { status?: unknown; diagnosticCode?: unknown };
  return classifyBounce({
    status: normalizeText(status),
    diagnostic: normalizeText(diagnosticCode).slice(0, 1_000),
  });
}

const normalizeText = (value: unknown): string =>
  typeof value === 'string' ? value.trim().toLowerCase() : '';
