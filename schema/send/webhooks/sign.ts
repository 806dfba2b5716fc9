import { createHmac, randomBytes } from 'node:crypto';

/** A new secret to sign calls with. */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`;

/**
 * The signature of a body as the client libraries check it: over `<timestamp>.<body>`, keyed with the whole secret, its
 * prefix included. Pure.
 * @param timestamp milliseconds since 1970
 */
const computeSignature = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

/** A call as it is about to be sent. */
interface SignedCall {
  type: string;
  callId: string;
  attempt: number;
  secret: string;
  /** Signs along while the receiver changes over; null otherwise. */
  oldSecret: string | null;
}

/**
 * Headers of a call. The client libraries look at one signature only, so the one by the former secret has a header of
 * its own: a receiver that has not changed over gives them that one instead. Pure.
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
