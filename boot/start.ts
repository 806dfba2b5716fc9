import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildFacades } from '../facades/index.ts';
import type { SubmissionServer } from '../facades/smtp/facade.ts';
import type { MailExchangeServer } from '../facades/smtp/mx/facade.ts';
import { startProvisioning } from '../schema/base/workspace/provisioning.ts';
import { seedFirstWorkspace } from '../schema/base/workspace/seed.ts';
import { buildWelcome } from '../schema/base/workspace/welcome.ts';
import { waitForNotices } from '../schema/email/provider/notices.ts';
import { type Delivery, startDelivery } from '../schema/email/queue/deliver.ts';
import { startWebhooks } from '../schema/email/webhooks/worker.ts';
import { buildProduct } from '../schema/index.ts';
import { startScheduledSender } from '../schema/mailbox/compose/send-due.ts';
import { startMailFiler } from '../schema/mailbox/filing/mail-filer.ts';
import { createLocalDelivery } from '../schema/mailbox/intake/local-delivery.ts';
import { createMailIntake } from '../schema/mailbox/intake/mail-intake.ts';
import { startMailJobs } from '../schema/mailbox/jobs/run-jobs.ts';
import { startLeaseReleaser } from '../schema/mailbox/kit/lease.ts';
import { type Config, ConfigError, loadConfig, parseEnvFile } from '../src/config.ts';
import { describeUnknownSettings } from '../src/config-report.ts';
import { resolveDirectUrl } from '../src/db/direct-url.ts';
import { keepRunning, lockDataDir, startEmbedded } from '../src/db/embedded/embedded.ts';
import { migrateDatabase } from '../src/db/migrations/migrate.ts';
import { describeFailure } from '../src/describe-failure.ts';
import { createTransport } from '../src/email/create-transport.ts';
import type { Runtime } from '../src/engine/ctx/runtime.ts';
import { getHub } from '../src/engine/live/live.ts';
import { getCallLog } from '../src/engine/operation/call-log.ts';
import { DUE_CHANNEL } from '../src/engine/work/due.ts';
import { startDueWork } from '../src/engine/work/due-work.ts';
import { startDispatch } from '../src/engine/work/events.ts';
import { createLog } from '../src/log.ts';
import { version } from '../src/version.ts';
import { createRuntime, type ListeningServer, listen } from './server.ts';

/** Shutdown steps, run in reverse order. `hurry` aborts on the second signal. */
type StopHandlers = ((signal?: NodeJS.Signals, hurry?: AbortSignal) => unknown)[];

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

async function open(config: Config, log: Runtime['log'], ends: StopHandlers): Promise<void> {
  if (config.otlp) {
    const { startTracing } = await import('./tracing.ts');
    ends.push(startTracing(config));
  }
  const url = config.databaseUrl ?? (await startOwnDatabase(config, log, ends));
  const isForced = process.argv.includes('--force');
  await migrateDatabase(await resolveDirectUrl(config, url), (line) => log.info(line), undefined, isForced);
  const runtime = await createRuntime(config, url, buildProduct, log);
  runtime.phase = 'starting';
  ends.push(() => runtime.db.close());
  ends.push(() => getCallLog(runtime).waitUntilWritten());
  ends.push(() => waitForNotices(runtime.db));
  // A worker serves only health and metrics, so that it can be monitored like the other processes.
  const facades = buildFacades(runtime, config.role === 'worker' ? 'watch' : 'all');
  const server = await listen(facades, config.host, config.port);
  log.info({ version, host: config.host, port: server.port, role: config.role }, 'listening');
  const submission = await openSubmission(runtime);
  const exchange = await openExchange(runtime);
  // The credentials of the first start are shown once, so nothing that can fail may come between creating and showing
  // them.
  process.stdout.write(buildWelcome(config, server.port, await seedFirstWorkspace(runtime)));
  startJobs(runtime, ends);
  if (config.role !== 'web') await startWorkers(runtime, ends);
  if (submission) ends.push(() => submission.close());
  if (exchange) ends.push(() => exchange.close());
  ends.push(() => server.close());
  // Open streams would otherwise delay shutdown like running requests.
  ends.push(() => getHub(runtime).stop());
  ends.push((signal, hurry) => drainAndClose(runtime, server, signal, hurry));
  runtime.phase = 'running';
  releaseStartMemory();
}

