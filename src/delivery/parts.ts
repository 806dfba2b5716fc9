import type { Outcome, Part } from './transport.ts';

/** The parts of an envelope as one answer when they agree, otherwise `partial`. */
export function join(parts: readonly Part[]): Outcome {
  const [first, ...rest] = parts.map((part) => part.outcome);
  if (!first) return { kind: 'refused', code: 'NO_RECIPIENTS', reason: 'the message has no recipients' };
  return rest.some((outcome) => outcome.kind !== first.kind) ? { kind: 'partial', parts: [...parts] } : first;
}
