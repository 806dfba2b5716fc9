import { type KeyObject, X509Certificate } from 'node:crypto';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';

const FETCH_TIMEOUT_MS = 10_000;

/**
 * Fetches the public key of the certificate at `url`.
 * @throws BUSY if it cannot be fetched, FORBIDDEN if it is not a valid certificate
 */
export async function fetchKey(url: string): Promise<KeyObject> {
  let pem: string;
  try {
    pem = await fetchText(url);
  } catch {
    throw errors.busy('The signing certificate could not be fetched. Try again later.');
  }
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    throw errors.notAllowed('SigningCertURL does not point to a certificate.');
  }
  if (Date.parse(certificate.validTo) < Date.now() || Date.parse(certificate.validFrom) > Date.now())
    throw errors.notAllowed('The signing certificate has expired or is not valid yet.');
  if (certificate.publicKey.asymmetricKeyType !== 'rsa')
    throw errors.notAllowed('The certificate at SigningCertURL must have an RSA key.');
  return certificate.publicKey;
}

/** Follows no redirects, because they could lead to any host. */
export async function fetchText(url: string): Promise<string> {
  const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  const response = await fetch(url, { redirect: 'manual', signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url} returned status ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body!) {
    size += part.byteLength;
    if (size > limits.sns.body) throw new Error(`${url} returned too much data`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