/** Releases 30 MB of garbage from startup, which V8 would otherwise keep until there is load. */
function releaseStartMemory(): void {
  // Otherwise the cache is only written at exit, which a killed process does not reach.
  flushCompileCache();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', flavor: 'last-resort' });
}

/**
 * Keeps accepting requests until load balancers notice the shutdown. Skipped for a worker, which gets no requests, and
 * for SIGINT.
 */
async function drainAndClose(
  runtime: Runtime,
  server: ListeningServer,
  signal?: NodeJS.Signals,
  hurry?: AbortSignal,
): Promise<void> {
  const { role, drainSeconds } = runtime.config;
  runtime.phase = 'draining';
  server.leave();
  if (signal !== 'SIGTERM' || role === 'worker') return;
  await sleep(drainSeconds * 1_000, undefined, { signal: hurry }).catch(() => undefined);
}

async function startOwnDatabase(config: Config, log: Runtime['log'], ends: StopHandlers): Promise<string> {
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

/** Runs after the server listens, because it takes a moment. Retries until the database is available. */
function startJobs(runtime: Runtime, ends: StopHandlers): void {
  const { jobs, config, log } = runtime;
  let ending = false;
  const start = async () => {
    while (!ending) {
      try {
        return await jobs.start(config.role !== 'web');
      } catch (error) {
        log.error({ err: error }, 'background jobs could not start; retrying');
        await jobs.stop().catch(() => undefined);
        await sleep(JOBS_RETRY_INTERVAL_MS);
      }
    }
  };
  const stopJob = start();
  ends.push(async () => {
    ending = true;
    await stopJob;
    await jobs.stop();
  });
}

const JOBS_RETRY_INTERVAL_MS = 1_000;

async function startWorkers(runtime: Runtime, ends: StopHandlers): Promise<void> {
  const delivery = await deliver(runtime);
  ends.push(() => delivery.stop());
  const webhooks = startWebhooks(runtime);
  await runtime.db.listen(DUE_CHANNEL, webhooks.wake);
  ends.push(() => webhooks.stop());
  const releasing = startLeaseReleaser(runtime);
  ends.push(() => releasing.stop());
  const mailFiler = startMailFiler(runtime);
  await runtime.db.listen(DUE_CHANNEL, mailFiler.wake);
  ends.push(() => mailFiler.stop());
  const later = startScheduledSender(runtime);
  await runtime.db.listen(DUE_CHANNEL, later.wake);
  ends.push(() => later.stop());
  const mailJobs = startMailJobs(runtime);
  await runtime.db.listen(DUE_CHANNEL, mailJobs.wake);
  ends.push(() => mailJobs.stop());
  const due = startDueWork(runtime);
  await runtime.db.listen(DUE_CHANNEL, due.wake);
  ends.push(() => due.stop());
  const equipping = startProvisioning(runtime);
  ends.push(() => equipping.stop());
  const dispatch = await startDispatch(runtime.db, runtime.log);
  ends.push(() => dispatch.stop());
}

/** Loads the SMTP libraries only if needed. */
async function openSubmission(runtime: Runtime): Promise<SubmissionServer | null> {
  const { smtpSubmissionPort: port, smtpSubmissionsPort: tlsPort, role } = runtime.config;
  if ((port ?? tlsPort) === null || role === 'worker') return null;
  const { startSubmission } = await import('../facades/smtp/facade.ts');
  return startSubmission(runtime, { port, tlsPort });
}

async function openExchange(runtime: Runtime): Promise<MailExchangeServer | null> {
  const { mxPort: port, lmtpPort, role } = runtime.config;
  if ((port ?? lmtpPort) === null || role === 'worker') return null;
  const { startMailExchange } = await import('../facades/smtp/mx/facade.ts');
  return startMailExchange(runtime, createMailIntake(runtime), { port, lmtpPort });
}

async function deliver(runtime: Runtime): Promise<Delivery> {
  const transport = await createTransport(runtime.config, { keep: createLocalDelivery(runtime) });
  const delivery = startDelivery(runtime, transport);
  await runtime.db.listen(DUE_CHANNEL, delivery.wake);
  return delivery;
}

async function stopAll(
  ends: StopHandlers,
  log: Runtime['log'],
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
function stopOnSignal(ends: StopHandlers, log: Runtime['log']): void {
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
