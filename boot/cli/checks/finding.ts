import { describeFailure } from '../../../src/describe-failure.ts';

/** What a check found, and what the operator can do about it. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'failure';
  found: string;
  /** null where there is nothing to do. */
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

/** A check that cannot be made has failed; the others are made all the same. */
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
