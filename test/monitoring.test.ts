import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { closeWorkspace } from '../schema/base/workspace/delete-workspace.ts';
import { MAIL_QUEUE } from '../schema/email/state/queues.ts';
import { sql } from '../src/db/sql.ts';
import { findSoonestWorkspaces } from '../src/engine/work/due.ts';
import { post } from './harness/app.ts';
import { buildMail, startTeam } from './harness/facades/rest.ts';
import { type AppProcess, startProcess } from './harness/process.ts';
import { until } from './harness/wait.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'atrium monitoring '));
let app: AppProcess;

beforeAll(async () => {
  app = await startProcess({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    SMTP_SUBMISSION_PORT: '0',
    MX_PORT: '0',
    MAIL_TRANSPROT: 'local',
    PUBLC_URL: 'http://x.test',
  });
  await until(async () => (await fetch(`${app.url}/api/ready`)).ok, 'it is ready');
});
afterAll(async () => {
  await app?.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

const readMetrics = async () => (await fetch(`${app.url}/metrics`)).text();
const parseSetting = (name: string) => new RegExp(`${name}=(\\S+)`).exec(app.output())![1]!;

const findSample = (text: string, sample: string): number | undefined => {
  const line = text.split('\n').find((item) => item.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
};

function parseMetricNames(text: string): Set<string> {
  const names = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name!],
  );
  return new Set(names);
}

function findQueriedMetrics(expressions: string[]): string[] {
  const bare = expressions
    .join('\n')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\bby\s*\([^)]*\)/g, '');
  return [...new Set(bare.match(/\b(?:atrium|process|nodejs)_\w+/g) ?? [])];
}

/** Returns the labels that the expressions group by but no sample of their metric has. Prometheus adds `instance`. */
const findUnknownLabels = (text: string, expressions: string[]): string[] =>
  expressions.flatMap((expression) => {
    const [, labels = '', metric = ''] = /\bby \(([^)]*)\).*?\b(atrium_\w+)/.exec(expression) ?? [];
    const samples = text.split('\n').filter((line) => line.startsWith(`${metric}{`));
    return labels
      .split(', ')
      .filter((label) => label !== 'instance' && samples.length > 0)
      .filter((label) => !samples.some((sample) => sample.includes(`${label}="`)))
      .map((label) => `${metric} ${label}`);
  });

test('shows the version in the log, at /api/health and in the metrics', async () => {
  expect(app.output()).toContain(`"version":"${manifest.version}"`);
  expect(await (await fetch(`${app.url}/api/health`)).json()).toEqual({
    data: 'Healthy',
    version: manifest.version,
  });
  expect(findSample(await readMetrics(), `atrium_build_info{version="${manifest.version}"}`)).toBe(1);
});

test('reports an unknown setting at startup with a suggestion', () => {
  expect(app.output()).toContain('unknown setting: MAIL_TRANSPROT (did you mean MAIL_TRANSPORT?)');
  expect(app.output()).toContain('unknown setting: PUBLC_URL (did you mean PUBLIC_URL?)');
});

