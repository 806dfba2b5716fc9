import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { findUnitTests, ISOLATED, SLOW, SOAK, TESTS } from './test/projects.ts';

// As Node itself resolves: graphql's `module` entry would be a second copy beside the one Pothos loads.
const resolve = {
  alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
};

const unit = findUnitTests();

const shared = {
  pool: 'forks' as const,
  // Far beyond what a busy machine needs: a limit only ends a test that would never pass.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  setupFiles: ['test/harness/title.ts'],
  expect: { poll: { timeout: 60_000 } },
};

/** Its files share their processes, so that the product is loaded once a worker and not once a file. */
const together = { ...shared, isolate: false };

export default defineConfig({
  test: {
    globalSetup: ['test/harness/database.ts', 'test/harness/peer-setup.ts', 'test/statements/setup.ts'],
    maxWorkers: availableParallelism(),
    // Beyond it the process would end as if all were well; until then the statements of the run are linted.
    teardownTimeout: 300_000,
    tags: [
      {
        name: 'slow',
        description: 'Tests of seconds or many megabytes among faster ones; `npm run test:full` runs them.',
      },
      {
        name: 'soak',
        description: 'Kills and large data among faster tests; `npm run test:soak` runs them.',
      },
    ],
    projects: [
      { resolve, test: { ...together, name: 'unit', include: unit } },
      {
        resolve,
        test: {
          ...together,
          name: 'integration',
          include: TESTS,
          exclude: [...unit, ...ISOLATED, ...SLOW, ...SOAK],
        },
      },
      { resolve, test: { ...shared, name: 'isolated', include: ISOLATED } },
      { resolve, test: { ...together, name: 'slow', include: SLOW } },
      { resolve, test: { ...shared, name: 'soak', include: SOAK } },
    ],
  },
});
