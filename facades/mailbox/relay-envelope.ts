import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { Config } from '../../src/config.ts';
import { AppError, errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';

interface RelayEnvelope {
  /** Envelope sender. Empty for a bounce. */
  sender: string;
  recipients: string[];
  /** IP of the client that sent the message to the relay. Empty if unknown. */
  clientIp: string;
  /** SHA-256, in hex. */
  hash: string;
  signature: string;
}

const createUnauthenticatedError = (text: string): AppError => new AppError('UNAUTHENTICATED', text);

/** Allowed clock difference in milliseconds. */
const MAX_CLOCK_SKEW_MS = 300_000;
const MAX_ADDRESS_LENGTH = 320;

/**
 * Reads a relayed message's envelope from the headers, or from the query if a header is missing.
 * @throws NOT_FOUND if no key is configured, UNAUTHENTICATED for an invalid or expired signature, BAD_REQUEST
 */
export function parseRelayEnvelope(
  request: Request,
  { mailInboundKey: key }: Pick<Config, 'mailInboundKey'>,
): RelayEnvelope {
  if (!key) throw errors.notFound('Address');
  const query = new URL(request.url).searchParams;
  const getField = (name: string, param: string) =>
    request.headers.get(`x-atrium-${name}`) ?? query.getAll(param).join(',');
  const [timestamp, signature] = [getField('timestamp', 'timestamp'), getField('signature', 'signature')];
  const mail = {
    sender: getField('sender', 'sender').trim(),
    recipients: getField('recipients', 'recipient')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
    clientIp: getField('client-ip', 'client_ip').trim(),
    hash: getField('content-sha256', 'content_sha256').trim().toLowerCase(),
  };
  const age = Math.abs(Date.now() - Number(timestamp) * 1000);
  if (!(age <= MAX_CLOCK_SKEW_MS))
    throw createUnauthenticatedError('X-Atrium-Timestamp must be within five minutes of the current time.');
  if (!isSameSignature(signature, computeRelaySignature(key, timestamp, mail)))
    throw createUnauthenticatedError('X-Atrium-Signature does not match the request.');
  checkEnvelope(mail);
  return { ...mail, signature };
}

/** Returns `v1=` and an HMAC-SHA-256, in hex, of the signed lines. */
function computeRelaySignature(
  key: string,
  timestamp: string,
  { sender, recipients, clientIp, hash }: Omit<RelayEnvelope, 'signature'>,
): string {
  const lines = [timestamp, sender, recipients.join(','), clientIp, hash];
  return `v1=${createHmac('sha256', key).update(lines.join('\n')).digest('hex')}`;
}

function isSameSignature(candidate: string, right: string): boolean {
  const [a, b] = [Buffer.from(candidate), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function checkEnvelope({ sender, recipients, clientIp, hash }: Omit<RelayEnvelope, 'signature'>): void {
  if (!/^[0-9a-f]{64}$/.test(hash))
    throw errors.badRequest('X-Atrium-Content-SHA256 must be the SHA-256 hash of the message, in hex.');
  if (recipients.length === 0 || recipients.length > limits.mx.recipients)
    throw errors.badRequest(`X-Atrium-Recipients must contain 1 to ${limits.mx.recipients} addresses.`);
  if (
    [sender, ...recipients].some(
      (address) => address.length > MAX_ADDRESS_LENGTH || /[^\x21-\x7e]/.test(address),
    )
  )
    throw errors.badRequest('An envelope address contains invalid characters.');
  if (clientIp !== '' && isIP(clientIp) === 0)
    throw errors.badRequest('X-Atrium-Client-IP must be an IP address.');
}
