import { createRuntime } from '../../boot/server.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { CHEAP_PASSWORD_COST, createPeople, SECRET_KEY } from './tenant.ts';

/**
 * Runs the setup of the first start on the migrated database whose URL is the argument, and prints the users of `main`.
 */
const config = { ...loadConfig({ LOG_LEVEL: 'fatal', SECRET_KEY }), passwordCost: CHEAP_PASSWORD_COST };
const runtime = await createRuntime(config, process.argv[2]!, createLog(config.logLevel, 2));
await runtime.jobs.start(false);
console.log(JSON.stringify(await createPeople(runtime, 'main')));
await runtime.jobs.stop();
await runtime.db.close();
