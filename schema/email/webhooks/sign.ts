import { createHmac, randomBytes } from 'node:crypto';

export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`;

/**
 * Signs `<timestamp>.<body>` with the whole secret, including its prefix, as the client libraries expect.
 * @param timestamp Unix time in milliseconds
 */
const computeSignature = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

interface SignedCall {
  type: string;
  callId: string;
  attempt: number;
  secret: string;
  /** Previous secret during a rotation, otherwise null. */
  oldSecret: string | null;
}

/**
 * Builds a call's headers. The client libraries verify a single signature, so the signature with the previous secret
 * has a separate header. A receiver that still has the previous secret passes that header to its library.
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
