import { createRuntime } from '../../boot/server.ts';
import { createWorkspace } from '../../schema/base/workspace/create-workspace.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { computeMedian } from './process.ts';
import type { Stage } from './stage.ts';

/** Creates workspaces sequentially. @returns the median milliseconds per workspace */
export async function measureCreation({ databaseUrl, dataDir }: Stage, count: number): Promise<number> {
  const config = loadConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' });
  const runtime = await createRuntime(config, databaseUrl, createLog(config.logLevel));
  const times: number[] = [];
  try {
    for (let i = 0; i < count; i++) {
      const startTime = performance.now();
      await createWorkspace(runtime, `made${i}`);
      times.push(performance.now() - startTime);
    }
  } finally {
    await runtime.db.close();
  }
  return Math.round(computeMedian(times));
}
