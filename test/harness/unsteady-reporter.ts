import type { Reporter, TestModule } from 'vitest/node';

/** Tests that may pass only on retry before the run fails. */
const MAX_UNSTEADY_TESTS = 3;

/**
 * CI retries a failed test once, because its machines are shared. A test that passes on retry is unsteady. The report
 * shows it with its first error, because it indicates a defect in the test or the product. With more than
 * `MAX_UNSTEADY_TESTS` of them, the run fails.
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
