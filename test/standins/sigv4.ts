import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SignedRequest {
  method: string;
  /** Path and query, as on the request line. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface SignatureFault {
  name: string;
  message: string;
}

const hex64 = /^[0-9a-f]{64}$/;

/** Verifies an AWS Signature Version 4 with the known secret. Null if it is valid, otherwise the SES error. */
export function findSignatureFault(
  request: SignedRequest,
  keys: ReadonlyMap<string, string>,
  now = Date.now(),
): SignatureFault | null {
  const header = request.headers.authorization;
  if (!header)
    return { name: 'MissingAuthenticationTokenException', message: 'Missing Authentication Token' };
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/(\w+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      header,
    );
  if (!match)
    return { name: 'IncompleteSignatureException', message: 'Authorization header is not complete' };
  const [, id = '', day = '', region = '', service = '', signed = '', signature = ''] = match;
  const secret = keys.get(id);
  if (secret === undefined) {
    return {
      name: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    };
  }
  const stamp = String(request.headers['x-amz-date'] ?? '');
  const skew = Math.abs(now - parseAmzTime(stamp));
  if (!stamp.startsWith(day) || !(skew < 5 * 60_000)) {
    return {
      name: 'InvalidSignatureException',
      message: `Signature expired: ${stamp} is not within 5 minutes`,
    };
  }
  if (service !== 'ses')
    return buildInvalidSignature(`Credential should be scoped to correct service: 'ses'`);
  const names = signed.split(';');
  if (!names.includes('host') || !names.includes('x-amz-date'))
    return buildInvalidSignature('host and x-amz-date must be signed');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${computeSha256(buildCanonicalRequest(request, names))}`;
  const expected = computeHmac(getSigningKey(secret, day, region, service), toSign).toString('hex');
  return hex64.test(signature) && timingSafeEqual(Buffer.from(expected), Buffer.from(signature))
    ? null
    : buildInvalidSignature('The request signature we calculated does not match the signature you provided.');
}

function buildInvalidSignature(message: string): SignatureFault {
  return { name: 'InvalidSignatureException', message };
}

/**
 * Builds the canonical request: method, path, sorted query, signed headers, their names and the body hash, one per
 * line.
 */
function buildCanonicalRequest(request: SignedRequest, names: string[]): string {
  const [path = '/', query = ''] = request.url.split('?', 2);
  const headers = names.map(
    (name) =>
      `${name}:${String(request.headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  );
  const sortedQuery = query
    .split('&')
    .filter(Boolean)
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&');
  // The path is encoded twice, as for all services except S3.
  const encodedTwice = path
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  return [
    request.method,
    encodedTwice,
    sortedQuery,
    headers.join(''),
    names.join(';'),
    computeSha256(request.body),
  ].join('\n');
}

const signingKeys = new Map<string, Buffer>();

function getSigningKey(secret: string, day: string, region: string, service: string): Buffer {
  const name = [secret, day, region, service].join('\n');
  const cachedKey = signingKeys.get(name);
  if (cachedKey) return cachedKey;
  const key = [day, region, service, 'aws4_request'].reduce(
    (last: Buffer | string, part) => computeHmac(last, part),
    `AWS4${secret}`,
  ) as Buffer;
  signingKeys.set(name, key);
  return key;
}

function computeHmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function computeSha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function parseAmzTime(stamp: string): number {
  const m = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp);
  return m ? Date.UTC(+m[1]!, +m[2]! - 1, +m[3]!, +m[4]!, +m[5]!, +m[6]!) : Number.NaN;
}
