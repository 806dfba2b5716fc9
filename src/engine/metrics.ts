import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What `/metrics` tells Prometheus. Times in seconds. */
export interface Metrics {
  registry: Registry;
  requests: Histogram<'door' | 'status'>;
  sent: Counter<'outcome'>;
  queued: Gauge;
}

/** New counters at zero, with those of the process itself (memory, event loop, garbage collection). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'atrium_request_seconds',
      help: 'Time of requests by door and status.',
      labelNames: ['door', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [registry],
    }),
    sent: new Counter({
      name: 'atrium_email_outcomes_total',
      help: 'Attempts to hand an email to the provider, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    queued: new Gauge({
      name: 'atrium_email_queued',
      help: 'Emails that wait, as last counted.',
      registers: [registry],
    }),
  };
}
