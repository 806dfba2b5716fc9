import { isUtf8 } from 'node:buffer';
import { type KeyObject, verify } from 'node:crypto';
import { createCache } from '../../../src/cache.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { receiveNotice } from './notices.ts';
import { parseSesEvent } from './ses-event.ts';
import { fetchKey, fetchText } from './sns-fetch.ts';

const MAX_CACHED_CERTIFICATES = 20;
const CERTIFICATE_RETRY_MS = 10_000;

interface SnsEnvelope {
  Type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  MessageId: string;
  TopicArn: string;
  Subject?: string;
  Message: string;
  Timestamp: string;
  SignatureVersion: '1' | '2';
  Signature: string;
  SigningCertURL: string;
  SubscribeURL?: string;
  Token?: string;
}

export const snsMessageReceive = defineOperation('snsMessageReceive', {
  effects: ['writes'],
  policy: { auth: ['SIGNED'], scope: 'write' },
  description: 'Receives an Amazon SNS message exactly as posted. Returns once the message is stored.',
  args: (arg) => ({ body: arg({ type: 'Bytes', required: true, description: 'Raw body of the request.' }) }),
  type: 'Boolean',
  run: async ({ runtime }, { body }) => {
    await receiveNotification(runtime, body);
    return true;
  },
});

async function receiveNotification(runtime: Runtime, body: Buffer): Promise<void> {
  const envelope = await openNotification(runtime, body, runtime.config.sesTopicArns);
  const notice = envelope && parseSesEvent(envelope.Message);
  if (notice) await receiveNotice(runtime, { ...notice, topic: envelope.TopicArn });
}

/**
 * Parses and verifies an SNS message. Confirms subscriptions.
 * @returns null for messages about subscriptions
 * @throws BAD_REQUEST if the body is not an SNS message, FORBIDDEN if it is not trusted
 */
export async function openNotification(
  runtime: Runtime,
  body: Buffer,
  topics: readonly string[],
): Promise<SnsEnvelope | null> {
  const envelope = parseSnsEnvelope(body);
  const trust = { topics, endpoint: runtime.config.awsSnsEndpoint };
  try {
    await checkTrust(envelope, trust);
    return await verifyNotification(runtime, envelope, trust);
  } catch (error) {
    const { Type: type, TopicArn: topic, MessageId: message } = envelope;
    const cause = error instanceof AppError ? { reason: error.message } : { err: error };
    runtime.log.warn({ ...cause, type, topic, message }, 'rejected a message from Amazon SNS');
    throw error;
  }
}

async function verifyNotification(
  runtime: Runtime,
  envelope: SnsEnvelope,
  trust: SnsTrust,
): Promise<SnsEnvelope | null> {
  const topic = envelope.TopicArn;
  if (envelope.Type === 'Notification') return envelope;
  if (envelope.Type === 'SubscriptionConfirmation') {
    await confirmSubscription(envelope, trust);
    runtime.log.info({ topic }, 'subscribed to the topic');
  } else runtime.log.warn({ topic }, 'unsubscribed from the topic: it reports no more events');
  return null;
}

interface SnsTrust {
  topics: readonly string[];
  /** Origin of a test server that replaces Amazon; null for Amazon. */
  endpoint: string | null;
}

const SNS_HOST_PATTERN = /^sns\.[a-z0-9-]{3,}\.amazonaws\.com(?:\.cn)?$/;

export function isSnsUrl(url: string, endpoint: string | null): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username, password, origin } = new URL(url);
  if (username || password) return false;
  if (endpoint) return origin === endpoint;
  return protocol === 'https:' && port === '' && SNS_HOST_PATTERN.test(hostname);
}

/**
 * Accepts only recent messages from a configured topic with a valid signature.
 * @throws FORBIDDEN, BUSY if the certificate cannot be fetched
 */
