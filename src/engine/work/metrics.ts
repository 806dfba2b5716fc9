import type { Logger } from 'pino';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from '../../db/db.ts';
import type { Database } from '../../db/pool.ts';
import { AppError } from '../../errors.ts';
import type { Metrics } from '../ctx/runtime.ts';

/** Reads the value of a gauge. */
type Count = (db: Db) => Promise<number>;

const gauges: { name: string; help: string; count: Count }[] = [];

/** Declares a figure of the product, counted when `/metrics` is asked for. */
export function defineGauge(name: string, help: string, count: Count): void {
  gauges.push({ name, help, count });
}

/**
 * New counters at zero, with those of the process itself (memory, event loop, garbage collection). What cannot be
 * counted now is left out.
 */
export function createMetrics(db: Database, log: Logger): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { name, help, count } of gauges) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: async () => {
        try {
          gauge.set(await count(db));
        } catch (error) {
          gauge.remove();
          if (!(error instanceof AppError)) log.error({ err: error, name }, 'a metric could not be counted');
        }
      },
    });
  }
  const up: Gauge = new Gauge({
    name: 'atrium_database_up',
    help: 'Whether the database answers: 1, or 0.',
    registers: [registry],
    collect: async () => up.set((await answersInTime(db)) ? 1 : 0),
  });
  return {
    registry,
    requests: new Histogram({
      name: 'atrium_request_seconds',
      help: 'Duration of requests by door and status.',
      labelNames: ['door', 'status'],
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

const PATIENCE = 2_000;

/** A slow database counts as down, because load balancers rely on this answer. */
export function answersInTime(db: Pick<Database, 'ping'>): Promise<boolean> {
  const answered = db.ping().then(
    () => true,
    () => false,
  );
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE, false).unref());
  return Promise.race([answered, late]);
}
