import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { buildProduct } from '../schema/index.ts';
import type { Config } from '../src/config.ts';
import { findUnmigratedColumns } from '../src/db/migrations/unmigrated-columns.ts';
import { type Database, openDatabase } from '../src/db/pool.ts';
import { saveSessionDefaults } from '../src/db/session.ts';
import { sql } from '../src/db/sql.ts';
import { createCatalogCache } from '../src/engine/ctx/catalog.ts';
import type { Runtime } from '../src/engine/ctx/runtime.ts';
import { createIdentity } from '../src/engine/identity/identity.ts';
import { watchTables } from '../src/engine/live/watch-tables.ts';
import { computeKeyedHash } from '../src/engine/value/keys.ts';
import { createJobs } from '../src/engine/work/jobs.ts';
import { createMetrics } from '../src/engine/work/metrics.ts';
import '../src/engine/work/events.ts';
import type { HttpHandler } from '../src/http/http.ts';
import { createPipelineLimiter } from '../src/http/pipeline.ts';
import { limits } from '../src/limits.ts';

/** Timeout for receiving a request of any size. */
const REQUEST_TIMEOUT_MS = 900_000;
/**
 * Must exceed the keep-alive time of proxies, which is one minute (nginx) or two (Caddy). If the server closes first, a
 * request in transit fails.
 */
const KEEP_ALIVE_TIMEOUT_MS = 130_000;

/** Builds the runtime. Does not migrate the database. */
export async function createRuntime(config: Config, url: string, log: Logger): Promise<Runtime> {
  const directUrl = config.databaseDirectUrl ?? url;
  const db = openDatabase(url, log, {
    size: config.databasePoolSize,
    directUrl,
    prepared: config.databasePrepared,
  });
  if (config.databaseDirectUrl) await saveSessionDefaults(db);
  await assertColumnsMigrated(db);
  await checkSecretKey(db, config.secretKey);
  const product = buildProduct();
  await watchTables(db, product.registry);
  const catalogs = createCatalogCache(db, product.registry, product.loadCatalog);
  const runtime: Runtime = {
    config,
    log,
    db,
    registry: product.registry,
    schema: product.schema,
    getSchema: product.getSchema,
    executeToText: product.executeToText,
    catalogs,
    identity: await createIdentity(db, config, catalogs, product.identitySource(db, catalogs)),
    jobs: createJobs({ db, log, config }),
    metrics: createMetrics(db, log),
    phase: 'running',
  };
  catalogs.provisioning = await product.equipment(runtime);
  return runtime;
}

/** Detects fields without a migration, because the first read of their model would fail. */
async function assertColumnsMigrated(db: Database): Promise<void> {
  const missing = await findUnmigratedColumns(db);
  if (missing.length === 0) return;
  await db.close();
  const list = missing.length > 5 ? `${missing.slice(0, 5).join(', ')} …` : missing.join(', ');
  throw new Error(`no migration creates ${list}. Run: npm run migration -- <name>`);
}

/**
 * Checks that the secret key has not changed. API keys are hashed with it, so a different key would silently invalidate
 * all of them.
 */
async function checkSecretKey(db: Database, secretKey: string): Promise<void> {
  const fingerprint = computeKeyedHash(secretKey, 'installation');
  const [stored] = await db.rows<{ value: string }>(
    sql`insert into installation (name, value) values ('secret key', ${fingerprint})
     on conflict (name) do update set name = excluded.name returning value`,
  );
  if (stored!.value === fingerprint) return;
  await db.close();
  throw new Error(
    'SECRET_KEY (or secret.key in DATA_DIR) is not the key that this database was created with.',
  );
}

export interface ListeningServer {
  port: number;
  /** Tells clients to reconnect, so that a load balancer routes them to another process. */
  leave(): void;
  /** Stops accepting connections and lets running requests finish within the drain time. */
  close(): Promise<void>;
}

export function listen(facades: HttpHandler, host: string, port: number): Promise<ListeningServer> {
  return new Promise((resolve, reject) => {
    let isLeaving = false;
    const leave = () => {
      isLeaving = true;
    };
    const handleRequest = getRequestListener(facades, { hostname: host });
    const pipelines = createPipelineLimiter((request, response) => {
      // Otherwise, the listener rejects the request before a facade can respond in its own format.
      request.url = request.url!.replaceAll('\\', '%5C');
      if (!facades.atOnce?.(request, response)) handleRequest(request, response);
    });
    const server = createServer((request, response) => {
      response.shouldKeepAlive &&= !isLeaving;
      pipelines.listener(request, response);
    });
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
    server.on('error', reject);
    server.listen(port, host, () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, leave, close: () => drain(server, pipelines.areBusy) });
    });
  });
}

/** Waits for running requests, then closes all connections, which clients may hold open indefinitely. */
async function drain(server: Server, isBusy: () => boolean): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const end = Date.now() + limits.http.drainTime;
  while (isBusy() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  server.closeAllConnections();
  await closed;
}
