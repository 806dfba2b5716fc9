/** Another server's report about a sent message. */
export interface MailReport {
  kind: 'delivery' | 'complaint';
  recipients: ReportedRecipient[];
  /** Original-Envelope-Id (RFC 3461), which the sender disclosed only to servers. Empty if missing. */
  envelopeId: string;
  /** Envelope sender of the reported message, according to the report. Empty if missing. */
  returnPath: string;
  /** Message-ID of the reported message, without brackets. Empty if missing. */
  messageId: string;
}

export interface ReportedRecipient {
  /** Addresses of the recipient, starting with the original address. Empty if missing. */
  addresses: string[];
  action: 'failed' | 'delayed' | 'delivered';
  /** Enhanced status code, such as 5.1.1. Empty if unknown. */
  status: string;
  diagnostic: string;
}

/** Bounce types of Amazon SES. */
interface BounceKind {
  bounceType: 'Permanent' | 'Transient' | 'Undetermined';
  bounceSubType: string;
}

/**
 * Classifies a failed delivery. Only a missing or deleted address is a permanent failure. If the content or the sender
 * is rejected, other messages to the address may still be delivered.
 */
export function classifyBounce({
  status,
  diagnostic,
}: Pick<ReportedRecipient, 'status' | 'diagnostic'>): BounceKind {
  const code = getExactStatus(status, diagnostic);
  // 5.4.7: the message expired in the queue.
  if (code.startsWith('4.') || code === '5.4.7') return { bounceType: 'Transient', bounceSubType: 'General' };
  if (refusesSender(code, diagnostic)) return { bounceType: 'Transient', bounceSubType: 'ContentRejected' };
  if (/^5\.1\.(?:1|2|3|6|10)$/.test(code)) return { bounceType: 'Permanent', bounceSubType: 'NoEmail' };
  if (RATE_TEXT.test(diagnostic)) return { bounceType: 'Transient', bounceSubType: 'General' };
  if (code === '5.2.1') return { bounceType: 'Permanent', bounceSubType: 'General' };
  if (code === '5.2.2') return { bounceType: 'Transient', bounceSubType: 'MailboxFull' };
  if (code === '5.2.3' || code === '5.3.4')
    return { bounceType: 'Transient', bounceSubType: 'MessageTooLarge' };
  if (
    (code === '5.7.1' && UNKNOWN_TEXT.test(diagnostic)) ||
    (code === '5.4.1' && DENIED_TEXT.test(diagnostic))
  )
    return { bounceType: 'Permanent', bounceSubType: 'NoEmail' };
  if (/^5\.[67]\./.test(code)) return { bounceType: 'Transient', bounceSubType: 'ContentRejected' };
  if (isGone(diagnostic)) return { bounceType: 'Permanent', bounceSubType: 'NoEmail' };
  if (DISABLED_TEXT.test(diagnostic)) return { bounceType: 'Permanent', bounceSubType: 'General' };
  if (FULL_TEXT.test(diagnostic)) return { bounceType: 'Transient', bounceSubType: 'MailboxFull' };
  if (isBlocked(diagnostic)) return { bounceType: 'Transient', bounceSubType: 'ContentRejected' };
  if (!isExact(code) && UNAVAILABLE_TEXT.test(diagnostic))
    return { bounceType: 'Permanent', bounceSubType: 'NoEmail' };
  return { bounceType: 'Undetermined', bounceSubType: 'Undetermined' };
}

/** Gmail uses 5.2.1 both for disabled mailboxes and for mailboxes that receive too much mail at the moment. */
const RATE_TEXT = /\breceiving mail (?:at a rate|too quickly)\b/i;

/** Yandex rejects unknown mailboxes with 5.7.1, other servers with 5.5.0 (Outlook.com) or no code. */
const UNKNOWN_TEXT = /\b(?:no such|unknown) (?:user|recipient|mailbox)\b|\b(?:user|recipient) unknown\b/i;

/** Exchange Online rejects unknown recipients with 5.4.1. */
const DENIED_TEXT = /\brecipient address rejected: access denied\b/i;

