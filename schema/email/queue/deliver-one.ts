import type { Db } from '../../../src/db/db.ts';
import type { RateLimiter } from '../../../src/email/rate-limiter.ts';
import type {
  SendOutcome,
  SendResult,
  ThrottledResult,
  Transport,
  TransportMessage,
} from '../../../src/email/transport.ts';
import type { Clock } from '../../../src/loop/clock.ts';
import { getAddressDomain, parseAddress } from '../../../src/message/address.ts';
import { buildMimeMessage, ComposeError } from '../../../src/message/compose.ts';
import { processText } from '../../../src/text/process-text.ts';
import type { DomainKeys } from '../domains/signing.ts';
import type { ReturnPaths } from '../provider/return-path.ts';
import { PAUSED_REASON } from '../state/email-state.ts';
import type { ClaimedEmail } from './claim.ts';
import { loadLargeContent, type MemoryBudget } from './large-content.ts';
import type { ProviderOutages } from './outages.ts';
import type { NotSentOutcome } from './record-outcome.ts';

/** Longer HTML gets no generated text part. */
const MAX_CONVERTED_HTML_CHARS = 1024 * 1024;

/** A send that would wait longer for the rate limit is requeued. */
const MAX_RATE_WAIT_MS = 10_000;

/** Retry delay for mail held because of a domain problem. */
const HELD_RETRY_MS = 600_000;

const buildHeldOutcome = (reason: string): NotSentOutcome => ({
  kind: 'held',
  retryAfterMs: HELD_RETRY_MS,
  reason,
});

export interface SendContext {
  transport: Transport;
  pace: RateLimiter;
  outages: ProviderOutages;
  clock: Clock;
  memory: MemoryBudget;
  /** Null if the provider signs. */
  signing: DomainKeys | null;
  /** Null if bounces are not mailed to this installation. */
  returnPaths: ReturnPaths | null;
  stopped: AbortSignal;
}

/** Composes an email, waits for the rate limit and sends it. A shutdown ends the wait, but not a send in progress. */
export async function deliverOne(
  db: Db,
  email: ClaimedEmail,
  sendContext: SendContext,
): Promise<SendOutcome | NotSentOutcome> {
  const blocker =
    findBlocker(email) ??
    sendContext.outages.findBlocker({ ...email, from: parseAddress(email.from)?.address ?? '' });
  if (blocker) return blocker;
  if (email.large === 0)
    return submitMessage(
      await addRouting(await buildTransportMessage(email), email, sendContext),
      sendContext,
    );
  const releaseMemory = await sendContext.memory.take(email.large, sendContext.stopped).catch(() => null);
  if (!releaseMemory) return PROCESS_ENDED_RESULT;
  try {
    return await submitMessage(
      await addRouting(await buildLargeMessage(db, email), email, sendContext),
      sendContext,
    );
  } finally {
    releaseMemory();
  }
}

async function addRouting(
  message: TransportMessage | SendResult | NotSentOutcome,
  email: ClaimedEmail,
  sendContext: SendContext,
): Promise<TransportMessage | SendResult | NotSentOutcome> {
  const signedMessage = await addSigningKey(message, email, sendContext);
  if ('kind' in signedMessage || !sendContext.returnPaths) return signedMessage;
  // Without a return path, the email is still sent, and its bounces arrive as ordinary mail.
  const returns = await sendContext
    .returnPaths(email.workspace_id, email.id, signedMessage.from)
    .catch(() => null);
  return { ...signedMessage, returns };
}

async function addSigningKey(
  message: TransportMessage | SendResult | NotSentOutcome,
  email: ClaimedEmail,
  { signing }: SendContext,
): Promise<TransportMessage | SendResult | NotSentOutcome> {
  if ('kind' in message || !signing) return message;
  const domain = getAddressDomain(message.from);
  try {
    const { key, holdReason } = await signing(email.workspace_id, domain);
    if (holdReason) return buildHeldOutcome(holdReason);
    return key ? { ...message, dkim: { ...key, domain } } : message;
  } catch {
    return buildRequeueResult(1_000, 'The DKIM key of its domain could not be read.');
  }
}

async function submitMessage(
  message: TransportMessage | SendResult | NotSentOutcome,
  sendContext: SendContext,
): Promise<SendOutcome | NotSentOutcome> {
  if ('kind' in message) return message;
  const { transport, pace, outages } = sendContext;
  const leave = await acquireSendSlot(sendContext, message.recipients.length);
  if (typeof leave !== 'function') return leave;
  const outcome = await transport.send(message).finally(leave);
  if (outcome.kind === 'throttled') pace.throttled(outcome);
  outages.recordOutcome(message, outcome);
  return outcome;
}

