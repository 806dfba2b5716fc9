import type { RefusedResult, SendOutcome, SendPart, SendResult } from './transport.ts';

/**
 * Combines the parts of a send into one outcome if they agree and no mailbox is missing. Otherwise returns `partial`.
 */
export function combineParts(parts: readonly SendPart[]): SendOutcome {
  const [first, ...rest] = parts.map((part) => part.outcome);
  if (!first) return { kind: 'refused', code: 'NO_RECIPIENTS', reason: 'the message has no recipients' };
  const isMixed = rest.some((outcome) => outcome.kind !== first.kind);
  return isMixed || parts.some(({ outcome }) => isBounce(outcome))
    ? { kind: 'partial', parts: [...parts] }
    : { ...first, ...pickSoftBounces(parts) };
}

function pickSoftBounces(parts: readonly SendPart[]): { softBounced?: string[] } {
  const softBounced = listSoftBounces(parts);
  return softBounced.length > 0 ? { softBounced } : {};
}

export const listSoftBounces = (parts: readonly SendPart[]): string[] =>
  parts.flatMap(({ outcome }) => (outcome.kind === 'refused' ? (outcome.softBounced ?? []) : []));

export const isBounce = (outcome: SendResult): outcome is RefusedResult & { noMailbox: string } =>
  outcome.kind === 'refused' && outcome.noMailbox !== undefined;
