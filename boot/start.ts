import type { Logger } from 'pino';
import { type Config, ConfigError, loadConfig, parseEnvFile } from '../src/config.ts';
import { describeUnknownSettings } from '../src/config-report.ts';
import { keepRunning, lockDataDir, startEmbedded } from '../src/db/embedded/embedded.ts';
import { describeFailure } from '../src/describe-failure.ts';
import { createLog } from '../src/log.ts';

/** Shutdown steps, run in reverse order. `hurry` aborts on the second signal. */
export type StopHandlers = ((signal?: NodeJS.Signals, hurry?: AbortSignal) => unknown)[];

/** Starts this process in its role. On SIGTERM or SIGINT it stops after running work has finished. */
export async function start(): Promise<void> {
  const config = loadConfigOrExit();
  const log = createLog(config.logLevel);
  for (const line of describeUnknownSettings(process.env, parseEnvFile()))
    log.warn(`unknown setting: ${line}`);
  const ends: StopHandlers = [];
  stopOnSignal(ends, log);
  try {
    await open(config, log, ends);
  } catch (error) {
    await stopAll(ends, log);
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

async function open(config: Config, log: Logger, ends: StopHandlers): Promise<void> {
  if (config.otlp) {
    const { startTracing } = await import('./tracing.ts');
    ends.push(startTracing(config));
  }
  // The database starts while the modules load, which takes a second. A failure is handled after both have settled.
  const database = config.databaseUrl ?? startOwnDatabase(config, log, ends);
  const modules = import('./serve.ts');
  await Promise.allSettled([database, modules]);
  const { serve } = await modules;
  await serve(config, await database, log, ends);
}

async function startOwnDatabase(config: Config, log: Logger, ends: StopHandlers): Promise<string> {
  ends.push(lockDataDir(config.dataDir));
  const server = await startEmbedded(config.dataDir);
  ends.push(() => server.stop());
  const unwatch = keepRunning(config.dataDir, server, {
    log: (line) => log.error(line),
    onLost: (reason) => {
      process.stderr.write(`Atrium stops: ${reason}\n`);
      // Few shutdown steps succeed without the database.
      setTimeout(() => process.exit(1), LOST_EXIT_DELAY_MS);
      stopAll(ends, log).then(() => process.exit(1));
    },
  });
  ends.push(unwatch);
  return server.url;
}

const LOST_EXIT_DELAY_MS = 5_000;

async function stopAll(
  ends: StopHandlers,
  log: Logger,
  signal?: NodeJS.Signals,
  hurry?: AbortSignal,
): Promise<boolean> {
  let isClean = true;
  for (const end of ends.splice(0).reverse()) {
    try {
      await end(signal, hurry);
    } catch (error) {
      isClean = false;
      log.error({ err: error }, 'shutdown failed');
    }
  }
  return isClean;
}

/** A second signal ends the period when requests are still accepted. */
function stopOnSignal(ends: StopHandlers, log: Logger): void {
  const hurry = new AbortController();
  let ending = false;
  const handler = (signal: NodeJS.Signals) => {
    if (ending) return hurry.abort();
    ending = true;
    log.info({ signal }, 'shutting down: draining requests and jobs');
    stopAll(ends, log, signal, hurry.signal).then((isClean) => process.exit(isClean ? 0 : 1));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, handler);
}
