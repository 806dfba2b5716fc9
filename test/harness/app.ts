import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime, listen } from '../../boot/server.ts';
import { buildFacades } from '../../facades/index.ts';
import { type Delivery, type DeliveryOptions, startDelivery } from '../../schema/email/queue/deliver.ts';
import { startScheduledSender } from '../../schema/mailbox/compose/send-due.ts';
import {
  type MailFiler,
  type MailFilerOptions,
  startMailFiler,
} from '../../schema/mailbox/filing/mail-filer.ts';
import { createLocalDelivery } from '../../schema/mailbox/intake/local-delivery.ts';
import { startMailJobs } from '../../schema/mailbox/jobs/run-jobs.ts';
import { loadConfig } from '../../src/config.ts';
import { createTransport } from '../../src/email/create-transport.ts';
import type { Transport } from '../../src/email/transport.ts';
import type { Jobs, Runtime } from '../../src/engine/ctx/runtime.ts';
import { getHub } from '../../src/engine/live/live.ts';
import { DUE_CHANNEL } from '../../src/engine/work/due.ts';
import { createLog } from '../../src/log.ts';
import { createSeededDatabase, type SeededDatabase } from './database.ts';
import { recordAllDue } from './due.ts';
import { setUp } from './set-up.ts';
import {
  adoptTenant,
  CHEAP_PASSWORD_COST,
  createTenant,
  SECRET_KEY,
  type Tenant,
  withApartIds,
} from './tenant.ts';

export interface App {
  url: string;
  port: number;
  runtime: Runtime;
  databaseUrl: string;
  /** Settings of another process on the same database, data folder and secret key. */
  env: Record<string, string>;
  main: Tenant;
  /**
   * Creates another workspace with the same kinds of users. Its ids overlap with those of other workspaces, unless
   * `apart`.
   */
  tenant(slug: string, ids?: 'apart'): Promise<Tenant>;
  /** Starts a delivery worker, by default with the configured transport. */
  deliver(options?: DeliveryOptions & { transport?: Transport }): Promise<Delivery>;
  fileMail(options?: MailFilerOptions): Promise<MailFiler>;
  sendLater(): Promise<void>;
  doMailJobs(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the application like `startApp` for the tests of the calling file. */
export const setUpApp = (...args: Parameters<typeof startApp>): App => setUp(() => startApp(...args));

/**
 * Starts the whole application in this process, on a free port and with a separate database. Accepts the same `env` as
 * `npm start`, and logs to `logTo` if set.
 */
export async function startApp(
  env: Record<string, string> = {},
  logTo?: (line: string) => void,
): Promise<App> {
  return startAppOn(await createSeededDatabase(), env, logTo);
}

/** Starts the application like `startApp`, but on an existing database, which is dropped on close. */
export async function startAppOn(
  database: SeededDatabase,
  env: Record<string, string> = {},
  logTo?: (line: string) => void,
): Promise<App> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-app-'));
  const config = loadConfig({
    LOG_LEVEL: 'fatal',
    SECRET_KEY,
    DATA_DIR: dataDir,
    ...env,
  });
  config.passwordCost = CHEAP_PASSWORD_COST;
  const log = createLog(config.logLevel, logTo ? { write: logTo } : 2);
  const runtime = await createRuntime(config, database.url, log);
  const server = await listen(buildFacades(runtime, 'all'), '127.0.0.1', 0);
  config.port = server.port;
  config.publicUrl = env.PUBLIC_URL ?? `http://127.0.0.1:${server.port}`;
  runtime.jobs = createLazyJobs(runtime.jobs);
  const deliveries: { stop(): Promise<unknown> }[] = [];
  const app: Omit<App, 'main'> = {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    runtime,
    databaseUrl: database.url,
    env: { DATABASE_URL: database.url, DATA_DIR: config.dataDir, SECRET_KEY: config.secretKey },
    tenant: (slug, ids) =>
      ids === 'apart'
        ? withApartIds(runtime, () => createTenant(runtime, slug))
        : createTenant(runtime, slug),
    async deliver({ transport, ...options } = {}) {
      const delivery = startDelivery(
        runtime,
        transport ?? (await createTransport(config, { keep: createLocalDelivery(runtime) })),
        options,
      );
      await recordAllDue(runtime.db);
      await runtime.db.listen(DUE_CHANNEL, delivery.wake);
      deliveries.push(delivery);
      return delivery;
    },
    async fileMail(options) {
      const mailFiler = startMailFiler(runtime, options);
      await runtime.db.listen(DUE_CHANNEL, mailFiler.wake);
      deliveries.push(mailFiler);
      return mailFiler;
    },
    async sendLater() {
      const later = startScheduledSender(runtime);
      await runtime.db.listen(DUE_CHANNEL, later.wake);
      deliveries.push(later);
    },
    async doMailJobs() {
      const jobs = startMailJobs(runtime);
      await runtime.db.listen(DUE_CHANNEL, jobs.wake);
      deliveries.push(jobs);
    },
    async close() {
      getHub(runtime).stop();
      await server.close();
      for (const delivery of deliveries) await delivery.stop();
      await runtime.jobs.stop();
      await runtime.db.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return { ...app, main: await adoptTenant(runtime, 'main', database.people) };
}

/** Starts the job queue with the first job, because few tests need its two connections and dozens of statements. */
function createLazyJobs(jobs: Jobs): Jobs {
  let started: Promise<void> | null = null;
  let isReady = true;
  return {
    start(isWorker) {
      isReady = true;
      started = jobs.start(isWorker);
      return started;
    },
    async enqueue(...args) {
      started ??= jobs.start(false);
      await started;
      await jobs.enqueue(...args);
    },
    ready: () => isReady,
    async stop() {
      isReady = false;
      await started;
      started = null;
      await jobs.stop();
    },
  };
}

export async function post(url: string, body: unknown, key?: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}
