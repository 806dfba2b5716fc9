import { describeFailure } from '../../../src/describe-failure.ts';

/** Result of a check, with advice for the operator. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'failure';
  found: string;
  /** Null if no action is needed. */
  advice: string | null;
}

export const okFinding = (check: string, found: string): Finding => ({
  check,
  state: 'ok',
  found,
  advice: null,
});

export const warningFinding = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'warning',
  found,
  advice,
});

export const failureFinding = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'failure',
  found,
  advice,
});

/** Reports a check that throws as failed, so that the other checks still run. */
export async function runCheck(
  check: string,
  advice: string,
  look: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [failureFinding(check, describeFailure(error).split('\n')[0]!, advice)];
  }
}
