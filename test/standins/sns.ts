import { randomBytes, randomUUID, sign } from 'node:crypto';
import { createSelfSignedCertificate } from './certificate.ts';

/**
 * Written from the AWS documentation and not shared with the code under test, so that a wrong name in one is detected
 * by the other.
 */
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
  UnsubscribeURL?: string;
  SubscribeURL?: string;
  Token?: string;
}

export interface Topic {
  arn: string;
  pem: string;
  notification(message: object, subject?: string): SnsEnvelope;
  confirmation(): SnsEnvelope;
  /** Posts like SNS (text/plain). Returns the subscriber's status, or 0 if it could not be reached. */
  post(url: string, envelope: SnsEnvelope): Promise<number>;
}

const notificationKeys = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const;
const confirmationKeys = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
] as const;

/** Creates a topic with its own key. `base` is the URL that serves its certificate and its subscription link. */
export function createTopic(options: {
  base: () => string;
  certUrl?: () => string;
  version?: '1' | '2';
}): Topic {
  const arn = 'arn:aws:sns:us-east-1:000000000000:ses-events';
  const { privateKey, pem } = createSelfSignedCertificate('sns.amazonaws.com');
  const version = options.version ?? '2';
  const certUrl = options.certUrl ?? (() => `${options.base()}/SimpleNotificationService-standin.pem`);
  const signEnvelope = (envelope: SnsEnvelope): SnsEnvelope => {
    const text = buildStringToSign(envelope);
    const signature = sign(version === '2' ? 'sha256' : 'sha1', Buffer.from(text), privateKey);
    return { ...envelope, Signature: signature.toString('base64') };
  };
  const buildCommonFields = () => ({
    MessageId: randomUUID(),
    TopicArn: arn,
    Timestamp: new Date().toISOString(),
    SignatureVersion: version,
    Signature: '',
    SigningCertURL: certUrl(),
  });
  return {
    arn,
    pem,
    notification: (message, subject) =>
      signEnvelope({
        Type: 'Notification',
        ...buildCommonFields(),
        ...(subject === undefined ? {} : { Subject: subject }),
        Message: JSON.stringify(message),
        UnsubscribeURL: `${options.base()}/?Action=Unsubscribe&SubscriptionArn=${arn}:1`,
      }),
    confirmation: () => {
      const Token = randomBytes(24).toString('hex');
      const query = `Action=ConfirmSubscription&TopicArn=${arn}&Token=${Token}`;
      const Message = `You have chosen to subscribe to the topic ${arn}.`;
      return signEnvelope({
        Type: 'SubscriptionConfirmation',
        ...buildCommonFields(),
        Message,
        Token,
        SubscribeURL: `${options.base()}/?${query}`,
      });
    },
    post: postEnvelope,
  };
}

/** Builds the signed text, `Key\nValue\n` in the order documented by AWS. Subject is included only if present. */
export function buildStringToSign(envelope: SnsEnvelope): string {
  const keys = envelope.Type === 'Notification' ? notificationKeys : confirmationKeys;
  const fields = envelope as unknown as Record<string, string | undefined>;
  return keys
    .flatMap((key) => (fields[key] === undefined ? [] : [key, fields[key]]))
    .map((line) => `${line}\n`)
    .join('');
}

async function postEnvelope(url: string, envelope: SnsEnvelope): Promise<number> {
  const headers = {
    'content-type': 'text/plain; charset=UTF-8',
    'x-amz-sns-message-type': envelope.Type,
    'x-amz-sns-message-id': envelope.MessageId,
    'x-amz-sns-topic-arn': envelope.TopicArn,
  };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(envelope),
      redirect: 'manual',
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