/** Loads the content late, so that it is in memory only while the message is composed. */
async function buildLargeMessage(
  db: Db,
  email: ClaimedEmail,
): Promise<TransportMessage | SendResult | NotSentOutcome> {
  const content = await loadLargeContent(db, email).catch(() => undefined);
  if (content === undefined) return buildRequeueResult(1_000, 'Its content could not be read.');
  return content ? buildTransportMessage({ ...email, ...content }) : buildWithdrawnResult('It was deleted.');
}

/**
 * Waits for the rate limit.
 * @returns a function to call when the provider has responded, or the reason not to send now
 */
async function acquireSendSlot(
  { pace, clock, stopped }: SendContext,
  count: number,
): Promise<(() => void) | ThrottledResult> {
  if (pace.getCapacity(MAX_RATE_WAIT_MS) < 1)
    return buildRequeueResult(MAX_RATE_WAIT_MS, "Waiting for the provider's rate limit.");
  const admission = pace.reserve(count);
  if ('blockedMs' in admission)
    return buildRequeueResult(admission.blockedMs, "The provider's daily quota is used up.", 'daily');
  try {
    if (admission.waitMs > 0) await clock.sleep(admission.waitMs, stopped);
    return await pace.waitForSlot(count, stopped);
  } catch {
    pace.release(count);
    return PROCESS_ENDED_RESULT;
  }
}

export const buildRequeueResult = (
  retryAfterMs: number,
  reason: string,
  scope: ThrottledResult['scope'] = 'rate',
): ThrottledResult => ({
  kind: 'throttled',
  scope,
  retryAfterMs,
  reason,
});

const PROCESS_ENDED_RESULT = buildRequeueResult(0, 'The process ended before its turn.');

async function buildTransportMessage(email: ClaimedEmail): Promise<TransportMessage | SendResult> {
  try {
    const from = parseAddress(email.from)!.address;
    return {
      emailId: email.public_id,
      from,
      recipients: email.pending.length > 0 ? email.pending : getAllAddresses(email),
      raw: composeEmail(email, from, email.text ?? (await generateText(email))),
      tracking: email.tracking,
      tags: { workspace: String(email.workspace_id), email: email.public_id },
    };
  } catch (error) {
    // Final, because a retry would fail in the same way.
    const reason =
      error instanceof ComposeError
        ? error.message
        : `The email could not be composed: ${(error as Error).message}`;
    return { kind: 'refused', code: 'compose', reason };
  }
}

function findBlocker(email: ClaimedEmail): SendResult | NotSentOutcome | null {
  const { domain_status, campaign, contact } = email;
  if (campaign === 'gone') return buildWithdrawnResult('Its campaign was deleted.');
  if (domain_status === null) return buildWithdrawnResult('Its domain was deleted.');
  if (contact === 'gone') return { kind: 'cancelled', reason: 'The contact was deleted.' };
  if (contact === 'left') return { kind: 'cancelled', reason: 'The contact has unsubscribed.' };
  // The queue holds the email until its campaign is resumed.
  if (campaign === 'paused') return buildRequeueResult(0, PAUSED_REASON);
  return domain_status === 'SUCCESS' ? null : buildHeldOutcome('Its domain is currently not verified.');
}

const buildWithdrawnResult = (reason: string): SendResult => ({ kind: 'refused', code: 'withdrawn', reason });

const getAllAddresses = (email: ClaimedEmail): string[] =>
  [...email.to, ...email.cc, ...email.bcc].map((text) => parseAddress(text)!.address);

/** Null if there is no HTML or the conversion takes too long. The email is then sent without a plain-text part. */
const generateText = async ({ workspace_id, html }: ClaimedEmail): Promise<string | null> =>
  html && html.length <= MAX_CONVERTED_HTML_CHARS
    ? processText(workspace_id, 'convertHtmlToText', html).catch(() => null)
    : null;

function composeEmail(email: ClaimedEmail, from: string, text: string | null): Buffer {
  return buildMimeMessage({
    emailId: email.public_id,
    messageId: `${email.public_id}@${from.split('@')[1]}`,
    date: new Date(email.created),
    from: email.from,
    to: email.to,
    cc: email.cc,
    replyTo: email.reply_to,
    subject: email.subject,
    text,
    html: email.html,
    headers: email.headers,
    attachments: email.attachments,
    inReplyTo: email.in_reply_to,
    references: email.in_reply_to ? [email.in_reply_to] : [],
  });
}
