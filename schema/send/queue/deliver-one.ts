import type { Db } from '../../../src/db/db.ts';
import type { Clock } from '../../../src/delivery/clock.ts';
import type { RateLimiter } from '../../../src/delivery/rate.ts';
import type {
  SendOutcome,
  SendResult,
  ThrottledResult,
  Transport,
  TransportMessage,
} from '../../../src/delivery/transport.ts';
import { limits } from '../../../src/limits.ts';
import { getAddressDomain, parseAddress } from '../../../src/mail/address.ts';
import { buildMimeMessage, ComposeError } from '../../../src/mail/compose.ts';
import { htmlToText } from '../../../src/mail/html-text.ts';
import type { DomainKeys } from '../domains/signing.ts';
import type { ReturnPaths } from '../provider/return-path.ts';
import { PAUSED } from '../state/email-state.ts';
import type { ClaimedEmail } from './claim.ts';
import { largeContentOf, type Memory } from './large-content.ts';
import type { Outages } from './outages.ts';
import type { NotSent } from './record-outcome.ts';

/** A send that would have to wait longer behind others goes back to the queue. */
const LONGEST_WAIT = 10_000;

/** Milliseconds until held mail is tried again: its domain is mostly mended soon. */
const HELD = 600_000;

const hold = (reason: string): NotSent => ({ kind: 'held', retryAfterMs: HELD, reason });

/** What a send goes through. */
export interface Way {
  transport: Transport;
  pace: RateLimiter;
  outages: Outages;
  clock: Clock;
  /** For the content of large emails. */
  memory: Memory;
  /** Null where the provider signs. */
  signing: DomainKeys | null;
  /** Null where reports of bounces do not come here by mail. */
  returnPaths: ReturnPaths | null;
  /** Ends the waiting for room. */
  stopped: AbortSignal;
}

/** Composes, waits for room at the provider and sends. A stop ends the waiting, not a send that runs. */
export async function deliverOne(db: Db, email: ClaimedEmail, way: Way): Promise<SendOutcome | NotSent> {
  const held =
    withheld(email) ?? way.outages.waits({ ...email, from: parseAddress(email.from)?.address ?? '' });
  if (held) return held;
  if (email.large === 0) return handOver(await equipped(outgoing(email), email, way), way);
  const free = await way.memory.take(email.large, way.stopped).catch(() => null);
  if (!free) return ENDED;
  try {
    return await handOver(await equipped(await outgoingLarge(db, email), email, way), way);
  } finally {
    free();
  }
}

/** With what its way out takes beside the message: the key it is signed with, and where reports of it go. */
async function equipped(
  message: TransportMessage | SendResult | NotSent,
  email: ClaimedEmail,
  way: Way,
): Promise<TransportMessage | SendResult | NotSent> {
  const signed = await withKey(message, email, way);
  if ('kind' in signed || !way.returnPaths) return signed;
  // Without it the email goes out all the same, and its bounces are mail like any other.
  const returns = await way.returnPaths(email.workspace_id, email.id, signed.from).catch(() => null);
  return { ...signed, returns };
}

async function withKey(
  message: TransportMessage | SendResult | NotSent,
  email: ClaimedEmail,
  { signing }: Way,
): Promise<TransportMessage | SendResult | NotSent> {
  if ('kind' in message || !signing) return message;
  const domain = getAddressDomain(message.from);
  try {
    const { key, held } = await signing(email.workspace_id, domain);
    if (held) return hold(held);
    return key ? { ...message, dkim: { ...key, domain } } : message;
  } catch {
    return putBack(1_000, 'The DKIM key of its domain could not be read.');
  }
}

async function handOver(
  message: TransportMessage | SendResult | NotSent,
  way: Way,
): Promise<SendOutcome | NotSent> {
  if ('kind' in message) return message;
  const { transport, pace, outages } = way;
  const leave = await admitted(way, message.recipients.length);
  if (typeof leave !== 'function') return leave;
  const outcome = await transport.send(message).finally(leave);
  if (outcome.kind === 'throttled') pace.throttled(outcome);
  outages.answered(message, outcome);
  return outcome;
}

