import type { Answer, Outcome } from '../../src/delivery/transport.ts';
import type { ClaimedEmail, Settled } from './claim.ts';

const LONGEST_BACKOFF = 300;

/** What an outcome means for the row of the email. Pure. */
export function settledBy(
  email: Pick<ClaimedEmail, 'workspace_id' | 'id' | 'attempts'>,
  outcome: Outcome,
  transport: string,
): Settled {
  const base: Settled = {
    workspace_id: email.workspace_id,
    id: email.id,
    state: 'queued',
    wait: 0,
    reason: null,
    provider_id: null,
    status: null,
    data: null,
  };
  switch (outcome.kind) {
    case 'sent':
      // The local transport has written the row and its events already, in the transaction that kept the message.
      return {
        ...base,
        state: 'sent',
        provider_id: outcome.providerId,
        status: transport === 'local' ? null : 'SENT',
      };
    case 'refused':
      return {
        ...base,
        state: 'failed',
        reason: outcome.reason,
        status: 'FAILED',
        data: { error: outcome.reason, code: outcome.code },
      };
    case 'throttled':
      return { ...base, wait: backoff(outcome.retryAfterMs, email.attempts), reason: outcome.reason };
    case 'unknown':
      return { ...base, state: 'unknown', reason: outcome.reason };
    case 'partial':
      return { ...base, ...partial(outcome.parts) };
  }
}

/** Seconds: what the provider asks for, doubled with each attempt. */
function backoff(retryAfterMs: number, attempts: number): number {
  const asked = retryAfterMs / 1000;
  return Math.max(asked, Math.min(LONGEST_BACKOFF, 2 ** Math.min(attempts, 10) * 0.5));
}

/** Some recipients went out, so the email as a whole is never sent again; the others are named. */
function partial(parts: { recipients: string[]; outcome: Answer }[]): Partial<Settled> {
  const sent = parts.find((part) => part.outcome.kind === 'sent');
  const unsure = parts.some((part) => part.outcome.kind === 'unknown');
  const failed = parts.filter((part) => part.outcome.kind !== 'sent');
  const reason = failed
    .map((part) => `${part.recipients.join(', ')}: ${'reason' in part.outcome ? part.outcome.reason : ''}`)
    .join('; ');
  return {
    state: sent ? 'sent' : unsure ? 'unknown' : 'failed',
    provider_id: sent?.outcome.kind === 'sent' ? sent.outcome.providerId : null,
    reason: `Not sent to ${reason}`,
    status: sent ? 'SENT' : unsure ? null : 'FAILED',
    data: { error: reason },
  };
}
