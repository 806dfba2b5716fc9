import type { KeyObject } from 'node:crypto';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createCache } from '../../../src/engine/value/cache.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { takeNotice } from './notices.ts';
import { readSesEvent } from './ses-event.ts';
import { isSigned, readEnvelope, type SnsEnvelope } from './sns-envelope.ts';
import { fetchKey, fetchText } from './sns-fetch.ts';

verb('snsMessageReceive', {
  kind: 'mutation',
  policy: { auth: ['SIGNED'], scope: 'write' },
  description: 'Receives an Amazon SNS message exactly as posted. Returns once the message is stored.',
  args: (arg) => ({ body: arg({ type: 'Bytes', required: true, description: 'Raw body of the request.' }) }),
  type: 'Boolean',
  run: async ({ runtime }, { body }) => {
    await receive(runtime, body);
    return true;
  },
});

/** @throws BAD_REQUEST for what is no message of SNS, FORBIDDEN for one that is not to be trusted */
async function receive(runtime: Runtime, body: Buffer): Promise<void> {
  const envelope = readEnvelope(body);
  const { sesTopicArns, awsSnsEndpoint } = runtime.config;
  const trust = { topics: sesTopicArns, endpoint: awsSnsEndpoint };
  try {
    await checkTrust(envelope, trust);
    await take(runtime, envelope, trust);
  } catch (error) {
    const { Type: type, TopicArn: topic, MessageId: message } = envelope;
    runtime.log.warn({ err: error, type, topic, message }, 'a message of Amazon SNS was not taken');
    throw error;
  }
}

async function take(runtime: Runtime, envelope: SnsEnvelope, trust: SnsTrust): Promise<void> {
  const topic = envelope.TopicArn;
  if (envelope.Type === 'SubscriptionConfirmation') {
    await confirmSubscription(envelope, trust);
    return runtime.log.info({ topic }, 'subscribed to the topic');
  }
  if (envelope.Type === 'UnsubscribeConfirmation')
    return runtime.log.warn({ topic }, 'unsubscribed from the topic: it reports no more events');
  const notice = readSesEvent(envelope.Message);
  if (notice) await takeNotice(runtime.db, { ...notice, noticeId: envelope.MessageId, topic });
}

/** What is trusted of Amazon SNS. */
interface SnsTrust {
  /** The only topics whose messages are taken. */
  topics: readonly string[];
  /** Origin of a stand-in that signs instead of Amazon; null for Amazon itself. */
  endpoint: string | null;
}

/** Hosts of Amazon SNS, in all its regions. */
const HOST = /^sns\.[a-z0-9-]{3,}\.amazonaws\.com(?:\.cn)?$/;

/** Whether something may be fetched from `url` on the word of a message. Pure. */
export function isSnsUrl(url: string, endpoint: string | null): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port, username, password, origin } = new URL(url);
  if (username || password) return false;
  if (endpoint) return origin === endpoint;
  return protocol === 'https:' && port === '' && HOST.test(hostname);
}

/**
 * Lets only messages pass that come from a known topic, not long ago, and that Amazon SNS has signed.
 * @throws FORBIDDEN; BUSY when the certificate cannot be fetched now
 */
async function checkTrust(envelope: SnsEnvelope, trust: SnsTrust): Promise<void> {
  if (!trust.topics.includes(envelope.TopicArn))
    throw errors.notAllowed(`The topic ${envelope.TopicArn.slice(0, 300)} is not one of SES_TOPIC_ARNS.`);
  const age = Date.now() - Date.parse(envelope.Timestamp);
  if (age > limits.provider.eventDays * DAY || age < -HOUR)
    throw errors.notAllowed('The message is too old, or from the future.');
  const url = envelope.SigningCertURL;
  if (!isSnsUrl(url, trust.endpoint) || !new URL(url).pathname.endsWith('.pem'))
    throw errors.notAllowed('SigningCertURL does not point to Amazon SNS.');
  if (!isSigned(envelope, await keyAt(url))) throw errors.notAllowed('The signature is invalid.');
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Certificates by address. One that could not be fetched is not asked for again at once. */
const keys = createCache<string, Promise<KeyObject>>({ entries: limits.sns.certificates, age: DAY });

function keyAt(url: string): Promise<KeyObject> {
  const known = keys.get(url);
  if (known) return known;
  const key = fetchKey(url);
  keys.set(url, key);
  key.catch(() => keys.set(url, key, limits.sns.certificatePause));
  return key;
}

/**
 * Visits the address that confirms a subscription. It has been checked that the message is genuine.
 * @throws FORBIDDEN for an address elsewhere, BUSY when the visit fails: SNS then sends the message again
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
    throw errors.busy('The subscription cannot be confirmed now.');
  }
}
