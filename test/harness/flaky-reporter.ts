import type { Reporter, TestModule } from 'vitest/node';

/** Tests that may pass only on retry before the run fails. */
const MAX_FLAKY_TESTS = 3;

/**
 * CI retries a failed test once, because its machines are shared. A test that passes on retry is flaky. The report
 * shows it with its first error, because it indicates a defect in the test or the product. With more than
 * `MAX_FLAKY_TESTS` of them, the run fails.
 */
export default class FlakyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky),
    );
    for (const test of flaky) {
      const [error] = test.result().errors ?? [];
      const where = error?.stacks?.[0];
      const line = where ? ` (line ${where.line})` : '';
      process.stderr.write(
        `\nFLAKY: ${test.module.relativeModuleId} > ${test.fullName}${line}: ${error?.message}\n`,
      );
    }
    if (flaky.length <= MAX_FLAKY_TESTS) return;
    process.stderr.write(
      `\n${flaky.length} flaky tests are more than ${MAX_FLAKY_TESTS}: the run has failed\n`,
    );
    process.exitCode = 1;
  }
}
