import { randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post } from './harness/app.ts';
import { type AppProcess, startProcess } from './harness/process.ts';
import { until } from './harness/wait.ts';

// A stand-in for a collector receives a process's spans, and each request's spans are assembled into a trace.

interface SpanSent {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

const spans: SpanSent[] = [];
const services: unknown[] = [];
const collector = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    expect(request.url).toBe('/v1/traces');
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      services.push(...resource.attributes);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
});

const dataDir = mkdtempSync(join(tmpdir(), 'atrium tracing '));
let app: AppProcess;
const parseSetting = (name: string) => new RegExp(`${name}=(\\S+)`).exec(app.output())![1]!;

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  app = await startProcess({
    DATA_DIR: dataDir,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_SERVICE_NAME: 'atrium-test',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
  await until(async () => (await fetch(`${app.url}/api/ready`)).ok, 'it is ready');
});
afterAll(async () => {
  await app?.end('SIGTERM');
  collector.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function createCaller() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}

/** Waits for the last span of a trace, which is the facade's, and returns all of them. */
async function collectSpans(traceId: string): Promise<SpanSent[]> {
  const filterSpans = () => spans.filter((span) => span.traceId === traceId);
  await until(() => filterSpans().some(({ name }) => name.endsWith('request')), 'the trace is sent');
  return filterSpans();
}

const getAttribute = (span: SpanSent, key: string): unknown =>
  Object.values(span.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

test('records a request as a child span of its caller, with spans for the operation and its statements', async () => {
  const { traceId, spanId, headers } = createCaller();
  const email = {
    from: 'hello@main.localhost',
    to: 'ann@example.com',
    subject: 'hush',
    text: 'a secret text',
  };
  expect((await post(`${app.url}/api/v1/emails`, email, parseSetting('TEAM_KEY'), headers)).status).toBe(200);
  const parts = await collectSpans(traceId);
  const facade = parts.find(({ name }) => name === 'POST request')!;
  expect(facade.parentSpanId).toBe(spanId);
  expect(getAttribute(facade, 'atrium.facade')).toBe('rest');
  expect(getAttribute(facade, 'http.response.status_code')).toBe(200);
  expect(getAttribute(facade, 'url.path')).toBe('/api/v1/emails');
  const operation = parts.find(({ name }) => name === 'operation emailSend')!;
  expect(operation.parentSpanId).toBe(facade.spanId);
  expect(getAttribute(operation, 'atrium.workspace')).toBe('main');
  const statements = parts.filter(
    ({ name, parentSpanId }) => name.startsWith('SQL') && parentSpanId === operation.spanId,
  );
  expect(
    statements.some((statement) => String(getAttribute(statement, 'db.query.text')).includes('svc_email')),
  ).toBe(true);
  const spanIds = new Set([spanId, ...parts.map((part) => part.spanId)]);
  expect(parts.filter(({ parentSpanId }) => !spanIds.has(parentSpanId!))).toEqual([]);
  for (const secret of ['hush', 'a secret text', 'ann@example.com', parseSetting('TEAM_KEY')])
    expect(JSON.stringify(parts)).not.toContain(secret);
  expect(services).toContainEqual({ key: 'service.name', value: { stringValue: 'atrium-test' } });
});

test.each(['header', '_meta'])(
  'records an MCP tool call in the trace named by its %s, with spans for its statements',
  async (place) => {
    const key = parseSetting('USER_KEY');
    const on = { query: 'mutation { featureSet(feature: MCP, on: true) { id } }' };
    expect((await post(`${app.url}/graphql`, on, key)).json().errors).toBeUndefined();
    const outer = createCaller();
    const { traceId, spanId } = place === 'header' ? outer : createCaller();
    const _meta = place === '_meta' && { _meta: { traceparent: `00-${traceId}-${spanId}-01` } };
    const domain = [['name', '=', 'a secret name']];
    const params = { name: 'search', arguments: { model: 'res.partner', domain }, ..._meta };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await post(`${app.url}/mcp`, body, key, outer.headers);
    expect(answer.json().result.isError).toBe(false);
    const request = (await collectSpans(outer.traceId)).find(({ name }) => name === 'POST request')!;
    expect([request.parentSpanId, getAttribute(request, 'atrium.facade')]).toEqual([outer.spanId, 'mcp']);
    await until(
      () => spans.some((span) => span.traceId === traceId && span.name === 'tool search'),
      'its tool',
    );
    const parts = spans.filter((span) => span.traceId === traceId);
    const tool = parts.find(({ name }) => name === 'tool search')!;
    expect(tool.parentSpanId).toBe(place === 'header' ? request.spanId : spanId);
    const operation = parts.find(({ name }) => name === 'operation recordSearchRead')!;
    expect(operation.parentSpanId).toBe(tool.spanId);
    const statements = parts.filter(
      ({ name, parentSpanId }) => name === 'SQL select' && parentSpanId === operation.spanId,
    );
    expect(statements.length).toBeGreaterThan(0);
    expect(JSON.stringify(parts)).not.toContain('a secret name');
  },
);

test('separates the spans of concurrent requests', async () => {
  const callers = [createCaller(), createCaller(), createCaller(), createCaller()];
  const query = '{ partners(first: 2) { nodes { name } } }';
  await Promise.all(
    callers.map(({ headers }) => post(`${app.url}/graphql`, { query }, parseSetting('USER_KEY'), headers)),
  );
  for (const { traceId, spanId } of callers) {
    const parts = await collectSpans(traceId);
    const facade = parts.filter(({ parentSpanId }) => parentSpanId === spanId);
    expect(facade.map(({ name }) => name)).toEqual(['POST request']);
    const graphql = parts.find(({ name }) => name === 'graphql')!;
    expect(graphql.parentSpanId).toBe(facade[0]!.spanId);
    expect(
      parts.some(({ name, parentSpanId }) => name.startsWith('SQL') && parentSpanId === graphql.spanId),
    ).toBe(true);
  }
});

test('records error codes and starts a new trace for an invalid traceparent', async () => {
  const headers = { traceparent: 'nonsense' };
  const before = spans.length;
  const answer = await post(
    `${app.url}/json/2/res.partner/read`,
    { ids: [1], fields: ['nme'] },
    parseSetting('USER_KEY'),
    headers,
  );
  expect(answer.status).toBeGreaterThanOrEqual(400);
  await until(() => spans.slice(before).some(({ status }) => status.code === 2), 'the failure is sent');
  const failedSent = spans.slice(before).find(({ status }) => status.code === 2)!;
  expect(getAttribute(failedSent, 'error.type')).toBeTruthy();
  const facade = spans
    .slice(before)
    .find(({ traceId, name }) => traceId === failedSent.traceId && name.endsWith('request'));
  expect(facade?.parentSpanId ?? '').toBe('');
});

test('loads no tracing package unless tracing is configured', () => {
  const users = globSync('{boot,facades,schema,src,apps}/**/*.ts').filter((path) =>
    /from '@opentelemetry\//.test(readFileSync(path, 'utf8')),
  );
  expect(users).toEqual(['boot/tracing.ts']);
  const importers = globSync('{boot,facades,schema,src,apps}/**/*.ts').filter((path) =>
    /^import .*tracing\.ts'/m.test(readFileSync(path, 'utf8')),
  );
  expect(importers).toEqual([]);
});
