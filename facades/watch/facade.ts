import { type Context, Hono } from 'hono';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { isSameHash } from '../../src/engine/value/keys.ts';
import { isDatabaseResponsive } from '../../src/engine/work/metrics.ts';
import { isFromPrivateNetwork } from '../../src/http/client-address.ts';
import { getRequestId, parseBearer } from '../../src/http/http.ts';
import { version } from '../../src/version.ts';

/** Serves liveness, readiness and metrics. Exposes no workspace data. */
export function createWatchFacade(runtime: Runtime): Hono {
  const app = new Hono();
  const setRequestId = (c: Context) => c.header('x-request-id', getRequestId(c.req.raw.headers));
  app.get('/api/health', (c) => {
    setRequestId(c);
    return c.json({ data: 'Healthy', version });
  });
  app.get('/api/ready', async (c) => {
    setRequestId(c);
    const state = await checkState(runtime);
    return c.json(state, state.ready ? 200 : 503);
  });
  app.get('/metrics', async (c) => {
    setRequestId(c);
    const { registry } = runtime.metrics;
    const { headers } = c.req.raw;
    if (!canReadMetrics(runtime, headers))
      return c.text(FORBIDDEN_MESSAGE, 401, { 'www-authenticate': 'Bearer realm="metrics"' });
    return c.body(await registry.metrics(), 200, { 'content-type': registry.contentType });
  });
  return app;
}

const FORBIDDEN_MESSAGE =
  'Send METRICS_TOKEN as a bearer token. If it is not set, send the request from a private address.\n';

function canReadMetrics(runtime: Runtime, headers: Headers): boolean {
  const { metricsToken } = runtime.config;
  if (metricsToken !== null) return isSameHash(parseBearer(headers.get('authorization')) ?? '', metricsToken);
  return isFromPrivateNetwork(headers);
}

/**
 * Checks whether the process is ready. Missing notifications only disable caches, and a node that is down affects only
 * its own workspaces, so the process remains ready in both cases.
 */
async function checkState(runtime: Runtime) {
  const database = await isDatabaseResponsive(runtime.db);
  const nodes = database ? await runtime.db.nodes().catch(() => []) : [];
  const nodesDown = nodes.filter(({ isUp }) => !isUp).map(({ name }) => name);
  const queue = runtime.jobs.ready();
  const notifications = runtime.db.hears();
  const ready = database && queue && runtime.phase === 'running';
  const readyStatus = notifications && nodesDown.length === 0 ? 'ready' : 'degraded';
  const status = ready ? readyStatus : runtime.phase === 'running' ? 'unavailable' : runtime.phase;
  return { ready, status, database, nodesDown, queue, notifications };
}
