import type { Logger } from 'pino';
import { type Config, ConfigError, loadConfig, parseEnvFile } from '../src/config.ts';
import { describeUnknownSettings } from '../src/config-report.ts';
import { keepServerRunning, lockDataDir, startEmbedded } from '../src/db/embedded/embedded.ts';
import { describeFailure } from '../src/describe-failure.ts';
import { createLog } from '../src/log.ts';
import { type StopHandlers, stopAll, stopOnSignal } from './stop.ts';

/** Starts this process in its role. On SIGTERM or SIGINT, finishes work in progress and then stops. */
export async function start(): Promise<void> {
  const config = loadConfigOrExit();
  const log = createLog(config.logLevel);
  // By default, Node exits. An unhandled rejection belongs to one request, and must not end the others.
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled rejection'));
  for (const line of describeUnknownSettings(process.env, parseEnvFile()))
    log.warn(`unknown setting: ${line}`);
  const stopHandlers: StopHandlers = [];
  stopOnSignal(stopHandlers, log);
  try {
    await loadAndServe(config, log, stopHandlers);
  } catch (error) {
    await stopAll(stopHandlers, log);
    process.stderr.write(`Atrium could not start: ${describeFailure(error, config)}\n`);
    process.exit(1);
  }
}

function loadConfigOrExit(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function loadAndServe(config: Config, log: Logger, stopHandlers: StopHandlers): Promise<void> {
  if (config.otlp) {
    const { startTracing } = await import('./tracing.ts');
    stopHandlers.push(startTracing(config));
  }
  // The database starts while the modules load, which takes a second. A failure is handled after both have settled.
  const database = config.databaseUrl ?? startEmbeddedDatabase(config, log, stopHandlers);
  const modules = import('./serve.ts');
  await Promise.allSettled([database, modules]);
  const { serve } = await modules;
  await serve(config, await database, log, stopHandlers);
}

async function startEmbeddedDatabase(
  config: Config,
  log: Logger,
  stopHandlers: StopHandlers,
): Promise<string> {
  stopHandlers.push(lockDataDir(config.dataDir));
  const server = await startEmbedded(config.dataDir);
  stopHandlers.push(() => server.stop());
  const unwatch = keepServerRunning(config.dataDir, server, {
    log: (line) => log.error(line),
    onLost: (reason) => {
      process.stderr.write(`Atrium stops: ${reason}\n`);
      // Exits even if the shutdown hangs, because few shutdown steps succeed without the database.
      setTimeout(() => process.exit(1), LOST_EXIT_DELAY_MS);
      stopAll(stopHandlers, log).then(() => process.exit(1));
    },
  });
  stopHandlers.push(unwatch);
  return server.url;
}

const LOST_EXIT_DELAY_MS = 5_000;
