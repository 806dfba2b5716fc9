import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ALONE, SLOW } from './test/projects.ts';

// As Node itself resolves: graphql's `module` entry would be a second copy beside the one Pothos loads.
const resolve = {
  alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
};

const shared = {
  pool: 'forks' as const,
  // Far beyond what a busy machine needs: they only end what would never pass.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  setupFiles: ['test/harness/title.ts'],
  // What passes at the second try only is named by the reporter, and few may. What random numbers found is not asked
  // again: its message names their seed.
  retry: { count: process.env.CI ? 1 : 0, condition: /^(?![\s\S]*seed)/i },
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    globalSetup: ['test/harness/database.ts', 'test/harness/peer-setup.ts', 'test/statements/setup.ts'],
    maxWorkers: 2,
    reporters: ['default', './test/harness/unsteady.ts'],
    // Beyond it the process would end as if all were well; until then the statements of the run are linted.
    teardownTimeout: 300_000,
    projects: [
      // Its files share the processes they run in, so that the product is loaded and built twice and not 150 times.
      {
        resolve,
        test: {
          ...shared,
          name: 'fast',
          isolate: false,
          include: ['test/**/*.test.ts', 'web/src/**/*.test.ts'],
          exclude: [...ALONE, ...SLOW],
        },
      },
      { resolve, test: { ...shared, name: 'alone', include: ALONE } },
      { resolve, test: { ...shared, name: 'slow', include: SLOW } },
    ],
  },
});
