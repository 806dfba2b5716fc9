import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { createLog } from '../../src/log.ts';
import { createRuntime } from '../server.ts';
import { runOnDatabase } from './run-on-database.ts';

/** Like `runOnDatabase`, with a runtime that logs to stderr. */
export const runOnRuntime = <T>(run: (runtime: Runtime) => Promise<T>): Promise<T> =>
  runOnDatabase(async ({ config, url }) => {
    const runtime = await createRuntime(config, url, createLog(config.logLevel, 2));
    try {
      return await run(runtime);
    } finally {
      await runtime.db.close();
    }
  });
