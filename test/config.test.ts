import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { buildLinksFinding } from '../boot/cli/checks/machine.ts';
import { ConfigError, environment, loadConfig } from '../src/config.ts';
import { describeUnreachableLinks } from '../src/net/public-links.ts';

const home = mkdtempSync(join(tmpdir(), 'atrium config '));
const key = 'k'.repeat(32);
afterAll(() => rmSync(home, { recursive: true, force: true }));

function getMistakes(env: Record<string, string>): string[] {
  try {
    loadConfig({ SECRET_KEY: key, ...env });
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).mistakes;
  }
}

describe('configuration errors', () => {
  const levels = 'fatal, error, warn, info, debug, trace, silent';
  const port = 'PORT must be a whole number from 0 to 65535 (0 picks a free port)';
  test.each<[Record<string, string>, string]>([
    [{ PORT: 'http' }, `${port}, not "http"`],
    [{ PORT: '65536' }, `${port}, not "65536"`],
    [{ PORT: '-1' }, `${port}, not "-1"`],
    [{ PORT: '80.5' }, `${port}, not "80.5"`],
    [
      { PUBLIC_URL: 'atrium.example' },
      'PUBLIC_URL must be an http:// or https:// address, not "atrium.example"',
    ],
    ...['*', 'null', 'https://app.example.org/', 'https://a.example.org,app.example.org'].map(
      (origins): [Record<string, string>, string] => [
        { CORS_ORIGINS: origins },
        `CORS_ORIGINS must be origins such as https://app.example.org, separated by commas, not "${origins}"`,
      ],
    ),
    ...['10.0.0.0/33', 'proxy.example', '10.0.0.0/8/8', '10.0.0.1,none'].map(
      (proxies): [Record<string, string>, string] => [
        { TRUSTED_PROXIES: proxies },
        `TRUSTED_PROXIES must be IP addresses or networks such as 10.0.0.0/8, separated by commas, or none, not "${proxies}"`,
      ],
    ),
    [{ DATABASE_URL: 'mysql://u:hush@h/d' }, 'DATABASE_URL must be a postgresql:// address'],
    ...['https://bucket', 's3://B_', 's3://bucket?color=red', 's3://bucket?endpoint=ftp://x'].map(
      (text): [Record<string, string>, string] => [
        { BLOB_URL: text },
        'BLOB_URL must be s3://bucket/prefix with the options endpoint, region, checksums and write',
      ],
    ),
    [{ BLOB_ENCRYPTION: 'yes' }, 'BLOB_ENCRYPTION must be one of on, off, not "yes"'],
    [{ MAIL_TRANSPORT: 'pigeon' }, 'MAIL_TRANSPORT must be one of local, ses, smtp, not "pigeon"'],
    [{ MAIL_TRANSPORT: 'ses' }, 'AWS_REGION is required with MAIL_TRANSPORT=ses (for example eu-west-1)'],
    [
      { MAIL_TRANSPORT: 'smtp' },
      'SMTP_URL is required with MAIL_TRANSPORT=smtp (for example smtp://user:password@host:587)',
    ],
    [{ AWS_REGION: 'EU West' }, 'AWS_REGION must be a region such as eu-west-1, not "EU West"'],
    [{ AWS_SES_ENDPOINT: '8005' }, 'AWS_SES_ENDPOINT must be an http:// or https:// address, not "8005"'],
    [
      { SES_CONFIGURATION_SET: 'a b' },
      'SES_CONFIGURATION_SET must be at most 64 letters, digits, _ or -, not "a b"',
    ],
    [
      { SES_TRACKING_SETS: 'clicks=a' },
      'SES_TRACKING_SETS must be configuration sets such as click=NAME,open=NAME,full=NAME, not "clicks=a"',
    ],
    [
      { DNS_SERVERS: '9.9.9.9,dns.example' },
      'DNS_SERVERS must be IP addresses separated by commas, not "9.9.9.9,dns.example"',
    ],
    [{ EMAIL_BODY_DAYS: '0' }, 'EMAIL_BODY_DAYS must be a number of days from 1 to 9999, not "0"'],
    [{ SOFT_BOUNCE_LIMIT: '100' }, 'SOFT_BOUNCE_LIMIT must be a number of bounces from 0 to 99, not "100"'],
    [{ SOFT_BOUNCE_DAYS: '0' }, 'SOFT_BOUNCE_DAYS must be a number of days from 1 to 9999, not "0"'],
    [{ SMTP_URL: 'http://u:hush@h' }, 'SMTP_URL must be an smtp:// or smtps:// address'],
    [
      { DATABASE_URL: 'postgresql://h/d', DATABASE_DIRECT_URL: 'http://u:hush@h' },
      'DATABASE_DIRECT_URL must be a postgresql:// address',
    ],
    [
      { DATABASE_DIRECT_URL: 'postgresql://h/d' },
      'DATABASE_DIRECT_URL is for the database of DATABASE_URL, which must be set too',
    ],
    [
      { DATABASE_POOL_SIZE: '1' },
      'DATABASE_POOL_SIZE must be a number of connections from 2 to 500, not "1"',
    ],
    [{ DATABASE_PREPARED_STATEMENTS: 'no' }, 'DATABASE_PREPARED_STATEMENTS must be one of on, off, not "no"'],
    [{ DRAIN_SECONDS: '-1' }, 'DRAIN_SECONDS must be a number of seconds from 0 to 300, not "-1"'],
    [{ ROLE: 'king' }, 'ROLE must be one of all, web, worker, not "king"'],
    [{ LOG_LEVEL: 'loud' }, `LOG_LEVEL must be one of ${levels}, not "loud"`],
    [{ SECRET_KEY: 'hush' }, 'SECRET_KEY must have at least 32 characters'],
  ])('are reported in a single line: %j', (env, line) => {
    expect(getMistakes(env)).toEqual([line]);
  });
});

