import type { Logger } from 'pino';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from '../../db/db.ts';
import type { Database } from '../../db/pool.ts';
import { AppError } from '../../errors.ts';
import { version } from '../../version.ts';
import type { Metrics } from '../ctx/runtime.ts';

type GaugeReader = (db: Db) => Promise<number>;

const gauges: { name: string; help: string; count: GaugeReader }[] = [];

/**
 * Declares a gauge that is evaluated when `/metrics` is requested, at most every few seconds. Its statements must read
 * a bounded number of rows, regardless of the number of workspaces.
 */
export function defineGauge(name: string, help: string, count: GaugeReader): void {
  gauges.push({ name, help, count });
}

const counters: Counter[] = [];

/** Declares a counter of the process. Each label must have few values, all listed in the source. */
export function defineCounter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
  const counter = new Counter<L>({ name, help, labelNames, registers: [] });
  counters.push(counter as unknown as Counter);
  return counter;
}

/** Creates the process's metrics, including Node's. A gauge that cannot be read is omitted. */
export function createMetrics(db: Database, log: Logger): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const counter of counters) registry.registerMetric(counter);
  const watch: Metrics['watch'] = (name, help, getValue) => {
    registry.removeSingleMetric(name);
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => gauge.set(getValue()),
    });
  };
  new Gauge({
    name: 'atrium_build_info',
    help: 'The version, as a label; always 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  watchDatabase(registry, watch, db);
  for (const { name, help, count } of gauges)
    addGauge(registry, { name, help, count: cacheCount(count) }, db, log);
  return {
    registry,
    watch,
    requests: new Histogram({
      name: 'atrium_request_seconds',
      help: 'Duration of requests by facade and status.',
      labelNames: ['facade', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [registry],
    }),
    sent: new Counter({
      name: 'atrium_email_outcomes_total',
      help: 'Attempts to send an email through the provider, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
  };
}

function addGauge(
  registry: Registry,
  { name, help, count }: { name: string; help: string; count: GaugeReader },
  db: Database,
  log: Logger,
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async () => {
      try {
        gauge.set(await count(db));
      } catch (error) {
        gauge.remove();
        if (!(error instanceof AppError)) log.error({ err: error, name }, 'could not compute a metric');
      }
    },
  });
}

/** Cache lifetime of a gauge, because `/metrics` needs no credentials and each gauge costs a statement. */
const COUNT_TTL_MS = 2_000;

function cacheCount(count: GaugeReader): GaugeReader {
  let last: { value: Promise<number>; until: number } | null = null;
  return (db) => {
    if (!last || last.until < Date.now()) last = { value: count(db), until: Date.now() + COUNT_TTL_MS };
    const { value } = last;
    value.catch(() => {
      last = null;
    });
    return value;
  };
}

function watchDatabase(registry: Registry, watch: Metrics['watch'], db: Database): void {
  // Registered first, so that they do not count the statements of the other metrics.
  const { pool } = db;
  watch('atrium_database_connections_max', 'Connections that the pool may open.', () => pool.options.max);
  watch('atrium_database_connections_used', 'Connections of the pool that are in use.', () => {
    return pool.totalCount - pool.idleCount;
  });
  watch('atrium_database_waiting', 'Requests that wait for a database connection.', () => {
    return db.waiting() + pool.waitingCount;
  });
  const up: Gauge = new Gauge({
    name: 'atrium_database_up',
    help: '1 if the database responds, 0 if not.',
    registers: [registry],
    collect: async () => up.set((await isDatabaseResponsive(db)) ? 1 : 0),
  });
  watchNodes(registry, db);
}

function watchNodes(registry: Registry, db: Database): void {
  const isUp = new Gauge({
    name: 'atrium_database_node_up',
    help: '1 if a node of a Citus cluster responds to its coordinator, 0 if not.',
    labelNames: ['node'],
    registers: [registry],
    collect: async () => {
      const nodes = await db.nodes().catch(() => []);
      isUp.reset();
      for (const node of nodes) isUp.set({ node: node.name }, node.isUp ? 1 : 0);
    },
  });
  const preparedGauge = new Gauge({
    name: 'atrium_database_prepared_seconds',
    help: 'Seconds that the oldest prepared transaction of a node has waited for its commit; its rows are locked.',
    labelNames: ['node'],
    registers: [registry],
    collect: async () => {
      const nodes = await db.nodes().catch(() => []);
      preparedGauge.reset();
      for (const node of nodes) if (node.isUp) preparedGauge.set({ node: node.name }, node.prepared);
    },
  });
}

const PING_TIMEOUT_MS = 2_000;

/** Treats a slow database as down, because load balancers rely on the result. */
export function isDatabaseResponsive(db: Pick<Database, 'ping'>): Promise<boolean> {
  const isResponsive = db.ping().then(
    () => true,
    () => false,
  );
  const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, PING_TIMEOUT_MS, false).unref());
  return Promise.race([isResponsive, timeout]);
}
