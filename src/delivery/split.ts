import type { Answer, Outcome, Part } from './transport.ts';

/** Consecutive shares of at most `size` recipients. */
export function split(recipients: readonly string[], size: number): string[][] {
  const shares: string[][] = [];
  for (let at = 0; at < recipients.length; at += size) shares.push(recipients.slice(at, at + size));
  return shares;
}

/**
 * One outcome for all shares of an envelope. Shares after a throttled or unknown one are not tried:
 * they count as throttled, since nothing of them was sent.
 */
export async function sendShares(
  shares: readonly string[][],
  sendOne: (recipients: string[]) => Promise<Answer>,
): Promise<Outcome> {
  const parts: Part[] = [];
  let stop: Answer | null = null;
  for (const recipients of shares) {
    const outcome: Answer = stop ? untried(stop) : await sendOne(recipients);
    if (outcome.kind === 'throttled' || outcome.kind === 'unknown') stop ??= outcome;
    parts.push({ recipients, outcome });
  }
  return join(parts);
}

/** The parts as one answer when they agree, otherwise `partial`. */
export function join(parts: readonly Part[]): Outcome {
  const [first, ...rest] = parts.map((part) => part.outcome);
  if (!first) return { kind: 'refused', code: 'NO_RECIPIENTS', reason: 'the message has no recipients' };
  if (rest.some((outcome) => outcome.kind !== first.kind)) return { kind: 'partial', parts: [...parts] };
  if (first.kind !== 'sent' || rest.length === 0) return first;
  return {
    ...first,
    otherIds: rest.flatMap((outcome) => (outcome.kind === 'sent' ? [outcome.providerId] : [])),
  };
}

function untried(stop: Answer): Answer {
  if (stop.kind === 'throttled') return stop;
  return {
    kind: 'throttled',
    scope: 'rate',
    retryAfterMs: 1000,
    reason: 'not tried after an earlier share of this envelope got no clear answer',
  };
}