test('parses a bucket URL into key, prefix, endpoint and region', () => {
  const url = 's3://id:a%2Fb@files/a/b/?endpoint=https://s3.example.com/&region=eu-west-1&write=off';
  expect(loadConfig({ SECRET_KEY: key, BLOB_URL: url, BLOB_ENCRYPTION: 'off' }).blobs).toEqual({
    encrypts: false,
    bucket: {
      bucket: 'files',
      prefix: 'a/b/',
      region: 'eu-west-1',
      endpoint: 'https://s3.example.com',
      credentials: { accessKeyId: 'id', secretAccessKey: 'a/b' },
      checksums: 'WHEN_REQUIRED',
      writes: false,
    },
  });
  expect(
    loadConfig({ SECRET_KEY: key, BLOB_URL: 's3://files', AWS_REGION: 'eu-north-1' }).blobs.bucket,
  ).toMatchObject({ prefix: '', region: 'eu-north-1', endpoint: null, credentials: null, writes: true });
});

test('reports all configuration errors together', () => {
  const lines = getMistakes({ PORT: 'x', ROLE: 'y', MAIL_TRANSPORT: 'ses' });
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['PORT', 'ROLE', 'AWS_REGION']);
  expect(new ConfigError(lines).message.split('\n')).toEqual(lines);
});

test('defaults to 127.0.0.1:3000, the embedded database and the local outbox', () => {
  expect(loadConfig({ SECRET_KEY: key })).toEqual({
    otlp: null,
    blobs: { bucket: null, encrypts: true },
    passwordCost: { N: 32768, r: 8, p: 3 },
    port: 3000,
    trustedProxies: ['127.0.0.0/8', '::1'],
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:3000',
    corsOrigins: [],
    databaseUrl: null,
    databaseDirectUrl: null,
    databasePoolSize: 20,
    databasePrepared: true,
    metricsToken: null,
    listsWorkspaces: false,
    web: true,
    removesApps: false,
    dataDir: resolve('.data'),
    mailTransport: 'local',
    awsRegion: null,
    awsSesEndpoint: null,
    awsSnsEndpoint: null,
    sesConfigurationSet: null,
    sesTopicArns: [],
    sesTrackingSets: {},
    dnsServers: null,
    emailBodyDays: null,
    softBounces: { limit: 5, windowDays: 14, pauseDays: 7 },
    webhookAllowPrivate: false,
    attachmentAllowPrivate: false,
    oauthAllowPrivate: false,
    smtpUrl: null,
    holdsUnsigned: true,
    mailImageAllowPrivate: false,
    mailImportAllowPrivate: false,
    mailInboundKey: null,
    sesInboundBucket: null,
    sesInboundTopicArns: [],
    takesBounces: false,
    mxPort: null,
    lmtpPort: null,
    mxTrustedRelays: [],
    enforcesDmarc: true,
    rspamdUrl: null,
    smtpSubmissionPort: null,
    smtpSubmissionsPort: null,
    smtpTls: null,
    unknownMinutes: 10,
    unknownPolicy: 'resend',
    role: 'all',
    drainSeconds: 5,
    logLevel: 'info',
    secretKey: key,
  });
});

test('parses origins as browsers send them', () => {
  const env = { CORS_ORIGINS: 'https://App.example.org, http://localhost:5173,' };
  expect(loadConfig({ SECRET_KEY: key, ...env }).corsOrigins).toEqual([
    'https://app.example.org',
    'http://localhost:5173',
  ]);
});

test('parses name servers, tracking configuration sets and the email body retention period', () => {
  const env = {
    DNS_SERVERS: '9.9.9.9,127.0.0.1:5353,[::1]:53,::1',
    SES_TRACKING_SETS: 'click=c,full=f',
    EMAIL_BODY_DAYS: '90',
  };
  expect(loadConfig({ SECRET_KEY: key, ...env })).toMatchObject({
    dnsServers: ['9.9.9.9', '127.0.0.1:5353', '[::1]:53', '::1'],
    sesTrackingSets: { click: 'c', full: 'f' },
    emailBodyDays: 90,
  });
});

test.each([
  ['0', null],
  ['3', { limit: 3, windowDays: 30, pauseDays: 2 }],
])('parses a soft bounce limit of %s', (limit, softBounces) => {
  const env = { SOFT_BOUNCE_LIMIT: limit, SOFT_BOUNCE_DAYS: '30', SOFT_BOUNCE_PAUSE_DAYS: '2' };
  expect(loadConfig({ SECRET_KEY: key, ...env }).softBounces).toEqual(softBounces);
});

