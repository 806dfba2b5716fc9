import { z } from 'zod';
import { type BucketSettings, bucketUrlSetting, parseBucketSettings } from './blob-settings.ts';
import {
  isNetwork,
  oneOfSetting,
  portSetting,
  splitList,
  topicArnsSetting,
  urlSetting,
} from './setting-schemas.ts';

/** How mail comes into mailboxes. */
export interface MailSettings {
  /** Port at which other servers bring mail; null: off. */
  mxPort: number | null;
  /** The same for LMTP, which a mail server of one's own speaks. */
  lmtpPort: number | null;
  /** Addresses and networks of relays whose word about clients and spam is taken. */
  mxTrustedRelays: string[];
  /** Whether mail goes to Spam that the domain of its sender disowns by DMARC. */
  honoursDmarc: boolean;
  /** Reports of what an SMTP relay could not deliver come back to mailboxes here. */
  takesBounces: boolean;
  /** Address of a spam filter that speaks rspamd's protocol; null: none. */
  rspamdUrl: string | null;
  /** Key by which a relay signs messages that it posts; null: none may. */
  mailInboundKey: string | null;
  /** Topics of Amazon SNS that bring messages which SES has received. */
  sesInboundTopicArns: string[];
  /** Where SES puts them; null: they come with the notice. */
  sesInboundBucket: BucketSettings | null;
  /** Mail may be imported from servers at private addresses. */
  mailImportAllowPrivate: boolean;
  /** Images of messages may be fetched from private addresses. */
  mailImageAllowPrivate: boolean;
}

/** What they must be; as in `config.ts`. */
export const mailEnvironment = {
  MX_PORT: portSetting().optional(),
  LMTP_PORT: portSetting().optional(),
  MX_TRUSTED_RELAYS: z
    .string()
    .refine(
      (text) => splitList(text).every(isNetwork),
      'must be IP addresses or networks such as 10.0.0.0/8, separated by commas',
    )
    .optional(),
  MAIL_DMARC: oneOfSetting(['honour', 'ignore'] as const).default('honour'),
  MAIL_BOUNCES: oneOfSetting(['on', 'off'] as const).optional(),
  MAIL_INBOUND_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SES_INBOUND_TOPIC_ARNS: topicArnsSetting().optional(),
  SES_INBOUND_BUCKET: bucketUrlSetting().optional(),
  RSPAMD_URL: urlSetting('an http:// or https:// address', 'http:', 'https:').optional(),
  MAIL_IMPORT_ALLOW_PRIVATE: oneOfSetting(['0', '1'] as const).default('0'),
  MAIL_IMAGE_ALLOW_PRIVATE: oneOfSetting(['0', '1'] as const).default('0'),
};

type MailEnvironment = z.infer<z.ZodObject<typeof mailEnvironment>>;

/** Whether messages come in by any way. */
const receivesMail = ({
  MX_PORT,
  LMTP_PORT,
  MAIL_INBOUND_KEY,
  SES_INBOUND_TOPIC_ARNS,
}: MailEnvironment): boolean => Boolean(MX_PORT ?? LMTP_PORT ?? MAIL_INBOUND_KEY ?? SES_INBOUND_TOPIC_ARNS);

/** Pure. */
export function parseMailSettings(given: MailEnvironment, region: string | undefined): MailSettings {
  return {
    mxPort: given.MX_PORT ?? null,
    lmtpPort: given.LMTP_PORT ?? null,
    mxTrustedRelays: splitList(given.MX_TRUSTED_RELAYS ?? ''),
    honoursDmarc: given.MAIL_DMARC === 'honour',
    takesBounces: (given.MAIL_BOUNCES ?? (receivesMail(given) ? 'on' : 'off')) === 'on',
    mailInboundKey: given.MAIL_INBOUND_KEY ?? null,
    sesInboundTopicArns: splitList(given.SES_INBOUND_TOPIC_ARNS ?? ''),
    sesInboundBucket: given.SES_INBOUND_BUCKET ? parseBucketSettings(given.SES_INBOUND_BUCKET, region) : null,
    rspamdUrl: given.RSPAMD_URL?.replace(/\/+$/, '') ?? null,
    mailImportAllowPrivate: given.MAIL_IMPORT_ALLOW_PRIVATE === '1',
    mailImageAllowPrivate: given.MAIL_IMAGE_ALLOW_PRIVATE === '1',
  };
}