/** The text of RFC 5321 for unknown mailboxes, and GMX's link. Any other following text may give another reason. */
const UNAVAILABLE_TEXT =
  /\bmailbox unavailable\b[\s\d.-]*(?:$|[([]|for explanation visit https?:\/\/postmaster\.\S*\s*(?:$|[([]))/i;

/** Bounce subtypes that concern the message or its sender. */
export const ABOUT_MESSAGE: ReadonlySet<string> = new Set([
  'ContentRejected',
  'AttachmentRejected',
  'MessageTooLarge',
]);

/** Returns true if a server's reply concerns the message or its sender (RFC 3463: X.6 and X.7), not the address. */
export function refusesMessage(status: string, diagnostic: string): boolean {
  const code = findStatusCode(diagnostic) ?? status;
  return (
    /^4\.[67]\./.test(code) || ABOUT_MESSAGE.has(classifyBounce({ status: code, diagnostic }).bounceSubType)
  );
}

/**
 * Prefers the code in the text, because the text quotes the receiving server's reply, and the reporting server may have
 * derived its own status. Generic codes such as 5.0.0 count only if there is no other.
 */
function getExactStatus(status: string, diagnostic: string): string {
  const quotedCode = findStatusCode(diagnostic);
  return [quotedCode, status].find((code) => code && isExact(code)) ?? quotedCode ?? status;
}

const isExact = (code: string): boolean => /^[45]\.[1-7]\./.test(code) && !/^5\.[35]\.0$/.test(code);

/**
 * True if the sender was rejected. Sendmail and other servers report 5.1.1 for any reply of 550 without a code, even if
 * it names a blocklist.
 */
function refusesSender(code: string, diagnostic: string): boolean {
  if (code === '5.1.7' || code === '5.1.8' || SENDER_TEXT.test(diagnostic)) return true;
  return (
    code === '5.1.1' &&
    findStatusCode(diagnostic) === undefined &&
    !isGone(diagnostic) &&
    isBlocked(diagnostic)
  );
}

/**
 * Includes failed sender verification, whose text quotes the reply of the sender's server. Exim reports a failed check
 * of the recipient as `Callout verification failed`.
 */
const SENDER_TEXT =
  /\bsender (?:address |domain )?(?:rejected|denied|blocked|verify|verification|call(?:back|out))\b/i;

/** Finds the enhanced status code (RFC 3463) in a server's reply. */
const findStatusCode = (diagnostic: string): string | undefined =>
  /(?:^|[^\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(diagnostic)?.[1];

const isGone = (diagnostic: string): boolean =>
  GONE_TEXT.test(diagnostic) || REJECTED_ADDRESS.test(diagnostic);

const GONE_TEXT = new RegExp(
  '\\b(?:(?:user|recipient|mailbox|address|account)(?: is| was)? ' +
    "(?:unknown|not found|disabled|does ?n[o']t exist)|" +
    '(?:no such|unknown|invalid|non-?existent) (?:local )?(?:user|recipient|mailbox|address|account)|' +
    '(?:not|no longer) a valid (?:user|recipient|mailbox|account)|unknown local[- ]part|unroute?able address|' +
    "no mailbox here|not listed in domino directory|does ?n[o']t have an? (?:[\\w.-]{1,60} )?account)\\b",
  'i',
);

/** IronPort's reply for unknown recipients. */
const REJECTED_ADDRESS = /(?:^|[\s#])5\.1\.0\s+address rejected\b/i;

/** Ignores the sender's own account, and states that are said to be temporary. */
const DISABLED_TEXT = new RegExp(
  '(?<!\\b(?:your|sender|sending) )\\b(?:user|recipient|mailbox|account)(?: <[^<>]{0,320}>)?(?: is| was| has been)? ' +
    '(?:suspended|deactivated|inactive|closed|deleted|terminated|disabled|discontinued)\\b',
  'i',
);

const FULL_TEXT = new RegExp(
  '\\b(?:mailbox (?:is )?full|over ?quota|quota (?:is |was |has been )?exceeded|' +
    'exceed(?:s|ed) (?:(?:its|the|storage|mailbox) )?quota)\\b',
  'i',
);

/** Recognizes replies without an exact code that reject the sender or the message. Ignores words in addresses. */
const isBlocked = (diagnostic: string): boolean =>
  NETEASE_CODE.test(diagnostic) || BLOCKED_TEXT.test(diagnostic.replace(/<[^<>]*>/g, ''));

/** Codes of 163.com and other servers of NetEase, such as `DT:SPM`. All concern the message or its sender. */
const NETEASE_CODE = /(?:^|\s)(?:CON|DT|HL|IP|MI|RP|RY):[A-Z]{3}\b/;

const BLOCKED_TEXT = new RegExp(
  '\\b(?:black ?list|block ?list|blocked|banned|reputation|spam|junk ?mail|dnsbl|rbl|dmarc|spf|dkim|rdns|' +
    'reverse dns|relay(?:ing)? (?:access )?(?:denied|not (?:permitted|allowed))|content (?:was )?rejected|' +
    'policy (?:reasons?|restrictions?|violations?)|security (?:policy|policies)|(?:rejected|denied) by policy|' +
    'content (?:examination )?policy|anti-?spoofing|administrative prohibition|mail content denied|' +
    'frequency limited|rejected by recipients|suspected (?:bounce|spam)|unsolicited|complaints|too many|' +
    'ptr (?:resource )?record|(?:your|sending|client) (?:ip|(?:mail ?)?server|host|network))|\\(BL\\)',
  'i',
);
