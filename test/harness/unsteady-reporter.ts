import type { Reporter, TestModule } from 'vitest/node';

/** More tests than this that passed at the second try only are no bad luck: the run has failed. */
const MAX_UNSTEADY_TESTS = 3;

/**
 * On a machine that many share, CI asks a test that failed once more. What passes then is unsteady: the end of the run
 * names it with the error of its first try, for it is a defect of the test or of the product. Beyond three, the run
 * fails.
 */
export default class UnsteadyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const unsteady = modules.flatMap((module) =>
      [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky),
    );
    for (const test of unsteady) {
      const [error] = test.result().errors ?? [];
      const where = error?.stacks?.[0];
      const line = where ? ` (line ${where.line})` : '';
      process.stderr.write(
        `\nUNSTEADY: ${test.module.relativeModuleId} > ${test.fullName}${line}: ${error?.message}\n`,
      );
    }
    if (unsteady.length <= MAX_UNSTEADY_TESTS) return;
    process.stderr.write(
      `\n${unsteady.length} unsteady tests are more than ${MAX_UNSTEADY_TESTS}: the run has failed\n`,
    );
    process.exitCode = 1;
  }
}
