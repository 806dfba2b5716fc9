import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface CertificatePair {
  key: string;
  cert: string;
}

/**
 * Creates a P-256 key with a self-signed certificate (X.509 v3, RFC 5280 4.1) for `name`, valid from `from`. The
 * certificate enables encryption, but does not authenticate the server.
 */
export function createSelfSignedCertificate(name: string, from: Date, years: number): CertificatePair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const expiry = new Date(from);
  expiry.setUTCFullYear(expiry.getUTCFullYear() + years);
  const issuer = encodeSequence(
    encodeSet(encodeSequence(encodeOid('550403'), encodeDer(0x0c, Buffer.from(name)))),
  );
  const body = encodeSequence(
    encodeDer(0xa0, encodeDer(0x02, Buffer.from([2]))),
    // The leading 1 keeps the serial number positive.
    encodeDer(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    issuer,
    encodeSequence(encodeTime(from), encodeTime(expiry)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(0xa3, encodeSequence(encodeAlternativeName(name))),
  );
  const signature = encodeDer(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: toPem(encodeSequence(body, ECDSA_WITH_SHA256, signature)),
  };
}

/** Encodes the subject alternative name, which clients compare with the host name (RFC 6125 6.4.4). */
const encodeAlternativeName = (name: string): Buffer =>
  encodeSequence(encodeOid('551d11'), encodeDer(0x04, encodeSequence(encodeDer(0x82, Buffer.from(name)))));

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}/g, '$&\n').trim();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function encodeDer(tag: number, value: Buffer): Buffer {
  const size = value.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

function encodeSequence(...parts: Buffer[]): Buffer {
  return encodeDer(0x30, Buffer.concat(parts));
}

function encodeSet(...parts: Buffer[]): Buffer {
  return encodeDer(0x31, Buffer.concat(parts));
}

function encodeOid(hex: string): Buffer {
  return encodeDer(0x06, Buffer.from(hex, 'hex'));
}

/** Encodes a time, with a two-digit year through 2049 (RFC 5280 4.1.2.5). */
function encodeTime(time: Date): Buffer {
  const text = time.toISOString().replace(/[-:T]|\.\d+/g, '');
  return time.getUTCFullYear() < 2050
    ? encodeDer(0x17, Buffer.from(text.slice(2)))
    : encodeDer(0x18, Buffer.from(text));
}

const ECDSA_WITH_SHA256 = encodeSequence(encodeOid('2a8648ce3d040302'));
