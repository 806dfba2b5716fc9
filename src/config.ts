import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { blobEnvironment, parseBlobSettings } from './settings/blob-settings.ts';
import { emailEnvironment, parseEmailSettings } from './settings/email-settings.ts';
import { mailEnvironment, parseMailSettings } from './settings/mailbox-settings.ts';
import {
  buildChoiceSchema,
  buildPortSchema,
  buildUrlSchema,
  isNetwork,
  isOrigin,
  splitList,
} from './settings/setting-schemas.ts';

export type Config = ReturnType<typeof buildConfig>;

export type PasswordCost = Record<'N' | 'r' | 'p', number>;

/** Meets OWASP's scrypt minimum (Password Storage Cheat Sheet) with 32 MB of memory. */
const DEFAULT_PASSWORD_COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };

/** `message` lists every invalid setting, one per line. */
export class ConfigError extends Error {
  mistakes: string[];

  constructor(mistakes: string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

type Env = Record<string, string | undefined>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const MIN_SECRET_LENGTH = 32;

/** Settings whose values never appear in messages, because they contain credentials. */
const SECRET_SETTINGS = new Set([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'SMTP_URL',
  'SECRET_KEY',
  'BLOB_URL',
  'MAIL_INBOUND_KEY',
  'SES_INBOUND_BUCKET',
  'METRICS_TOKEN',
]);

export const isSecretSetting = (setting: string): boolean => SECRET_SETTINGS.has(setting);

export const environment = z.object({
  PORT: buildPortSchema().default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: buildUrlSchema('an http:// or https:// address', 'http:', 'https:').optional(),
  CORS_ORIGINS: z
    .string()
    .refine(
      (text) => splitList(text).every(isOrigin),
      'must be origins such as https://app.example.org, separated by commas',
    )
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .refine(
      (text) => text === 'none' || splitList(text).every(isNetwork),
      'must be IP addresses or networks such as 10.0.0.0/8, separated by commas, or none',
    )
    .default('127.0.0.0/8,::1'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must have 16 to 200 characters without blanks')
    .optional(),
  LIST_WORKSPACES: buildChoiceSchema(['on', 'off'] as const).default('off'),
  WEB: buildChoiceSchema(['on', 'off'] as const).default('on'),
  /** Read before the other settings, by `src/db/migrations/apps-folder.ts`. */
  APPS_DIR: z.string().optional(),
  APP_UNINSTALL: buildChoiceSchema(['on', 'off'] as const).default('off'),
  DATABASE_URL: buildUrlSchema('a postgresql:// address', 'postgres:', 'postgresql:').optional(),
  DATABASE_DIRECT_URL: buildUrlSchema('a postgresql:// address', 'postgres:', 'postgresql:').optional(),
  DATABASE_POOL_SIZE: z
    .string()
    .regex(/^(?:[2-9]|[1-9]\d|[1-4]\d\d|500)$/, 'must be a number of connections from 2 to 500')
    .default('20'),
  DATABASE_PREPARED_STATEMENTS: buildChoiceSchema(['on', 'off'] as const).default('on'),
  DATA_DIR: z.string().default('.data'),
  ...emailEnvironment,
  WEBHOOK_ALLOW_PRIVATE: buildChoiceSchema(['0', '1'] as const).default('0'),
  ATTACHMENT_ALLOW_PRIVATE: buildChoiceSchema(['0', '1'] as const).default('0'),
  OAUTH_ALLOW_PRIVATE: buildChoiceSchema(['0', '1'] as const).default('0'),
  ...blobEnvironment,
  ...mailEnvironment,
  OTEL_EXPORTER_OTLP_ENDPOINT: buildUrlSchema('an http:// or https:// address', 'http:', 'https:').optional(),
  OTEL_SERVICE_NAME: z.string().default('atrium'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0+)?)$/, 'must be a share from 0 to 1, such as 0.1')
    .default('1'),
  OTEL_BSP_SCHEDULE_DELAY: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a number of milliseconds from 1 to 999999')
    .default('5000'),
  ROLE: buildChoiceSchema(['all', 'web', 'worker'] as const).default('all'),
  DRAIN_SECONDS: z
    .string()
    .regex(/^(?:\d|[1-9]\d|[12]\d\d|300)$/, 'must be a number of seconds from 0 to 300')
    .default('5'),
  LOG_LEVEL: buildChoiceSchema(LOG_LEVELS).default('info'),
  SECRET_KEY: z
    .string()
    .min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`)
    .optional(),
});

type SecretSource = (place: { dataDir: string; databaseUrl: string | null }) => string;

/**
 * Reads the configuration. `.env.example` documents each variable. If `env` is `process.env`, a `.env` file in the
 * working directory supplies unset variables.
 * @param secretOf provides the secret key if SECRET_KEY is not set; by default, a key in `dataDir`, which is created if
 * it does not exist
 * @throws ConfigError
 */
export function loadConfig(env: Env = process.env, secretOf: SecretSource = loadOrCreateSecret): Config {
  if (env === process.env) loadEnvFile();
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = environment.safeParse(set);
  const mistakes = [
    ...(parsed.error?.issues ?? []).map((issue) => formatIssue(issue, set)),
    ...findMissingSettings(set),
  ];
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes);
  return buildConfig(parsed.data, secretOf);
}

function buildConfig(values: z.infer<typeof environment>, secretOf: SecretSource) {
  const dataDir = resolve(values.DATA_DIR);
  const databaseUrl = values.DATABASE_URL ?? null;
  return {
    port: values.PORT,
    host: values.HOST,
    /** Without a trailing slash. */
    publicUrl: (values.PUBLIC_URL ?? buildLocalUrl(values.HOST, values.PORT)).replace(/\/+$/, ''),
    /** Origins whose pages may call the API with a key. */
    corsOrigins: splitList(values.CORS_ORIGINS ?? '').map((origin) => origin.toLowerCase()),
    /** Token for `/metrics`. If null, callers on the same machine or network need no token. */
    metricsToken: values.METRICS_TOKEN ?? null,
    /** Shows the names of all workspaces to unauthenticated clients. */
    listsWorkspaces: values.LIST_WORKSPACES === 'on',
    /** Serves the browser application at `/app`. */
    web: values.WEB === 'on',
    /** Lets administrators remove apps from their workspaces, including all data. */
    removesApps: values.APP_UNINSTALL === 'on',
    /** Null for the embedded PostgreSQL. */
    databaseUrl,
    /** URL of the same database that bypasses the connection pooler. Null if `databaseUrl` is a direct connection. */
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    /** Connections per process for requests and deliveries. */
    databasePoolSize: Number(values.DATABASE_POOL_SIZE),
    databasePrepared: values.DATABASE_PREPARED_STATEMENTS === 'on',
    dataDir,
    ...parseEmailSettings(values),
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE === '1',
    attachmentAllowPrivate: values.ATTACHMENT_ALLOW_PRIVATE === '1',
    /** Allows OAuth client metadata URLs at private, loopback and link-local addresses. */
    oauthAllowPrivate: values.OAUTH_ALLOW_PRIVATE === '1',
    blobs: parseBlobSettings(values, values.AWS_REGION),
    ...parseMailSettings(values, values.AWS_REGION),
    /** OpenTelemetry trace exporter. Null if off. */
    otlp: parseTraceSettings(values),
    role: values.ROLE,
    /** Seconds between SIGTERM and closing the port to new connections. */
    drainSeconds: Number(values.DRAIN_SECONDS),
    logLevel: values.LOG_LEVEL,
    /** Cost of new password hashes. Not configurable, but replaced in tests. */
    passwordCost: DEFAULT_PASSWORD_COST,
    /** Addresses and networks of proxies whose forwarded client address is trusted. */
    trustedProxies: values.TRUSTED_PROXIES === 'none' ? [] : splitList(values.TRUSTED_PROXIES),
    /** At least 32 characters. Used for keyed hashes and signatures. */
    secretKey: values.SECRET_KEY ?? secretOf({ dataDir, databaseUrl }),
  };
}

const parseTraceSettings = (values: z.infer<typeof environment>) =>
  values.OTEL_EXPORTER_OTLP_ENDPOINT
    ? {
        endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, ''),
        serviceName: values.OTEL_SERVICE_NAME,
        /** Fraction of the requests to trace. */
        share: Number(values.OTEL_TRACES_SAMPLER_ARG),
        /** Export interval in milliseconds. */
        delay: Number(values.OTEL_BSP_SCHEDULE_DELAY),
      }
    : null;

export const parseEnvFile = (): Env => (existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {});

/** Variables that are already set take precedence. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

function formatIssue(issue: z.core.$ZodIssue, env: Env): string {
  const name = String(issue.path[0]);
  const value = SECRET_SETTINGS.has(name) ? '' : `, not "${redactUrlCredentials(String(env[name]))}"`;
  return `${name} ${issue.message}${value}`;
}

/** Masks the user and password in every URL or address. */
export const redactUrlCredentials = (value: string): string => value.replace(/(^|:\/\/)[^/\s]*@/g, '$1***@');

function findMissingSettings(env: Env): string[] {
  const lines: string[] = [];
  if (env.DATABASE_DIRECT_URL && !env.DATABASE_URL) {
    lines.push('DATABASE_DIRECT_URL is for the database of DATABASE_URL, which must be set too');
  }
  if (env.MAIL_TRANSPORT === 'ses' && !env.AWS_REGION) {
    lines.push('AWS_REGION is required with MAIL_TRANSPORT=ses (for example eu-west-1)');
  }
  if (env.MAIL_TRANSPORT === 'smtp' && !env.SMTP_URL) {
    lines.push('SMTP_URL is required with MAIL_TRANSPORT=smtp (for example smtp://user:password@host:587)');
  }
  if (Boolean(env.SMTP_TLS_KEY) !== Boolean(env.SMTP_TLS_CERT)) {
    lines.push('SMTP_TLS_KEY and SMTP_TLS_CERT must be set together');
  }
  return lines;
}

/** Builds a URL that a browser on this machine can open, even if the server listens on all interfaces. */
function buildLocalUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/**
 * Returns the key in the data directory, and creates it if needed. If several processes start at once, `link` lets only
 * the first one create it.
 */
export function loadOrCreateSecret({ dataDir }: { dataDir: string }): string {
  const path = getSecretPath(dataDir);
  if (!existsSync(path)) {
    const draft = writeSecretDraft(dataDir, randomBytes(32).toString('base64url'));
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw buildUnwritableError(dataDir, error);
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return findSecret(dataDir)!;
}

/**
 * Returns the key in the data directory. Null if there is none.
 * @throws ConfigError if the key is unusable
 */
export function findSecret(dataDir: string): string | null {
  const path = getSecretPath(dataDir);
  if (!existsSync(path)) return null;
  const key = readSecret(path);
  if (key.length >= MIN_SECRET_LENGTH) return key;
  throw new ConfigError([
    `${path} must contain at least ${MIN_SECRET_LENGTH} characters: restore it, or set SECRET_KEY`,
  ]);
}

const getSecretPath = (dataDir: string): string => join(dataDir, 'secret.key');

function readSecret(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ConfigError([`DATA_DIR: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
}

/** Must only be called for a data directory without a key. */
export function writeSecret(dataDir: string, key: string): void {
  renameSync(writeSecretDraft(dataDir, key), getSecretPath(dataDir));
}

/** @throws ConfigError if the directory is not writable */
function writeSecretDraft(dataDir: string, key: string): string {
  const draft = join(dataDir, `secret.key.${process.pid}`);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, key, { mode: 0o600 });
    return draft;
  } catch (error) {
    throw buildUnwritableError(dataDir, error);
  }
}

function buildUnwritableError(path: string, error: unknown): ConfigError {
  const { code } = error as NodeJS.ErrnoException;
  return new ConfigError([`DATA_DIR: ${path} cannot be written (${code})`]);
}