/** Its content is read now and forgotten as soon as the message is composed. */
async function outgoingLarge(db: Db, email: ClaimedEmail): Promise<TransportMessage | SendResult | NotSent> {
  const content = await largeContentOf(db, email).catch(() => undefined);
  if (content === undefined) return putBack(1_000, 'Its content could not be read.');
  return content ? outgoing({ ...email, ...content }) : withdrawn('It was deleted.');
}

/** Waits for room at the provider. @returns what to call when it has answered, or why there is none */
async function admitted(
  { pace, clock, stopped }: Way,
  count: number,
): Promise<(() => void) | ThrottledResult> {
  if (pace.getCapacity(LONGEST_WAIT) < 1) return putBack(LONGEST_WAIT, "Waiting for the provider's rate.");
  const admission = pace.reserve(count);
  if ('blockedMs' in admission)
    return putBack(admission.blockedMs, "The provider's daily quota is used up.", 'daily');
  try {
    if (admission.waitMs > 0) await clock.sleep(admission.waitMs, stopped);
    return await pace.waitForSlot(count, stopped);
  } catch {
    pace.release(count);
    return ENDED;
  }
}

export const putBack = (
  retryAfterMs: number,
  reason: string,
  scope: ThrottledResult['scope'] = 'rate',
): ThrottledResult => ({
  kind: 'throttled',
  scope,
  retryAfterMs,
  reason,
});

const ENDED = putBack(0, 'The process ended before its turn.');

function outgoing(email: ClaimedEmail): TransportMessage | SendResult {
  try {
    const from = parseAddress(email.from)!.address;
    return {
      emailId: email.public_id,
      from,
      recipients: email.pending.length > 0 ? email.pending : everyone(email),
      raw: composed(email, from),
      tracking: email.tracking,
      tags: { workspace: String(email.workspace_id), email: email.public_id },
    };
  } catch (error) {
    // Nothing has left yet, so this is a definite no; a row that cannot be composed must not be claimed for ever.
    const reason =
      error instanceof ComposeError ? error.message : `It could not be composed: ${(error as Error).message}`;
    return { kind: 'refused', code: 'compose', reason };
  }
}

/** What becomes of an email that may not go out, or not now, though it was accepted. */
function withheld(email: ClaimedEmail): SendResult | NotSent | null {
  const { domain_status, campaign, contact } = email;
  if (campaign === 'gone') return withdrawn('Its campaign was deleted.');
  if (domain_status === null) return withdrawn('Its domain was deleted.');
  if (contact === 'gone') return { kind: 'cancelled', reason: 'The contact was deleted.' };
  if (contact === 'left') return { kind: 'cancelled', reason: 'The contact has unsubscribed.' };
  // It goes back to be held, because the campaign is paused.
  if (campaign === 'paused') return putBack(0, PAUSED);
  return domain_status === 'SUCCESS' ? null : hold('Its domain is not verified now.');
}

const withdrawn = (reason: string): SendResult => ({ kind: 'refused', code: 'withdrawn', reason });

const everyone = (email: ClaimedEmail): string[] =>
  [...email.to, ...email.cc, ...email.bcc].map((text) => parseAddress(text)!.address);

/** Plain text for readers without HTML; truncated if very long. */
const madeText = (html: string | null): string | null =>
  html && html.length <= limits.email.textFromHtml ? htmlToText(html) : null;

function composed(email: ClaimedEmail, from: string): Buffer {
  return buildMimeMessage({
    emailId: email.public_id,
    messageId: `${email.public_id}@${from.split('@')[1]}`,
    date: new Date(email.created),
    from: email.from,
    to: email.to,
    cc: email.cc,
    replyTo: email.reply_to,
    subject: email.subject,
    text: email.text ?? madeText(email.html),
    html: email.html,
    headers: email.headers,
    attachments: email.attachments,
    inReplyTo: email.in_reply_to,
    references: email.in_reply_to ? [email.in_reply_to] : [],
  });
}
