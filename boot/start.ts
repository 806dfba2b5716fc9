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
  const stopHandlers: StopHandlers = [];
  stopOnSignal(stopHandlers, log);
  try {
    await open(config, log, stopHandlers);
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

async function open(config: Config, log: Runtime['log'], stopHandlers: StopHandlers): Promise<void> {
  if (config.otlp) {
    const { startTracing } = await import('./tracing.ts');
    stopHandlers.push(startTracing(config));
  }
  const url = config.databaseUrl ?? (await startEmbeddedDatabase(config, log, stopHandlers));
  const isForced = process.argv.includes('--force');
  await migrateDatabase(await resolveDirectUrl(config, url), (line) => log.info(line), undefined, isForced);
  const runtime = await createRuntime(config, url, buildProduct, log);
  runtime.phase = 'starting';
  stopHandlers.push(() => runtime.db.close());
  stopHandlers.push(() => getCallLog(runtime).waitUntilWritten());
  stopHandlers.push(() => waitForNotices(runtime.db));
  // A worker serves only health and metrics, so that it can be monitored like the other processes.
  const facades = buildFacades(runtime, config.role === 'worker' ? 'watch' : 'all');
  const server = await listen(facades, config.host, config.port);
  log.info({ version, host: config.host, port: server.port, role: config.role }, 'listening');
  const submission = await openSubmission(runtime);
  const exchange = await openExchange(runtime);
  // The credentials of the first start are shown once, so nothing that can fail may come between creating and showing
  // them.
  process.stdout.write(buildWelcome(config, server.port, await seedFirstWorkspace(runtime)));
  startJobs(runtime, stopHandlers);
  if (config.role !== 'web') await startWorkers(runtime, stopHandlers);
  if (submission) stopHandlers.push(() => submission.close());
  if (exchange) stopHandlers.push(() => exchange.close());
  stopHandlers.push(() => server.close());
  // Open streams would otherwise delay shutdown like running requests.
  stopHandlers.push(() => getHub(runtime).stop());
  stopHandlers.push((signal, hurry) => drainAndClose(runtime, server, signal, hurry));
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

async function startEmbeddedDatabase(
  config: Config,
  log: Runtime['log'],
  stopHandlers: StopHandlers,
): Promise<string> {
  stopHandlers.push(lockDataDir(config.dataDir));
  const server = await startEmbedded(config.dataDir);
  stopHandlers.push(() => server.stop());
  const unwatch = keepRunning(config.dataDir, server, {
    log: (line) => log.error(line),
    onLost: (reason) => {
      process.stderr.write(`Atrium stops: ${reason}\n`);
      // Few shutdown steps succeed without the database.
      setTimeout(() => process.exit(1), LOST_EXIT_DELAY_MS);
      stopAll(stopHandlers, log).then(() => process.exit(1));
    },
  });
  stopHandlers.push(unwatch);
  return server.url;
}

const LOST_EXIT_DELAY_MS = 5_000;

/** Runs after the server listens, because it takes a moment. Retries until the database is available. */
function startJobs(runtime: Runtime, stopHandlers: StopHandlers): void {
  const { jobs, config, log } = runtime;
  let isStopping = false;
  const start = async () => {
    while (!isStopping) {
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
  stopHandlers.push(async () => {
    isStopping = true;
    await stopJob;
    await jobs.stop();
  });
}

const JOBS_RETRY_INTERVAL_MS = 1_000;

async function startWorkers(runtime: Runtime, stopHandlers: StopHandlers): Promise<void> {
  const delivery = await startEmailDelivery(runtime);
  stopHandlers.push(() => delivery.stop());
  const webhooks = startWebhooks(runtime);
  await runtime.db.listen(DUE_CHANNEL, webhooks.wake);
  stopHandlers.push(() => webhooks.stop());
  const leaseReleaser = startLeaseReleaser(runtime);
  stopHandlers.push(() => leaseReleaser.stop());
  const mailFiler = startMailFiler(runtime);
  await runtime.db.listen(DUE_CHANNEL, mailFiler.wake);
  stopHandlers.push(() => mailFiler.stop());
  const scheduledSender = startScheduledSender(runtime);
  await runtime.db.listen(DUE_CHANNEL, scheduledSender.wake);
  stopHandlers.push(() => scheduledSender.stop());
  const mailJobs = startMailJobs(runtime);
  await runtime.db.listen(DUE_CHANNEL, mailJobs.wake);
  stopHandlers.push(() => mailJobs.stop());
  const dueWork = startDueWork(runtime);
  await runtime.db.listen(DUE_CHANNEL, dueWork.wake);
  stopHandlers.push(() => dueWork.stop());
  const provisioning = startProvisioning(runtime);
  stopHandlers.push(() => provisioning.stop());
  const dispatch = await startDispatch(runtime.db, runtime.log);
  stopHandlers.push(() => dispatch.stop());
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

async function startEmailDelivery(runtime: Runtime): Promise<Delivery> {
  const transport = await createTransport(runtime.config, { keep: createLocalDelivery(runtime) });
  const delivery = startDelivery(runtime, transport);
  await runtime.db.listen(DUE_CHANNEL, delivery.wake);
  return delivery;
}

async function stopAll(
  stopHandlers: StopHandlers,
  log: Runtime['log'],
  signal?: NodeJS.Signals,
  hurry?: AbortSignal,
): Promise<boolean> {
  let isClean = true;
  for (const end of stopHandlers.splice(0).reverse()) {
    try {
      await end(signal, hurry);
    } catch (error) {
      isClean = false;
      log.error({ err: error }, 'shutdown failed');
    }
  }
  return isClean;
}

/** A second signal stopHandlers the period when requests are still accepted. */
function stopOnSignal(stopHandlers: StopHandlers, log: Runtime['log']): void {
  const hurry = new AbortController();
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) return hurry.abort();
    isStopping = true;
    log.info({ signal }, 'shutting down: draining requests and jobs');
    stopAll(stopHandlers, log, signal, hurry.signal).then((isClean) => process.exit(isClean ? 0 : 1));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
}
