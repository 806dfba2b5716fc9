import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** PEM texts of a key and its certificate. */
export interface Pair {
  key: string;
  cert: string;
}

/**
 * A new P-256 key with a certificate it signs itself (X.509 v3, RFC 5280 4.1), for `name` from `from` on.
 * It encrypts; it proves nothing to a client that asks who is there.
 */
export function selfSigned(name: string, from: Date, years: number): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const until = new Date(from);
  until.setUTCFullYear(until.getUTCFullYear() + years);
  const issuer = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    // A positive number: the first bit is that of the sign.
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(time(from), time(until)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeName(name))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: pem(sequence(body, ECDSA_WITH_SHA256, signature)),
  };
}

/** Clients compare the host name with this, no longer with the common name (RFC 6125 6.4.4). */
const alternativeName = (name: string): Buffer =>
  sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from(name)))));

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}/g, '$&\n').trim();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, value: Buffer): Buffer {
  const size = value.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(...parts: Buffer[]): Buffer {
  return der(0x31, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

/** RFC 5280 4.1.2.5: two digits of the year through 2049. */
function time(at: Date): Buffer {
  const text = at.toISOString().replace(/[-:T]|\.\d+/g, '');
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
