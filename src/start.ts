import { buildDoors } from '../facades/index.ts';
import { firstSeed, type Seeded } from '../schema/base/seed.ts';
import { buildProduct } from '../schema/index.ts';
import { type Delivery, startDelivery } from '../schema/send/deliver.ts';
import { keepMessage } from '../schema/send/outbox.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { lockDataDir, startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { createTransport } from './delivery/create-transport.ts';
import { startDispatch } from './engine/events.ts';
import type { Runtime } from './engine/runtime.ts';
import { createLog } from './log.ts';
import { createRuntime, type Listening, listen } from './server.ts';
import { welcome } from './welcome.ts';

/** Starts this process in its role and ends it on SIGTERM or SIGINT, after what runs has run. */
export async function start(): Promise<void> {
  const config = configOrExit();
  const release = config.databaseUrl ? () => undefined : lockOrExit(config);
  const log = createLog(config.logLevel);
  const embedded = config.databaseUrl ? null : await startEmbedded(config.dataDir);
  const url = config.databaseUrl ?? embedded!.url;
  await migrate(url, (line) => log.info(line));
  const runtime = await createRuntime(config, url, buildProduct, log);
  const seeded = await firstSeed(runtime);
  const serving = await serve(runtime);
  const delivery = config.role === 'web' ? null : await deliver(runtime);
  const dispatch = config.role === 'web' ? null : await startDispatch(runtime.db, log);
  announce(config, serving, seeded);
  const jobs = runtime.jobs
    .start(config.role !== 'web')
    .catch((error) => log.error({ err: error }, 'background jobs could not start'));
  onSignal(async () => {
    await serving?.close();
    await delivery?.stop();
    await dispatch?.stop();
    await jobs;
    await runtime.jobs.stop();
    await runtime.db.close();
    await embedded?.stop();
    release();
  }, log);
}

function configOrExit(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function lockOrExit(config: Config): () => void {
  try {
    return lockDataDir(config.dataDir);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

/** A worker serves health and metrics only on the doors' port, so that it can be watched like the others. */
const serve = (runtime: Runtime): Promise<Listening> =>
  listen(
    buildDoors(runtime, runtime.config.role === 'worker' ? 'watch' : 'all'),
    runtime.config.host,
    runtime.config.port,
  );

async function deliver(runtime: Runtime): Promise<Delivery> {
  const transport = await createTransport(runtime.config, {
    keep: (message) => keepMessage(runtime.db, message),
  });
  const delivery = startDelivery(runtime, transport);
  const announceToOthers = runtime.wakeDelivery;
  runtime.wakeDelivery = runtime.config.role === 'all' ? delivery.wake : announceToOthers;
  await runtime.db.listen('atrium_mail', delivery.wake);
  return delivery;
}

function announce(config: Config, serving: Listening, seeded: Seeded | null): void {
  process.stdout.write(welcome(config, serving.port, seeded));
}

function onSignal(end: () => Promise<void>, log: Runtime['log']): void {
  let ending = false;
  const handler = (signal: NodeJS.Signals) => {
    if (ending) return;
    ending = true;
    log.info({ signal }, 'ending: requests and jobs are drained');
    end().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, 'the end was not clean');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', handler);
  process.on('SIGINT', handler);
}
