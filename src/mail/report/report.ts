/** What another server reports of a message that was sent. */
export interface MailReport {
  kind: 'delivery' | 'complaint';
  recipients: ReportedRecipient[];
  /** Original-Envelope-Id (RFC 3461): what the sender gave to servers alone; empty where none is named. */
  envelopeId: string;
  /** Envelope sender of the message it is about, as the report has it; empty where it names none. */
  returnPath: string;
  /** Message-ID of that message, without brackets; empty where it names none. */
  messageId: string;
}

export interface ReportedRecipient {
  /** In the words of the report, the address that was given first; empty where it names none. */
  addresses: string[];
  action: 'failed' | 'delayed' | 'delivered';
  /** Enhanced status code, such as 5.1.1; empty where it is not known. */
  status: string;
  diagnostic: string;
}

/** How a provider would name a bounce. */
export interface BounceKind {
  bounceType: 'Permanent' | 'Transient' | 'Undetermined';
  bounceSubType: string;
}

/**
 * What a failure says of the address: only one that is not there, or not in use any more, is permanent. A refusal of
 * the content or of the sender says nothing of the next message. Pure.
 */
export function classifyBounce({
  status,
  diagnostic,
}: Pick<ReportedRecipient, 'status' | 'diagnostic'>): BounceKind {
  const code = getExactStatus(status, diagnostic);
  if (code.startsWith('4.')) return { bounceType: 'Transient', bounceSubType: 'General' };
  if (/^5\.1\.(?:1|2|3|6|10)$/.test(code)) return { bounceType: 'Permanent', bounceSubType: 'NoEmail' };
  if (code === '5.2.1') return { bounceType: 'Permanent', bounceSubType: 'General' };
  if (code === '5.2.2') return { bounceType: 'Transient', bounceSubType: 'MailboxFull' };
  if (code === '5.2.3' || code === '5.3.4')
    return { bounceType: 'Transient', bounceSubType: 'MessageTooLarge' };
  if (/^5\.[67]\./.test(code)) return { bounceType: 'Transient', bounceSubType: 'ContentRejected' };
  if (GONE_TEXT.test(diagnostic)) return { bounceType: 'Permanent', bounceSubType: 'NoEmail' };
  if (BLOCKED_TEXT.test(diagnostic)) return { bounceType: 'Transient', bounceSubType: 'ContentRejected' };
  return { bounceType: 'Undetermined', bounceSubType: 'Undetermined' };
}

/** Subtypes of bounces that are about the message or its sender. */
export const ABOUT_MESSAGE: ReadonlySet<string> = new Set([
  'ContentRejected',
  'AttachmentRejected',
  'MessageTooLarge',
]);

/** Whether a server's answer is about the message or its sender (RFC 3463: X.6 and X.7), not the address. Pure. */
export function refusesMessage(status: string, diagnostic: string): boolean {
  const code = findStatusCode(diagnostic) ?? status;
  return (
    /^4\.[67]\./.test(code) || ABOUT_MESSAGE.has(classifyBounce({ status: code, diagnostic }).bounceSubType)
  );
}

/** Servers that know no better say 5.0.0, and the code of the one they asked is in what it said. */
function getExactStatus(status: string, diagnostic: string): string {
  if (/^[45]\.[1-7]\./.test(status) && !/^5\.[35]\.0$/.test(status)) return status;
  return findStatusCode(diagnostic) ?? status;
}

/** The enhanced status code (RFC 3463) in a server's words. Pure. */
export const findStatusCode = (diagnostic: string): string | undefined =>
  /(?:^|[^\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(diagnostic)?.[1];

const GONE_TEXT = new RegExp(
  '\\b(?:(?:user|recipient|mailbox|address|account)(?: is| was)? ' +
    "(?:unknown|not found|disabled|does ?n[o']t exist)|" +
    '(?:no such|unknown|invalid|non-?existent) (?:user|recipient|mailbox|address|account)|' +
    "no mailbox here|does ?n[o']t have an account)\\b",
  'i',
);

/** Servers that give no exact code for what they have against the sender or the message. */
const BLOCKED_TEXT =
  /\b(?:black ?list|block ?list|blocked|banned|reputation|spam|spamhaus|dnsbl|rbl|dmarc|policy reasons?)/i;
