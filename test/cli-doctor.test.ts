import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildClockFinding, buildRecoveryFinding } from '../boot/cli/checks/database.ts';
import { buildQuotaFinding, buildSpaceFinding } from '../boot/cli/checks/machine.ts';
import { buildSesEnv, SES_CREDENTIALS } from './email/sending.ts';
import { runCli, runCliJson, setUpServer } from './harness/cli.ts';
import { startNameServer } from './standins/dns.ts';
import { startSes } from './standins/ses.ts';
import { startSmtp } from './standins/smtp.ts';

interface Finding {
  check: string;
  state: string;
  found: string;
  advice: string | null;
}

const server = setUpServer();

/** Returns the findings by check. Each finding that is not ok must have advice. */
async function runDoctor(code: number, env: Record<string, string> = {}): Promise<Record<string, Finding>> {
  const result = await runCli({ DATA_DIR: server.dataDir, ...env }, 'doctor', '--json');
  expect([result.code, result.stderr]).toEqual([code, '']);
  const findings = JSON.parse(result.stdout) as Finding[];
  for (const { state, advice } of findings) expect(advice === null).toBe(state === 'ok');
  expect(findings.some(({ state }) => state === 'failure')).toBe(code === 1);
  return Object.fromEntries(findings.map((findingFinding) => [findingFinding.check, findingFinding]));
}

const getStates = (findings: Record<string, Finding>) =>
  Object.fromEntries(Object.entries(findings).map(([check, { state }]) => [check, state]));

const HEALTHY = {
  database: 'ok',
  migrations: 'ok',
  'secret key': 'ok',
  clock: 'ok',
  DNS: 'ok',
  // The local transport sends nothing.
  provider: 'warning',
};

test('doctor reports a new installation as healthy and names unknown settings', async () => {
  expect(getStates(await runDoctor(0))).toMatchObject({ ...HEALTHY, settings: 'ok' });
  const { settings } = await runDoctor(0, { MAIL_TRANSPROT: 'ses' });
  expect(settings).toMatchObject({ state: 'warning', found: expect.stringContaining('MAIL_TRANSPROT') });
});

test('doctor fails with another secret key', async () => {
  const findings = await runDoctor(1, { SECRET_KEY: 'another secret key, of at least 32 characters' });
  expect(getStates(findings)).toMatchObject({ ...HEALTHY, 'secret key': 'failure' });
});

test('doctor connects to the relay and signs in', async () => {
  const relay = await startSmtp('right');
  const { port } = new URL(relay.url);
  const sendNotice = async (code: number, url: string) =>
    (await runDoctor(code, { MAIL_TRANSPORT: 'smtp', SMTP_URL: url })).provider;
  try {
    expect(await sendNotice(0, `smtp://me:right@127.0.0.1:${port}`)).toMatchObject({
      state: 'ok',
      found: expect.stringContaining(`127.0.0.1:${port} responds and accepts the user`),
    });
    const findings = await sendNotice(1, `smtp://me:wrong-one@127.0.0.1:${port}`);
    expect(findings).toMatchObject({ state: 'failure', advice: expect.stringContaining('password') });
    expect(JSON.stringify(findings)).not.toContain('wrong-one');
    expect(relay.received).toEqual([]);
  } finally {
    await relay.close();
  }
  expect(await sendNotice(1, relay.url)).toMatchObject({
    state: 'failure',
    found: expect.stringContaining(`127.0.0.1:${port}`),
    advice: expect.stringContaining('SMTP_URL'),
  });
  const silent = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  try {
    const { port: silentPort } = silent.address() as AddressInfo;
    expect(await sendNotice(1, `smtp://127.0.0.1:${silentPort}`)).toMatchObject({ state: 'failure' });
  } finally {
    silent.close();
  }
});

test('doctor queries the provider and the name servers', async () => {
  const ses = await startSes();
  try {
    const env = { ...buildSesEnv(ses), ...SES_CREDENTIALS };
    const options = ['--workspace', 'main'];
    ses.verify('doctor.test');
    await runCliJson({ DATA_DIR: server.dataDir, ...env }, 'domain', 'add', 'doctor.test', ...options);
    ses.verify('doctor.test');
    await runCliJson({ DATA_DIR: server.dataDir, ...env }, 'domain', 'verify', 'doctor.test', ...options);
    const result = await runDoctor(0, env);
    expect(result.provider).toMatchObject({ state: 'ok', found: expect.stringMatching(/^ses: \d+ of \d+/) });
    // No DNS server is listening.
    expect(result['DNS of doctor.test']).toMatchObject({ state: 'warning' });
    const dns = await startNameServer({});
    const unpublished = await runDoctor(1, { ...env, DNS_SERVERS: dns.address });
    dns.close();
    expect(unpublished['DNS of doctor.test']).toMatchObject({
      state: 'failure',
      found: expect.stringContaining('DKIM'),
    });
    const findings = await runDoctor(1, { ...env, AWS_SECRET_ACCESS_KEY: 'another' });
    expect(findings.provider).toMatchObject({ state: 'failure' });
  } finally {
    await ses.close();
  }
});

test('doctor explains a missing installation or database without creating one', async () => {
  const folder = join(server.dataDir, 'mistyped');
  const nowhere = await runDoctor(1, { DATA_DIR: folder });
  expect(nowhere.database).toMatchObject({ state: 'failure', found: expect.stringContaining(folder) });
  expect(existsSync(folder)).toBe(false);
  const outageFindings = await runDoctor(1, { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing' });
  expect(outageFindings.database).toMatchObject({
    state: 'failure',
    found: expect.stringContaining('cannot be reached'),
  });
  const mistaken = await runDoctor(1, { PORT: 'many' });
  expect(mistaken.settings).toMatchObject({ state: 'failure', found: expect.stringContaining('PORT') });
});

test('doctor works while the server is down', async () => {
  await server.app.end('SIGTERM');
  const { DNS: _, ...others } = HEALTHY;
  // No DNS server listens on this address: the previous test's domain has no public records.
  expect(getStates(await runDoctor(0, { DNS_SERVERS: '127.0.0.1:9' }))).toMatchObject(others);
});

const MB = 2 ** 20;

test.each([
  [buildSpaceFinding(50 * MB, '/data'), 'failure'],
  [buildSpaceFinding(500 * MB, '/data'), 'warning'],
  [buildSpaceFinding(5_000 * MB, '/data'), 'ok'],
  [buildClockFinding(300, 5), 'ok'],
  [buildClockFinding(-5_000, 5), 'warning'],
  [buildClockFinding(5_000, 4_000), 'ok'],
  [buildClockFinding(-90_000, 5), 'failure'],
  [buildRecoveryFinding(5_000), 'ok'],
  [buildRecoveryFinding(5_001), 'warning'],
  [buildRecoveryFinding(60_000), 'warning'],
  [buildRecoveryFinding(-1), 'warning'],
  [buildQuotaFinding('local', null), 'warning'],
  [buildQuotaFinding('ses', { perSecond: 1, perDay: 200, sentLast24h: 10 }), 'ok'],
  [buildQuotaFinding('ses', { perSecond: 1, perDay: 200, sentLast24h: 190 }), 'warning'],
  [buildQuotaFinding('ses', { perSecond: 1, perDay: 200, sentLast24h: 200 }), 'failure'],
  [buildQuotaFinding('ses', { perSecond: 1, perDay: -1, sentLast24h: 200 }), 'ok'],
])('reports %o as %s', (findingFinding, state) => {
  expect(findingFinding.state).toBe(state);
});