test('uses only existing metrics and labels in the alert rules and the dashboard', async () => {
  await until(
    async () => (await readMetrics()).includes('atrium_request_seconds_bucket{'),
    'a request is counted',
  );
  const text = await readMetrics();
  const names = parseMetricNames(text);
  const alerts = readFileSync('examples/monitoring/alerts.yml', 'utf8').match(/^ *expr: .*$/gm)!;
  const dashboard = JSON.parse(readFileSync('examples/monitoring/dashboard.json', 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const panelExpressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  for (const expressions of [alerts, panelExpressions]) {
    const queriedMetrics = findQueriedMetrics(expressions);
    expect(queriedMetrics.length).toBeGreaterThan(5);
    expect(queriedMetrics.filter((name) => !names.has(name))).toEqual([]);
    expect(findUnknownLabels(text, expressions)).toEqual([]);
  }
  const ours = [...names].filter((name) => name.startsWith('atrium_') && !name.endsWith('_sum'));
  expect(ours.filter((name) => !findQueriedMetrics([...alerts, ...panelExpressions]).includes(name))).toEqual(
    [],
  );
});

test('reports provider responses, events and the queue length for email', async () => {
  const email = { from: 'hello@main.localhost', to: 'ann@example.com', subject: 's', text: 't' };
  expect((await post(`${app.url}/api/v1/emails`, email, parseSetting('TEAM_KEY'))).status).toBe(200);
  await until(async () => {
    const text = await readMetrics();
    return (
      findSample(text, 'atrium_email_outcomes_total{outcome="sent"}') === 1 &&
      findSample(text, 'atrium_email_events_total{status="SENT"}') === 1
    );
  }, 'it is counted');
  const scheduled = { ...email, scheduledAt: '2099-01-01T00:00:00Z' };
  expect((await post(`${app.url}/api/v1/emails`, scheduled, parseSetting('TEAM_KEY'))).status).toBe(200);
  await until(
    async () => findSample(await readMetrics(), 'atrium_email_queued') === 1,
    'the scheduled one waits',
  );
  expect(findSample(await readMetrics(), 'atrium_email_oldest_seconds')).toBe(0);
});

test('counts GraphQL operations by type and outcome', async () => {
  const runQuery = (query: string) => post(`${app.url}/graphql`, { query }, parseSetting('USER_KEY'));
  await runQuery('{ viewer { login } }');
  await runQuery('{ nothing }');
  await runQuery('not a document');
  const text = await readMetrics();
  expect(findSample(text, 'atrium_graphql_operations_total{type="query",outcome="ok"}')).toBe(1);
  expect(findSample(text, 'atrium_graphql_operations_total{type="query",outcome="error"}')).toBe(1);
  expect(findSample(text, 'atrium_graphql_operations_total{type="none",outcome="error"}')).toBe(1);
});

test('reports metrics of the connection pool, the SMTP facade and the jobs', async () => {
  const port = Number(/"port":(\d+)[^\n]*"msg":"listening for SMTP/.exec(app.output())![1]);
  const client = connect(port, '127.0.0.1');
  try {
    await until(
      async () => findSample(await readMetrics(), 'atrium_smtp_connections') === 1,
      'it is connected',
    );
  } finally {
    client.destroy();
  }
  await until(async () => findSample(await readMetrics(), 'atrium_smtp_connections') === 0, 'it has gone');
  const text = await readMetrics();
  expect(findSample(text, 'atrium_database_connections_max')).toBe(20);
  expect(findSample(text, 'atrium_database_connections_used')).toBeGreaterThanOrEqual(0);
  expect(findSample(text, 'atrium_database_waiting')).toBe(0);
  expect(findSample(text, 'atrium_jobs_waiting')).toBe(0);
});

test('reports the age of mail that no worker sends, unless its workspace is closed', async () => {
  const idleTeam = await startTeam();
  try {
    await idleTeam.send(buildMail());
    const { db, metrics } = idleTeam.runtime;
    const workspace = idleTeam.main.ctx.workspace.id;
    await until(async () => (await findSoonestWorkspaces(db, MAIL_QUEUE, 1)).length === 1, 'it is noted');
    await db.rows(sql`update svc_email set create_date = create_date - interval '1 hour',
      run_at = run_at + interval '10 minutes' where workspace_id = ${workspace}`);
    await db.rows(
      sql`update svc_due set next_at = next_at - interval '5 minutes' where workspace_id = ${workspace}`,
    );
    const text = await metrics.registry.metrics();
    expect(findSample(text, 'atrium_email_oldest_seconds')).toBeGreaterThanOrEqual(3_600);
    expect(findSample(text, 'atrium_email_lag_seconds')).toBeGreaterThanOrEqual(300);
    await closeWorkspace(idleTeam.runtime, workspace, new Date(Date.now() + 86_400_000));
    await until(async () => {
      const closedText = await metrics.registry.metrics();
      return ['oldest', 'lag'].every((name) => findSample(closedText, `atrium_email_${name}_seconds`) === 0);
    }, 'mail of a closed workspace is not late');
  } finally {
    await idleTeam.close();
  }
});
