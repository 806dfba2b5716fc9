import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '../../src/delivery/rate.ts';
import type { Answer, Outcome, Outgoing, Throttled, Transport } from '../../src/delivery/transport.ts';
import { limits } from '../../src/limits.ts';
import { parseAddress } from '../../src/mail/address.ts';
import { ComposeError, compose } from '../../src/mail/compose.ts';
import { htmlToText } from '../../src/mail/html-text.ts';
import type { ClaimedEmail } from './claim.ts';

/** A send that would have to wait longer behind others goes back to the queue. */
const LONGEST_WAIT = 10_000;

/** Composes, waits for its turn and sends. A stop ends the waiting, not a send that runs. */
export async function deliverOne(
  email: ClaimedEmail,
  transport: Transport,
  pace: Pace,
  stopping: AbortSignal,
): Promise<Outcome> {
  const message = outgoing(email);
  if ('kind' in message) return message;
  const turned = await turn(pace, message.recipients.length, stopping);
  if (typeof turned !== 'function') return turned;
  const outcome = await transport.send(message).finally(turned);
  if (outcome.kind === 'throttled') pace.throttled(outcome.scope, outcome.retryAfterMs);
  return outcome;
}

/** Waits for room at the provider. @returns what to call when it has answered, or why there is none */
async function turn(pace: Pace, count: number, stopping: AbortSignal): Promise<(() => void) | Throttled> {
  if (pace.room(LONGEST_WAIT) < 1) return putBack(LONGEST_WAIT, "Waiting for the provider's rate.");
  const admission = pace.admit(count);
  if ('blockedMs' in admission)
    return putBack(admission.blockedMs, "The provider's daily quota is used up.", 'daily');
  try {
    if (admission.waitMs > 0) await sleep(admission.waitMs, undefined, { signal: stopping });
    return await pace.enter(count, stopping);
  } catch {
    pace.release(count);
    return putBack(0, 'The process ended before its turn.');
  }
}

export const putBack = (
  retryAfterMs: number,
  reason: string,
  scope: Throttled['scope'] = 'rate',
): Throttled => ({
  kind: 'throttled',
  scope,
  retryAfterMs,
  reason,
});

function outgoing(email: ClaimedEmail): Outgoing | Answer {
  const reason = withdrawn(email);
  if (reason) return { kind: 'refused', code: 'withdrawn', reason };
  try {
    const from = parseAddress(email.from)!.address;
    return {
      emailId: email.public_id,
      from,
      recipients: email.pending.length > 0 ? email.pending : everyone(email),
      raw: composed(email, from),
      tracking: email.tracking,
      tags: { workspace: String(email.workspace_id) },
    };
  } catch (error) {
    // Nothing has left yet, so this is a definite no; a row that cannot be composed must not be claimed for ever.
    const reason =
      error instanceof ComposeError ? error.message : `It could not be composed: ${(error as Error).message}`;
    return { kind: 'refused', code: 'compose', reason };
  }
}

/** Why an email may not go out any more, though it was accepted. */
function withdrawn({ domain_status, orphaned }: ClaimedEmail): string | null {
  if (orphaned) return 'Its campaign was deleted.';
  if (domain_status === null) return 'Its domain was deleted.';
  return domain_status === 'SUCCESS' ? null : 'Its domain is no longer verified.';
}

const everyone = (email: ClaimedEmail): string[] =>
  [...email.to, ...email.cc, ...email.bcc].map((text) => parseAddress(text)!.address);

/** Readers without HTML get its words; of a very long one nobody reads them all. */
const madeText = (html: string | null): string | null =>
  html && html.length <= limits.textFromHtml ? htmlToText(html) : null;

function composed(email: ClaimedEmail, from: string): Buffer {
  return compose({
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