async function checkTrust(envelope: SnsEnvelope, trust: SnsTrust): Promise<void> {
  if (!trust.topics.includes(envelope.TopicArn))
    throw errors.notAllowed(
      `This server does not accept messages from the topic ${envelope.TopicArn.slice(0, 300)}.`,
    );
  const age = Date.now() - Date.parse(envelope.Timestamp);
  if (age > limits.provider.eventDays * DAY_MS || age < -HOUR_MS)
    throw errors.notAllowed('The message is too old, or its timestamp is in the future.');
  if (!isSignatureValid(envelope, await loadKey(envelope.SigningCertURL, trust.endpoint)))
    throw errors.notAllowed('The signature is invalid.');
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Certificates by endpoint and URL. Failures are cached briefly. */
const keys = createCache<string, Promise<KeyObject>>({ entries: MAX_CACHED_CERTIFICATES, age: DAY_MS });

/** @throws FORBIDDEN if the URL is not on an SNS host; errors of `fetchKey` */
function loadKey(url: string, endpoint: string | null): Promise<KeyObject> {
  const place = `${endpoint ?? ''} ${url}`;
  const cachedKey = keys.get(place);
  if (cachedKey) return cachedKey;
  if (!isSnsUrl(url, endpoint) || !new URL(url).pathname.endsWith('.pem'))
    throw errors.notAllowed('SigningCertURL does not point to Amazon SNS.');
  const key = fetchKey(url);
  keys.set(place, key);
  key.catch(() => keys.set(place, key, CERTIFICATE_RETRY_MS));
  return key;
}

/**
 * Confirms a subscription. The message must have been verified.
 * @throws FORBIDDEN if the URL is not on an SNS host
 * @throws BUSY if the request fails; SNS then sends the message again
 */
async function confirmSubscription(envelope: SnsEnvelope, trust: SnsTrust): Promise<void> {
  const url = envelope.SubscribeURL ?? '';
  if (!isSnsUrl(url, trust.endpoint)) throw errors.notAllowed('SubscribeURL does not point to Amazon SNS.');
  const query = new URL(url).searchParams;
  if (query.get('Action') !== 'ConfirmSubscription' || query.get('TopicArn') !== envelope.TopicArn)
    throw errors.notAllowed('SubscribeURL does not confirm a subscription to the topic.');
  try {
    await fetchText(url);
  } catch {
    throw errors.busy('The subscription could not be confirmed. Try again later.');
  }
}

const ENVELOPE_TYPES = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'];
const REQUIRED_FIELDS = [
  'MessageId',
  'TopicArn',
  'Message',
  'Timestamp',
  'Signature',
  'SigningCertURL',
] as const;
const OPTIONAL_FIELDS = ['Subject', 'SubscribeURL', 'Token'] as const;
const MAX_FIELD_LENGTH = 4_096;

/**
 * Parses a body posted by SNS, regardless of its Content-Type (SNS sends text/plain). Ignores unknown fields.
 * @throws BAD_REQUEST for any other body, including raw message delivery, which is not signed
 */
export function parseSnsEnvelope(body: Buffer): SnsEnvelope {
  const fields = parseObject(body);
  if (!ENVELOPE_TYPES.includes(fields.Type as string)) throw createMalformedFieldError('Type');
  if (fields.SignatureVersion !== '1' && fields.SignatureVersion !== '2')
    throw createMalformedFieldError('SignatureVersion');
  const envelope: Record<string, unknown> = { Type: fields.Type, SignatureVersion: fields.SignatureVersion };
  for (const name of REQUIRED_FIELDS) {
    if (typeof fields[name] !== 'string' || fields[name] === '') throw createMalformedFieldError(name);
    envelope[name] = fields[name];
  }
  for (const name of OPTIONAL_FIELDS) {
    if (fields[name] === undefined || fields[name] === null) continue;
    if (typeof fields[name] !== 'string') throw createMalformedFieldError(name);
    envelope[name] = fields[name];
  }
  for (const [name, value] of Object.entries(envelope))
    if (
      name !== 'Message' &&
      ((value as string).length > MAX_FIELD_LENGTH || /[\0\n\r]/.test(value as string))
    )
      throw createMalformedFieldError(name);
  if (Number.isNaN(Date.parse(envelope.Timestamp as string))) throw createMalformedFieldError('Timestamp');
  return envelope as unknown as SnsEnvelope;
}

function parseObject(body: Buffer): Record<string, unknown> {
  if (!isUtf8(body)) throw errors.badRequest('The body is not UTF-8.');
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    throw errors.badRequest('The body is not JSON.');
  }
  if (!isObject(value)) throw errors.badRequest('The body is not an Amazon SNS message.');
  return value;
}

const createMalformedFieldError = (field: string) =>
  errors.badRequest(`The body is not an Amazon SNS message: ${field} is missing or malformed.`);

const SIGNED_FIELDS = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
} as const;

/** Builds the string that SNS signs: `Key\nValue\n` for each field present, in the documented order. */
function buildSignedText(envelope: SnsEnvelope): string {
  const keys = SIGNED_FIELDS[envelope.Type === 'Notification' ? 'Notification' : 'SubscriptionConfirmation'];
  return keys.map((key) => (envelope[key] === undefined ? '' : `${key}\n${envelope[key]}\n`)).join('');
}

function isSignatureValid(envelope: SnsEnvelope, publicKey: KeyObject): boolean {
  const algorithm = envelope.SignatureVersion === '2' ? 'sha256' : 'sha1';
  const signature = Buffer.from(envelope.Signature, 'base64');
  return verify(algorithm, Buffer.from(buildSignedText(envelope)), publicKey, signature);
}
