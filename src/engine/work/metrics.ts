import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from '../../db/db.ts';
import type { Metrics } from '../ctx/runtime.ts';

/** Reads the value of a gauge. */
type Count = (db: Db) => Promise<number>;

const gauges: { name: string; help: string; count: Count }[] = [];

/** Declares a figure of the product, counted when `/metrics` is asked for. */
export function defineGauge(name: string, help: string, count: Count): void {
  gauges.push({ name, help, count });
}

/** New counters at zero, with those of the process itself (memory, event loop, garbage collection). */
export function createMetrics(db: Db): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { name, help, count } of gauges) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: async () => gauge.set(await count(db)),
    });
  }
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
