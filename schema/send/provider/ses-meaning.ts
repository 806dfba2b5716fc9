import { classifyBounce, findStatusCode } from '../../../src/mail/report/report.ts';

type EventData = Record<string, unknown>;

/**
 * What an event of SES says of the person it is about: null for a complaint that is none. SES calls every lasting
 * refusal permanent; one for the sender's reputation or the message says nothing about the recipient, so it becomes
 * transient, as it is by a relay. Pure.
 * @param key of the object of the event, such as `bounce`
 */
export function interpretSesEvent(key: string, data: EventData): EventData | null {
  if (key === 'complaint')
    return NON_COMPLAINT_TYPES.has(normalizeText(data.complaintFeedbackType)) ? null : data;
  if (key !== 'bounce' || data.bounceType !== 'Permanent') return data;
  // They chose which mail they want: it is no sign of a bad address.
  if (data.bounceSubType === 'UnsubscribedRecipient') return { ...data, bounceType: 'Transient' };
  if (data.bounceSubType !== 'General' || !Array.isArray(data.bouncedRecipients)) return data;
  const kinds = data.bouncedRecipients.map(getBounceKind);
  const gone = data.bouncedRecipients.filter((_, place) => kinds[place]!.bounceType !== 'Transient');
  const [first] = kinds;
  if (!first || gone.length === kinds.length) return data;
  return gone.length > 0 ? { ...data, bouncedRecipients: gone } : { ...data, ...first };
}

/**
 * RFC 5965 and RFC 6591: the reader says that it is not spam; a message that failed authentication. The others that SES
 * knows (abuse, fraud, virus, other, or none) are complaints.
 */
const NON_COMPLAINT_TYPES: ReadonlySet<string> = new Set(['not-spam', 'auth-failure']);

/** The recipient's server says it best; the status may be one that SES has made of it. */
function getBounceKind(recipient: unknown) {
  const { status, diagnosticCode } = (recipient ?? {}) as { status?: unknown; diagnosticCode?: unknown };
  const diagnostic = normalizeText(diagnosticCode).slice(0, 1_000);
  return classifyBounce({ status: findStatusCode(diagnostic) ?? normalizeText(status), diagnostic });
}

const normalizeText = (value: unknown): string =>
  typeof value === 'string' ? value.trim().toLowerCase() : '';
