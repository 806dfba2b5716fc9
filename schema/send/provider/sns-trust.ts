import { type KeyObject, X509Certificate } from 'node:crypto';
import { createCache } from '../../../src/engine/value/cache.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { isSigned, type SnsEnvelope } from './sns-envelope.ts';

/** What is trusted of Amazon SNS. */
export interface SnsTrust {
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
export async function checkTrust(envelope: SnsEnvelope, trust: SnsTrust): Promise<void> {
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

async function fetchKey(url: string): Promise<KeyObject> {
  let pem: string;
  try {
    pem = await fetchText(url);
  } catch {
    throw errors.busy('The certificate of the signature cannot be fetched now.');
  }
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    throw errors.notAllowed('SigningCertURL does not point to a certificate.');
  }
  if (Date.parse(certificate.validTo) < Date.now() || Date.parse(certificate.validFrom) > Date.now())
    throw errors.notAllowed('The certificate of the signature is not valid now.');
  if (certificate.publicKey.asymmetricKeyType !== 'rsa')
    throw errors.notAllowed('SigningCertURL points to an unsuitable certificate.');
  return certificate.publicKey;
}

/**
 * Visits the address that confirms a subscription. It has been checked that the message is genuine.
 * @throws FORBIDDEN for an address elsewhere, BUSY when the visit fails: SNS then sends the message again
 */
export async function confirmSubscription(envelope: SnsEnvelope, trust: SnsTrust): Promise<void> {
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

/** Follows no redirect: it could lead anywhere. */
async function fetchText(url: string): Promise<string> {
  const signal = AbortSignal.timeout(limits.sns.time);
  const answer = await fetch(url, { redirect: 'manual', signal });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`${url} answered ${answer.status}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body!) {
    size += part.byteLength;
    if (size > limits.sns.body) throw new Error(`${url} answers too much`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
