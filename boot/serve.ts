import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Logger } from 'pino';
import { buildFacades } from '../facades/index.ts';
import type { SubmissionServer } from '../facades/smtp/facade.ts';
import type { MailExchangeServer } from '../facades/smtp/mx/facade.ts';
import { startProvisioning } from '../schema/base/workspace/provisioning.ts';
import { seedFirstWorkspace } from '../schema/base/workspace/seed.ts';
import { buildWelcome } from '../schema/base/workspace/welcome.ts';
import { waitForNotices } from '../schema/email/provider/notices.ts';
import { startDelivery } from '../schema/email/queue/deliver.ts';
import { startWebhookWorker } from '../schema/email/webhooks/worker.ts';
import { startScheduledSender } from '../schema/mailbox/compose/send-due.ts';
import { startMailFiler } from '../schema/mailbox/filing/mail-filer.ts';
import { createLocalDelivery } from '../schema/mailbox/intake/local-delivery.ts';
import { createMailIntake } from '../schema/mailbox/intake/mail-intake.ts';
import { startMailJobs } from '../schema/mailbox/jobs/run-jobs.ts';
import { startLeaseReleaser } from '../schema/mailbox/kit/lease.ts';
import type { Config } from '../src/config.ts';
import { resolveDirectUrl } from '../src/db/direct-url.ts';
import { migrateDatabase } from '../src/db/migrations/migrate.ts';
import { createTransport } from '../src/email/create-transport.ts';
import type { Runtime } from '../src/engine/ctx/runtime.ts';
import { getHub } from '../src/engine/live/live.ts';
import { getCallLog } from '../src/engine/operation/call-log.ts';
import { DUE_CHANNEL } from '../src/engine/work/due.ts';
import { startDueWork } from '../src/engine/work/due-work.ts';
import { startDispatch } from '../src/engine/work/events.ts';
import { version } from '../src/version.ts';
import { createRuntime, type ListeningServer, listen } from './server.ts';
import type { StopHandlers } from './stop.ts';

/** Migrates the database, listens, and starts the role's jobs and workers. Adds shutdown steps to `stopHandlers`. */
export async function serve(
  config: Config,
  url: string,
  log: Logger,
  stopHandlers: StopHandlers,
): Promise<void> {
  const isForced = process.argv.includes('--force');
  await migrateDatabase(await resolveDirectUrl(config, url), (line) => log.info(line), undefined, isForced);
  const runtime = await createRuntime(config, url, log);
  runtime.phase = 'starting';
  stopHandlers.push(() => runtime.db.close());
  stopHandlers.push(() => getCallLog(runtime).waitUntilWritten());
  stopHandlers.push(() => waitForNotices(runtime.db));
  // A worker only serves health and metrics, so that it can be monitored like other processes.
  const facades = buildFacades(runtime, config.role === 'worker' ? 'watch' : 'all');
  const server = await listen(facades, config.host, config.port);
  log.info({ version, host: config.host, port: server.port, role: config.role }, 'listening');
  const submission = await openSubmissionServer(runtime);
  const exchange = await openMailExchange(runtime);
  // The credentials of the first start are shown only once, so no step that can fail may come between creating and
  // showing them.
  process.stdout.write(buildWelcome(config, server.port, await seedFirstWorkspace(runtime)));
  startJobs(runtime, stopHandlers);
  if (config.role !== 'web') await startWorkers(runtime, stopHandlers);
  if (submission) stopHandlers.push(() => submission.close());
  if (exchange) stopHandlers.push(() => exchange.close());
  stopHandlers.push(() => server.close());
  // Otherwise, open streams would delay the shutdown like running requests.
  stopHandlers.push(() => getHub(runtime).stop());
  stopHandlers.push((signal, secondSignal) => drainAndClose(runtime, server, signal, secondSignal));
  runtime.phase = 'running';
  releaseStartMemory();
}

/** Releases 30 MB of garbage from startup, which V8 would keep until there is load. */
function releaseStartMemory(): void {
  // Otherwise, the cache is written only at exit, and never if the process is killed.
  flushCompileCache();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', flavor: 'last-resort' });
}

/**
 * Keeps accepting requests until load balancers notice the shutdown, except after SIGINT and in a worker, which
 * receives no requests.
 */
async function drainAndClose(
  runtime: Runtime,
  server: ListeningServer,
  signal?: NodeJS.Signals,
  secondSignal?: AbortSignal,
): Promise<void> {
  const { role, drainSeconds } = runtime.config;
  runtime.phase = 'draining';
  server.leave();
  if (signal !== 'SIGTERM' || role === 'worker') return;
  await sleep(drainSeconds * 1_000, undefined, { signal: secondSignal }).catch(() => undefined);
}

/** Starts the jobs in the background, because this takes a moment. Retries until the database is available. */
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
  const add = async (worker: { stop(): Promise<void>; wake?(): void }) => {
    stopHandlers.push(() => worker.stop());
    if (worker.wake) await runtime.db.listen(DUE_CHANNEL, worker.wake);
  };
  const transport = await createTransport(runtime.config, { keep: createLocalDelivery(runtime) });
  await add(startDelivery(runtime, transport));
  await add(startWebhookWorker(runtime));
  await add(startLeaseReleaser(runtime));
  await add(startMailFiler(runtime));
  await add(startScheduledSender(runtime));
  await add(startMailJobs(runtime));
  await add(startDueWork(runtime));
  await add(startProvisioning(runtime));
  await add(await startDispatch(runtime.db, runtime.log));
}

/** Loads the SMTP libraries only if needed. */
async function openSubmissionServer(runtime: Runtime): Promise<SubmissionServer | null> {
  const { smtpSubmissionPort: port, smtpSubmissionsPort: tlsPort, role } = runtime.config;
  if ((port ?? tlsPort) === null || role === 'worker') return null;
  const { startSubmission } = await import('../facades/smtp/facade.ts');
  return startSubmission(runtime, { port, tlsPort });
}

async function openMailExchange(runtime: Runtime): Promise<MailExchangeServer | null> {
  const { mxPort: port, lmtpPort, role } = runtime.config;
  if ((port ?? lmtpPort) === null || role === 'worker') return null;
  const { startMailExchange } = await import('../facades/smtp/mx/facade.ts');
  return startMailExchange(runtime, createMailIntake(runtime), { port, lmtpPort });
}
