import { describeFailure } from '../../../src/describe-failure.ts';

export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'failure';
  found: string;
  advice: string | null;
}

export const buildOkFinding = (check: string, observed: string): Finding => ({
  check,
  state: 'ok',
  found: observed,
  advice: null,
});

export const buildWarningFinding = (check: string, observed: string, advice: string): Finding => ({
  check,
  state: 'warning',
  found: observed,
  advice,
});

export const buildFailureFinding = (check: string, observed: string, advice: string): Finding => ({
  check,
  state: 'failure',
  found: observed,
  advice,
});

/** Runs a check. If it throws, reports it as failed, so that the other checks still run. */
export async function runCheck(
  check: string,
  advice: string,
  load: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await load()].flat();
  } catch (error) {
    return [buildFailureFinding(check, describeFailure(error).split('\n')[0]!, advice)];
  }
}
