import { isUtf8 } from 'node:buffer';
import { type KeyObject, verify } from 'node:crypto';
import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';

/** A message of Amazon SNS as it is posted to an HTTP subscriber. */
export interface SnsEnvelope {
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

const TYPES = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'];
const NEEDED = ['MessageId', 'TopicArn', 'Message', 'Timestamp', 'Signature', 'SigningCertURL'] as const;
const OPTIONAL = ['Subject', 'SubscribeURL', 'Token'] as const;
/** Characters of a field that is not the message. */
const LONGEST = 4_096;

/**
 * Reads a body as SNS posts it, whatever its Content-Type says (SNS says text/plain). Unknown fields are left out.
 * @throws BAD_REQUEST for everything else, raw message delivery included: that one is not signed
 */
export function readEnvelope(body: Buffer): SnsEnvelope {
  const fields = objectIn(body);
  if (!TYPES.includes(fields.Type as string)) throw malformed('Type');
  if (fields.SignatureVersion !== '1' && fields.SignatureVersion !== '2') throw malformed('SignatureVersion');
  const envelope: Record<string, unknown> = { Type: fields.Type, SignatureVersion: fields.SignatureVersion };
  for (const name of NEEDED) {
    if (typeof fields[name] !== 'string' || fields[name] === '') throw malformed(name);
    envelope[name] = fields[name];
  }
  for (const name of OPTIONAL) {
    if (fields[name] === undefined || fields[name] === null) continue;
    if (typeof fields[name] !== 'string') throw malformed(name);
    envelope[name] = fields[name];
  }
  for (const [name, value] of Object.entries(envelope))
    if (name !== 'Message' && ((value as string).length > LONGEST || /[\0\n\r]/.test(value as string)))
      throw malformed(name);
  if (Number.isNaN(Date.parse(envelope.Timestamp as string))) throw malformed('Timestamp');
  return envelope as unknown as SnsEnvelope;
}

function objectIn(body: Buffer): Record<string, unknown> {
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

const malformed = (field: string) =>
  errors.badRequest(`The body is not an Amazon SNS message: ${field} is missing or malformed.`);

const SIGNED = {
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

/** What SNS has signed: `Key\nValue\n` in the order it documents; a field that is absent is left out. Pure. */
function signedText(envelope: SnsEnvelope): string {
  const keys = SIGNED[envelope.Type === 'Notification' ? 'Notification' : 'SubscriptionConfirmation'];
  return keys.map((key) => (envelope[key] === undefined ? '' : `${key}\n${envelope[key]}\n`)).join('');
}

/** Whether the envelope was signed with the key that belongs to `publicKey`. Pure. */
export function isSigned(envelope: SnsEnvelope, publicKey: KeyObject): boolean {
  const algorithm = envelope.SignatureVersion === '2' ? 'sha256' : 'sha1';
  const signature = Buffer.from(envelope.Signature, 'base64');
  return verify(algorithm, Buffer.from(signedText(envelope)), publicKey, signature);
}
