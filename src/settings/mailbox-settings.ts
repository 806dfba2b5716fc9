import { z } from 'zod';
import { buildBucketUrlSchema, parseBucketSettings } from './blob-settings.ts';
import {
  buildChoiceSchema,
  buildPortSchema,
  buildTopicArnsSchema,
  buildUrlSchema,
  isNetwork,
  splitList,
} from './setting-schemas.ts';

export const mailEnvironment = {
  MX_PORT: buildPortSchema().optional(),
  LMTP_PORT: buildPortSchema().optional(),
  MX_TRUSTED_RELAYS: z
    .string()
    .refine(
      (text) => splitList(text).every(isNetwork),
      'must be IP addresses or networks such as 10.0.0.0/8, separated by commas',
    )
    .optional(),
  MAIL_DMARC: buildChoiceSchema(['honor', 'ignore'] as const).default('honor'),
  MAIL_BOUNCES: buildChoiceSchema(['on', 'off'] as const).optional(),
  MAIL_INBOUND_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SES_INBOUND_TOPIC_ARNS: buildTopicArnsSchema().optional(),
  SES_INBOUND_BUCKET: buildBucketUrlSchema().optional(),
  RSPAMD_URL: buildUrlSchema('an http:// or https:// address', 'http:', 'https:').optional(),
  MAIL_IMPORT_ALLOW_PRIVATE: buildChoiceSchema(['0', '1'] as const).default('0'),
  MAIL_IMAGE_ALLOW_PRIVATE: buildChoiceSchema(['0', '1'] as const).default('0'),
};

type MailEnvironment = z.infer<z.ZodObject<typeof mailEnvironment>>;

const receivesMail = ({
  MX_PORT,
  LMTP_PORT,
  MAIL_INBOUND_KEY,
  SES_INBOUND_TOPIC_ARNS,
}: MailEnvironment): boolean => Boolean(MX_PORT ?? LMTP_PORT ?? MAIL_INBOUND_KEY ?? SES_INBOUND_TOPIC_ARNS);

export function parseMailSettings(environment: MailEnvironment, region: string | undefined) {
  return {
    /** SMTP port for incoming mail from other servers. Null if off. */
    mxPort: environment.MX_PORT ?? null,
    /** LMTP port for a local mail server. Null if off. */
    lmtpPort: environment.LMTP_PORT ?? null,
    /** Addresses and networks of relays whose information about clients and spam is trusted. */
    mxTrustedRelays: splitList(environment.MX_TRUSTED_RELAYS ?? ''),
    /** Files mail to Spam if it fails the DMARC policy of its sender's domain. */
    enforcesDmarc: environment.MAIL_DMARC === 'honor',
    /** Returns delivery reports for mail sent through an SMTP relay to this installation's mailboxes. */
    takesBounces: (environment.MAIL_BOUNCES ?? (receivesMail(environment) ? 'on' : 'off')) === 'on',
    /** Key that a relay uses to sign posted messages. Null if posting is off. */
    mailInboundKey: environment.MAIL_INBOUND_KEY ?? null,
    /** Amazon SNS topics that announce messages received by SES. */
    sesInboundTopicArns: splitList(environment.SES_INBOUND_TOPIC_ARNS ?? ''),
    /** Bucket in which SES stores messages. Null if the notifications contain them. */
    sesInboundBucket: environment.SES_INBOUND_BUCKET
      ? parseBucketSettings(environment.SES_INBOUND_BUCKET, region)
      : null,
    /** URL of a spam filter that uses rspamd's protocol. Null if there is none. */
    rspamdUrl: environment.RSPAMD_URL?.replace(/\/+$/, '') ?? null,
    /** Allows imports from mail servers at private addresses. */
    mailImportAllowPrivate: environment.MAIL_IMPORT_ALLOW_PRIVATE === '1',
    /** Allows images in messages to be fetched from private addresses. */
    mailImageAllowPrivate: environment.MAIL_IMAGE_ALLOW_PRIVATE === '1',
  };
}
