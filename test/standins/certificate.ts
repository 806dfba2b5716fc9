import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Creates an RSA key and a self-signed certificate in PEM format (X.509 v1, RFC 5280 4.1, sha256WithRSAEncryption). */
export function createSelfSignedCertificate(commonName: string): { privateKey: KeyObject; pem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const name = encodeSequence(
    encodeSet(encodeSequence(encodeOid('550403'), encodeDer(0x0c, Buffer.from(commonName)))),
  );
  const algorithm = encodeSequence(encodeOid('2a864886f70d01010b'), encodeDer(0x05, Buffer.alloc(0)));
  const validity = encodeSequence(encodeUtcTime('200101000000Z'), encodeUtcTime('491231235959Z'));
  const body = encodeSequence(
    encodeDer(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = encodeDer(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const base64 = encodeSequence(body, algorithm, signature)
    .toString('base64')
    .replace(/.{64}/g, '$&\n')
    .trim();
  return { privateKey, pem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n` };
}

/** Makes processes started from now on trust a certificate. @returns a function that undoes it */
export function trustCertificate(file: string): () => void {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  process.env.NODE_EXTRA_CA_CERTS = file;
  return () => {
    if (NODE_EXTRA_CA_CERTS === undefined) delete process.env.NODE_EXTRA_CA_CERTS;
    else process.env.NODE_EXTRA_CA_CERTS = NODE_EXTRA_CA_CERTS;
  };
}

function encodeDer(tag: number, value: Buffer): Buffer {
  const size = value.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

const encodeSequence = (...parts: Buffer[]) => encodeDer(0x30, Buffer.concat(parts));
const encodeSet = (...parts: Buffer[]) => encodeDer(0x31, Buffer.concat(parts));
const encodeOid = (hex: string) => encodeDer(0x06, Buffer.from(hex, 'hex'));
const encodeUtcTime = (text: string) => encodeDer(0x17, Buffer.from(text));
