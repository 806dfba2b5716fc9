import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../harness/database.ts';
import { startProcess } from '../harness/process.ts';
import { setUp } from '../harness/set-up.ts';

/** Starts a server for the commands of a page. `env` contains the keys that the first start prints. */
export const setUpFirstStart = () =>
  setUp(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'atrium-docs-'));
    const database = await createDatabase();
    const guideEnv = { DATA_DIR: dataDir, DATABASE_URL: database.url };
    const app = await startProcess(guideEnv);
    const keys = [...app.output().matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]);
    const env: NodeJS.ProcessEnv = { ...process.env, ...guideEnv, ...Object.fromEntries(keys) };
    const close = async () => {
      await app.end('SIGTERM');
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    return { env, close };
  });
