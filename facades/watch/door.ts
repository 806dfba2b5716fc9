import { Hono } from 'hono';
import type { Runtime } from '../../src/engine/runtime.ts';

/** Liveness, readiness and metrics. No credential: nothing of a workspace shows here. */
export function watchDoor(runtime: Runtime): Hono {
  const app = new Hono();
  app.get('/api/health', (c) => c.json({ data: 'Healthy' }));
  app.get('/api/ready', async (c) => {
    const database = await answersInTime(runtime);
    const ready = database && runtime.jobs.ready();
    return c.json({ ready, database, queue: runtime.jobs.ready() }, ready ? 200 : 503);
  });
  app.get('/metrics', async (c) => {
    const [row] = await runtime.db.rows<{ n: number }>(
      `select count(*)::int as n from svc_email where workspace_id > 0 and state = 'queued'`,
    );
    runtime.metrics.queued.set(row!.n);
    return c.body(await runtime.metrics.registry.metrics(), 200, {
      'content-type': runtime.metrics.registry.contentType,
    });
  });
  return app;
}

const PATIENCE = 2_000;

/** A database that does not answer soon is none, for whoever decides about traffic. */
function answersInTime(runtime: Runtime): Promise<boolean> {
  const answered = runtime.db.rows('select 1').then(
    () => true,
    () => false,
  );
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE, false).unref());
  return Promise.race([answered, late]);
}
