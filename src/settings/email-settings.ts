import { z } from 'zod';
import {
  buildChoiceSchema,
  buildDayCountSchema,
  buildPortSchema,
  buildTopicArnsSchema,
  buildUrlSchema,
  isServerAddress,
  splitList,
} from './setting-schemas.ts';

export const emailEnvironment = {
  MAIL_TRANSPORT: buildChoiceSchema(['local', 'ses', 'smtp'] as const).default('local'),
  AWS_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be a region such as eu-west-1')
    .optional(),
  AWS_SES_ENDPOINT: buildUrlSchema('an http:// or https:// address', 'http:', 'https:').optional(),
  SES_CONFIGURATION_SET: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be at most 64 letters, digits, _ or -')
    .optional(),
  SES_TRACKING_SETS: z
    .string()
    .regex(
      /^(?:click|open|full)=[A-Za-z0-9_-]{1,64}(?:,(?:click|open|full)=[A-Za-z0-9_-]{1,64})*$/,
      'must be configuration sets such as click=NAME,open=NAME,full=NAME',
    )
    .optional(),
  DNS_SERVERS: z
    .string()
    .refine((text) => text.split(',').every(isServerAddress), 'must be IP addresses separated by commas')
    .optional(),
  EMAIL_BODY_DAYS: buildDayCountSchema().optional(),
  SOFT_BOUNCE_LIMIT: z
    .string()
    .regex(/^(?:\d|[1-9]\d)$/, 'must be a number of bounces from 0 to 99')
    .default('5'),
  SOFT_BOUNCE_DAYS: buildDayCountSchema().default('14'),
  SOFT_BOUNCE_PAUSE_DAYS: buildDayCountSchema().default('7'),
  SES_TOPIC_ARNS: buildTopicArnsSchema().optional(),
  AWS_SNS_ENDPOINT: buildUrlSchema('an http:// or https:// address', 'http:', 'https:').optional(),
  SMTP_URL: buildUrlSchema('an smtp:// or smtps:// address', 'smtp:', 'smtps:').optional(),
  MAIL_UNSIGNED: buildChoiceSchema(['hold', 'send'] as const).default('hold'),
  SMTP_SUBMISSION_PORT: buildPortSchema().optional(),
  SMTP_SUBMISSIONS_PORT: buildPortSchema().optional(),
  SMTP_TLS_KEY: z.string().optional(),
  SMTP_TLS_CERT: z.string().optional(),
  UNKNOWN_MINUTES: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a number of minutes from 1 to 9999')
    .default('10'),
  UNKNOWN_POLICY: buildChoiceSchema(['resend', 'hold'] as const).default('resend'),
};

type EmailEnvironment = z.infer<z.ZodObject<typeof emailEnvironment>>;

type SesTrackingSets = Partial<Record<'click' | 'open' | 'full', string>>;

export function parseEmailSettings(environment: EmailEnvironment) {
  return {
    mailTransport: environment.MAIL_TRANSPORT,
    /** DNS servers for domain records and webhook hosts, with optional ports. Null for the system's servers. */
    dnsServers: environment.DNS_SERVERS?.split(',') ?? null,
    /** Suppresses an address for `pauseDays` after `limit` soft bounces within `windowDays`. Null to disable. */
    softBounces: Number(environment.SOFT_BOUNCE_LIMIT)
      ? {
          limit: Number(environment.SOFT_BOUNCE_LIMIT),
          windowDays: Number(environment.SOFT_BOUNCE_DAYS),
          pauseDays: Number(environment.SOFT_BOUNCE_PAUSE_DAYS),
        }
      : null,
    /** Days after which the bodies of finished emails are purged. Null to keep them. */
    emailBodyDays: environment.EMAIL_BODY_DAYS ? Number(environment.EMAIL_BODY_DAYS) : null,
    /** Minutes to wait for the provider's report on an email with an unknown outcome. */
    unknownMinutes: Number(environment.UNKNOWN_MINUTES),
    /** Action after `unknownMinutes`: send the email again, or hold it for a person to decide. */
    unknownPolicy: environment.UNKNOWN_POLICY,
    /** Always set for the transport `ses`. */
    awsRegion: environment.AWS_REGION ?? null,
    awsSesEndpoint: environment.AWS_SES_ENDPOINT ?? null,
    sesConfigurationSet: environment.SES_CONFIGURATION_SET ?? null,
    /** SES configuration sets of domains with tracking. */
    sesTrackingSets: Object.fromEntries(
      (environment.SES_TRACKING_SETS?.split(',') ?? []).map((item) => item.split('=')),
    ) as SesTrackingSets,
    /** SNS topics whose messages are accepted as SES events. */
    sesTopicArns: splitList(environment.SES_TOPIC_ARNS ?? ''),
    /** Origin of a fake Amazon SNS for tests. */
    awsSnsEndpoint: environment.AWS_SNS_ENDPOINT ? new URL(environment.AWS_SNS_ENDPOINT).origin : null,
    /** Always set for the transport `smtp`. */
    smtpUrl: environment.SMTP_URL ?? null,
    /** With `smtp`: holds unsigned mail if the DMARC policy of its domain is `reject`. */
    holdsUnsigned: environment.MAIL_UNSIGNED === 'hold',
    /** Port for SMTP submission with STARTTLS. Null if off. */
    smtpSubmissionPort: environment.SMTP_SUBMISSION_PORT ?? null,
    /** Port for SMTP submission with implicit TLS. Null if off. */
    smtpSubmissionsPort: environment.SMTP_SUBMISSIONS_PORT ?? null,
    /** Paths of PEM files. Null for a self-signed certificate. */
    smtpTls:
      environment.SMTP_TLS_KEY && environment.SMTP_TLS_CERT
        ? { key: environment.SMTP_TLS_KEY, cert: environment.SMTP_TLS_CERT }
        : null,
  };
}
