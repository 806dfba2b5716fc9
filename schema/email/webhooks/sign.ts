import { createHmac, randomBytes } from 'node:crypto';

export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`;

/**
 * Computes the signature that the client libraries verify: over `<timestamp>.<body>`, keyed with the whole secret
 * including its prefix.
 * @param timestamp milliseconds since 1970
 */
const computeSignature = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

interface SignedCall {
  type: string;
  callId: string;
  attempt: number;
  secret: string;
  /** Previous secret, also used for signing during a rotation; null otherwise. */
  oldSecret: string | null;
}

/**
 * Builds the headers of a call. The client libraries verify a single signature, so the signature made with the previous
 * secret has a separate header. A receiver that still uses the previous secret passes that header to its library.
 */
export function buildSignedHeaders(
  call: SignedCall,
  body: string,
  timestamp: number,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'UseSend-Webhook/1.0',
    'x-usesend-event': call.type,
    'x-usesend-call': call.callId,
    'x-usesend-timestamp': String(timestamp),
    'x-usesend-signature': computeSignature(call.secret, timestamp, body),
    'x-usesend-retry': String(call.attempt > 1),
    ...(call.oldSecret && {
      'x-usesend-signature-previous': computeSignature(call.oldSecret, timestamp, body),
    }),
  };
}
