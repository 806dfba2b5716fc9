import { RequestError } from '../graphql/request-error.ts';

interface MailOutcome {
  ok: boolean;
  error?: string | null;
}

/**
 * @param argument the argument that a rejection is about
 * @throws RequestError if the server rejected the change
 */
export function assertOk<Outcome extends MailOutcome>(
  outcome: Outcome,
  argument: string | null = null,
): Outcome {
  if (!outcome.ok)
    throw new RequestError({ code: 'REJECTED', message: outcome.error ?? '', argument, requestId: null });
  return outcome;
}