test('treats an empty variable as unset', () => {
  expect(loadConfig({ SECRET_KEY: key, PORT: '', DATABASE_URL: ' ', ROLE: '' })).toMatchObject({
    port: 3000,
    databaseUrl: null,
    role: 'all',
  });
});

test.each([
  [{ HOST: '0.0.0.0', PORT: '80' }, 'http://localhost:80'],
  [{ HOST: '::1' }, 'http://[::1]:3000'],
  [{ PUBLIC_URL: 'https://mail.example/' }, 'https://mail.example'],
])('derives the public URL of %j as %s', (env, address) => {
  expect(loadConfig({ SECRET_KEY: key, ...env }).publicUrl).toBe(address);
});

test.each([
  ['local', 'http://127.0.0.1:3000', true],
  ['smtp', 'http://127.0.0.1:3000', false],
  ['ses', 'http://localhost:3000', false],
  ['smtp', 'http://atrium.localhost', false],
  ['smtp', 'http://127.1', false],
  ['ses', 'http://0.0.0.0:3000', false],
  ['ses', 'http://[::1]:3000', false],
  ['ses', 'http://[::ffff:127.0.0.1]', false],
  ['smtp', 'https://mail.example', true],
  ['ses', 'https://localhost.example', true],
  ['smtp', 'http://10.0.0.5', false],
  ['ses', 'https://192.168.1.20:8443', false],
  ['ses', 'https://172.31.0.1', false],
  ['smtp', 'https://169.254.1.1', false],
  ['smtp', 'https://100.64.0.1', false],
  ['smtp', 'https://0xa000005', false],
  ['ses', 'https://[fd00::1]', false],
  ['ses', 'https://[fe80::1]', false],
  ['ses', 'https://[::ffff:10.0.0.5]', false],
  ['smtp', 'https://mail.local', false],
  ['smtp', 'https://MAIL.Internal.', false],
  ['smtp', 'https://mail.home.arpa', false],
  ['smtp', 'http://atrium:3000', false],
  ['smtp', 'https://8.8.8.8', true],
  ['smtp', 'https://[2606:4700::1111]', true],
  ['smtp', 'https://local.example', true],
  ['smtp', 'https://mail.internal.example', true],
  ['local', 'http://10.0.0.5', true],
] as const)(
  'reports whether links work with %s and %s as the public URL: %s',
  (mailTransport, publicUrl, works) => {
    expect(describeUnreachableLinks({ mailTransport, publicUrl }) === null).toBe(works);
    expect(buildLinksFinding({ mailTransport, publicUrl }).state).toBe(works ? 'ok' : 'warning');
  },
);

test('creates a secret key once in DATA_DIR, readable only by its owner', () => {
  const env = { DATA_DIR: join(home, 'made now') };
  const first = loadConfig(env).secretKey;
  const path = join(env.DATA_DIR, 'secret.key');
  expect(first.length).toBeGreaterThanOrEqual(32);
  expect(readFileSync(path, 'utf8')).toBe(first);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(loadConfig(env).secretKey).toBe(first);
  expect(loadConfig({ ...env, SECRET_KEY: key }).secretKey).toBe(key);
});

test.each([
  ['is a file', (dir: string) => writeFileSync(dir, ''), 'EEXIST'],
  ['is below a file', (dir: string) => writeFileSync(dirname(dir), ''), 'ENOTDIR'],
])('reports a DATA_DIR that %s in one line', (_what, spoil, code) => {
  const dir = join(home, `spoilt ${code}`, 'data');
  if (code === 'EEXIST') mkdirSync(dirname(dir));
  spoil(dir);
  expect(getMistakes({ DATA_DIR: dir, SECRET_KEY: '' })).toEqual([
    `DATA_DIR: ${dir} cannot be written (${code})`,
  ]);
});

test('reports an unreadable secret key in one line', () => {
  const path = join(home, 'unreadable', 'secret.key');
  mkdirSync(path, { recursive: true });
  expect(getMistakes({ DATA_DIR: dirname(path), SECRET_KEY: '' })).toEqual([
    `DATA_DIR: ${path} cannot be read (EISDIR)`,
  ]);
});

test('.env.example names every configuration variable', () => {
  const settingNames = [...readFileSync('.env.example', 'utf8').matchAll(/^#([A-Z_]+)=/gm)].map(
    (match) => match[1],
  );
  expect(settingNames.sort()).toEqual(Object.keys(environment.shape).sort());
});

test('docker-compose.yml passes through every variable in .env.example', () => {
  const readVariables = (path: string, line: RegExp) =>
    [...readFileSync(path, 'utf8').matchAll(line)].map((match) => match[1]!);
  const passed = readVariables('docker-compose.yml', /^ {6}([A-Z_]+): /gm);
  expect(passed).toEqual(expect.arrayContaining(readVariables('.env.example', /^#([A-Z_]+)=/gm)));
});
