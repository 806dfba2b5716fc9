import { type Context, Hono } from 'hono';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { answersInTime } from '../../src/engine/work/metrics.ts';
import { requestIdOf } from '../../src/http/http.ts';
import { version } from '../../src/version.ts';

/** Liveness, readiness and metrics. No credential: nothing of a workspace shows here. */
export function watchDoor(runtime: Runtime): Hono {
  const app = new Hono();
  const named = (c: Context) => c.header('x-request-id', requestIdOf(c.req.raw.headers));
  app.get('/api/health', (c) => {
    named(c);
    return c.json({ data: 'Healthy', version });
  });
  app.get('/api/ready', async (c) => {
    named(c);
    const state = await stateOf(runtime);
    return c.json(state, state.ready ? 200 : 503);
  });
  app.get('/metrics', async (c) => {
    named(c);
    const { registry } = runtime.metrics;
    return c.body(await registry.metrics(), 200, { 'content-type': registry.contentType });
  });
  return app;
}

/** Without notifications all is right and slower, since nothing is cached: no reason to take the process away. */
async function stateOf(runtime: Runtime) {
  const database = await answersInTime(runtime.db);
  const queue = runtime.jobs.ready();
  const notifications = runtime.db.hears();
  const ready = database && queue && runtime.phase === 'running';
  const whole = notifications ? 'ready' : 'degraded';
  const status = ready ? whole : runtime.phase === 'running' ? 'unavailable' : runtime.phase;
  return { ready, status, database, queue, notifications };
}
